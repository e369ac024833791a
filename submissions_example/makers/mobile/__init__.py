"""Makes an example submission of MLPerf Mobile."""
