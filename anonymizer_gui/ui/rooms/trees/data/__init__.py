"""The page of the records: paths with their roles."""
