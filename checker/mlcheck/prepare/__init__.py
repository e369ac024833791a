"""Make of a tree one that can be submitted: planned as data first, then written somewhere else."""
