"""Readers and writers, one file per format: the way in and out of every table."""

from anonymizer_gui.engine.shapes.tables.io.facade import (
    Preview,
    choices,
    parts,
    preview,
    read_table,
    sniff,
    write_table,
)
from anonymizer_gui.engine.shapes.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.shapes.tables.io.read_report import Lines, ReadReport

__all__ = [
    "Lines",
    "Preview",
    "ReadOptions",
    "ReadReport",
    "WriteOptions",
    "choices",
    "parts",
    "preview",
    "read_table",
    "sniff",
    "write_table",
]
