"""The Release page, on which every room's release leaves."""
