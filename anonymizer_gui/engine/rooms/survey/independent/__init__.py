"""A collection counted again by code that shares nothing with the protocols."""
