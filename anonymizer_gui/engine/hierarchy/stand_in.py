"""A small hierarchy in place of any other, where only the column that has one is looked at."""

from collections.abc import Mapping
from typing import Any

from anonymizer_gui.engine.hierarchy.tree import Hierarchy

_SMALL = Hierarchy(["*"], [-1])


def with_stand_ins(value: Any) -> Any:
    """Give a mapping with a small hierarchy in place of each; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    return {key: _SMALL if isinstance(each, Hierarchy) else each for key, each in value.items()}
