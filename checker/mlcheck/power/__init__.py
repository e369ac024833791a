"""Measured power: samples, windows, energy. Any suite may import it; it imports no suite."""
