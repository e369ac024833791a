"""Results as the field's own tools write them."""
