"""Turn data about people into a release that can be defended."""

__version__ = "0.1.0"
