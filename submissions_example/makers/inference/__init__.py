"""Writes the example submission of MLPerf Inference v5.1."""
