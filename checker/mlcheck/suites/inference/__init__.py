"""MLPerf Inference: where things lie, how they are read, how they are judged, what is published."""
