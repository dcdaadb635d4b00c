"""Mondrian: partitioning of the quasi-identifier space."""
