"""The Estimate page."""
