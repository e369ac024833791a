"""MLPerf Mobile."""
