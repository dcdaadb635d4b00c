"""The road of tables that no memory holds: counted, written and counted again by an engine, searched by our own kernels."""
