"""The Collect page."""
