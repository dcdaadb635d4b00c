"""Anonymise first or noise inside? The same tasks on a generalised table, a synthetic one, and by noisy algorithms."""
