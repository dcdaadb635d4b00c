"""What exact answers give away, and what noise keeps."""
