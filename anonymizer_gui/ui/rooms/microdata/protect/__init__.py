"""The Protect page."""
