"""The domain generalization hierarchy: value, edits, builders, file formats, fit to the data."""
