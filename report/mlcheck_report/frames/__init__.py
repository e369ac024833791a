"""Frames: pure functions from tables to what a page shows."""
