"""The page of the method and its runs."""
