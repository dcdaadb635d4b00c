"""The window half of every room: its view, and a folder for each of its pages."""
