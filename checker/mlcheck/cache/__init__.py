"""What was judged is kept until what it was made from changes; docs/cache.md says why."""
