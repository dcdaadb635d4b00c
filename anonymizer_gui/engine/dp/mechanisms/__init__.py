"""Mechanisms that answer with noise, one file each, found by the registry."""
