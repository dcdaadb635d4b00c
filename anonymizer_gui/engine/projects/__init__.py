"""The project file, its sources, and how a project is opened."""
