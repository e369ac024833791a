"""MLPerf Training: logs, convergence and scores."""
