"""The suites. Each is a folder of the same shape and knows nothing of the others."""
