"""Results as tables: one schema, one set of rows, one writer."""
