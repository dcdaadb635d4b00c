"""The public categories of columns, and how they are grouped."""
