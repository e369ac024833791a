"""Settings of a run: what there is to set, where values come from, and which one holds."""
