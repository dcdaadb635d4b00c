"""Widgets: shows the document and calls its methods; computes nothing."""
