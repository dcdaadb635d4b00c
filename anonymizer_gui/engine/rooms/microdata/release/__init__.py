"""What the report tells readers of a release: levels, labels, and a summary of every column."""
