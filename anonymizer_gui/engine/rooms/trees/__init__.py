"""The room of trees: nested records leave as nested records."""
