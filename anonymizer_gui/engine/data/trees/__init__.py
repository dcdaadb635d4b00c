"""Trees: records of JSON and XML with what hangs below them; the value, its readers and writers, nothing on privacy."""
