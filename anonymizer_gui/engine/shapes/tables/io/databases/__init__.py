"""Tables of databases: SQLite files in a process apart, servers after a question, both only asked."""
