"""How much of a file is taken: deeper, longer and larger ones are refused in one sentence."""

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message

DEEPEST = 60
"""Levels below a record."""
LARGEST_RECORD = 64 << 20
"""Characters of one record."""
MOST_VERTICES = 20_000_000
LARGEST_BYTES = 4 << 30


def too_deep(name: str) -> UnreadableFile:
    """Say that a record is nested too deeply."""
    return UnreadableFile(
        message("“{name}” is nested more than {most} levels deep.", name=name, most=DEEPEST),
        "Flatten the records, or leave out what is so deep.",
    )


def too_large(name: str) -> UnreadableFile:
    """Say that there is too much."""
    return UnreadableFile(
        message("“{name}” has a record or a number of records larger than can be held.", name=name),
        "Choose a part of it.",
    )
