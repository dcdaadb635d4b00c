"""Run Elsewhere: the same project on an engine, for tables that no memory holds."""
