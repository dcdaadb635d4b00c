"""Builders that make a hierarchy from a column, one file each, found by the registry."""
