"""File formats of hierarchies, one file each, found by the registry."""
