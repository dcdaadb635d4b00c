"""The Hierarchies page with its tree editor, shared by the rooms."""
