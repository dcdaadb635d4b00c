"""What is asked, and what it costs."""
