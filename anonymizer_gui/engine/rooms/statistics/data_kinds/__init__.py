"""Shapes of data questions can be asked about, one file each."""
