"""Tracks: resampling, grouping and what they give away."""
