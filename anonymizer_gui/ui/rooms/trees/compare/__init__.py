"""The page that compares releases."""
