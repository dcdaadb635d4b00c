"""Several releases of overlapping people, and what they tell together."""
