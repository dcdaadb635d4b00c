"""The road of tables that no memory holds: an engine counts, writes and counts again, our own kernels search."""
