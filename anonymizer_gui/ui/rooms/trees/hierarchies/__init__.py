"""Hierarchies of the paths of nested records."""
