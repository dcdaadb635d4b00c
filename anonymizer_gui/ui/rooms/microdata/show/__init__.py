"""The chapter of the tour about microdata, a story on the hospital sample."""
