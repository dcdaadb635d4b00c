"""The page of hierarchies."""
