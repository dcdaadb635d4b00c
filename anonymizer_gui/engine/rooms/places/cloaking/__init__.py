"""Regions instead of points: what cloaking makes and how it is measured."""
