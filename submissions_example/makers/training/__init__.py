"""Makes submissions of MLPerf Training."""
