"""What is told about a release."""
