"""Engines behind plain SQL: the same questions about tables that no memory holds, asked of DuckDB or Spark Connect."""
