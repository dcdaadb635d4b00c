"""How far neighbours move the questions about nested records, and about single entries of their lists."""

from collections.abc import Callable
from fractions import Fraction

from anonymizer_gui.engine.rooms.statistics.audit.moves import Asked, Move

_NEVER = Move(-1, -1, -1, False)
"""What no noise is calibrated for: an entry of an outer list may hold any number of those asked about."""


def _either_way(most: int, is_changed: bool) -> Move:
    """Move one number, up or down where a record is changed."""
    return Move(most, most * most, most, not is_changed)


def _having(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [_either_way(1, is_changed)]


def _entries(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """A record brings or takes as many as count of it; a changed one may do either."""
    return [_either_way(asked["most"], is_changed)]


def _values(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    """A record is in so many counts at most, in each of them once."""
    most = asked["most"]
    return [Move(2 * most, 2 * most, 1, False) if is_changed else Move(most, most, 1, True)]


def _entry(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    return [_either_way(1, is_changed) if _is_in_one_list(asked["path"]) else _NEVER]


def _entry_values(asked: Asked, rows: int, is_changed: bool) -> list[Move]:
    if not _is_in_one_list(asked["path"]):
        return [_NEVER]
    return [Move(2, 2, 1, False) if is_changed else Move(1, 1, 1, True)]


def _is_in_one_list(path: str) -> bool:
    """Tell whether a path leads through one list: one XML element below the record, or one pair of brackets in JSON."""
    if "/" in path:
        return path.count("/") == 2
    lists, rest = 0, path
    while rest:
        if rest.startswith('["'):
            end = 2
            while end < len(rest) and rest[end] != '"':
                end += 2 if rest[end] == "\\" else 1
            rest = rest[end + 2 :]
        elif rest.startswith("[]"):
            lists, rest = lists + 1, rest[2:]
        else:
            rest = rest[1:]
    return lists == 1


MOVES = {
    "trees-having": _having,
    "trees-entries": _entries,
    "trees-values": _values,
    "single-having": _entry,
    "single-entries": _entry,
    "single-values": _entry_values,
}
SIZES: dict[str, Callable[[Asked], Fraction]] = {}
