"""Sets of values under one tree: supports of small sets, the cut that rises, and what must be deleted (k^m)."""
