"""What the Release page shows of a survey."""
