"""The room of places: location queries, mix zones and tracks."""
