"""Microdata in the window."""
