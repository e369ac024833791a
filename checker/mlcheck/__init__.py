"""Judge benchmark submissions by the rules of their round, and normalise their results."""

__version__ = "0.1.0"
