"""Who is protected, and what is public."""
