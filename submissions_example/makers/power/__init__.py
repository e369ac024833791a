"""Made-up sessions of the MLPerf Power workflow."""
