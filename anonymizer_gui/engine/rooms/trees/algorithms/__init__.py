"""Ways to make nested records safe, each one file with declared parameters."""
