"""Readers and writers, one file per format: the way in and out of every table."""

from anonymizer_gui.engine.data.tables.io.options import ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.read_report import Lines, ReadReport
from anonymizer_gui.engine.data.tables.io.read_write import (
    Preview,
    choices,
    parts,
    preview,
    read_table,
    sniff,
    write_table,
)

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
