"""Anonymization algorithms, one file each."""
