"""Counts a released graph again from the bytes of its files, in plain Python that shares nothing with what made it."""
