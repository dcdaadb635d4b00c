"""The guided tour, and the demonstration that plays it."""
