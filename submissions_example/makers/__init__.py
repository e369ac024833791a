"""Programs that write the example submissions, one package for each suite."""
