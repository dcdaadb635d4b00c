"""The Design page."""
