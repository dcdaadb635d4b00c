"""What the ledger keeps of a released table, as parts of its entry: numbers, and one description in plain JSON."""

import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.releases.ledger.chain import Entry
from anonymizer_gui.engine.releases.ledger.releases import FORMAT_3_PART as EARLIER
from anonymizer_gui.engine.rooms.microdata.meeting.shown import (
    KEY_BYTES,
    Combinations,
    Ints,
    Keys,
    LinkedRows,
    Order,
    Shown,
)

_DESCRIPTION = "table"
_NUMBERS = np.dtype("<i4")


def parts_of(shown: Shown, aliases: Mapping[bytes, bytes]) -> dict[str, bytes]:
    """Write what is kept; `aliases` gives for keys of the version before those that stand for them now."""
    described: dict[str, Json] = {
        "key_check": shown.key_check,
        "matched_by": list(shown.matched_by),
        "goals": [dict(goal) for goal in shown.goals],
        "columns": [
            {"name": name, "labels": list(labels)}
            for values in shown.values
            for name, labels in zip(values.columns, values.labels, strict=True)
        ],
        "orders": {name: [order.rank, order.parents, order.leaves] for name, order in shown.orders.items()},
        "links": list(shown.links),
    }
    parts = {
        _DESCRIPTION: json.dumps(described).encode(),
        "people": shown.keys.astype(f"S{KEY_BYTES}").tobytes(),
        "classes": _blob(shown.classes),
        "aliases": np.array(sorted(aliases.items()), dtype=f"S{KEY_BYTES}").tobytes(),
    }
    for values in shown.values:
        counts = np.zeros_like(values.classes) if values.counts is None else values.counts
        parts["held"] = _blob(np.concatenate([values.classes, counts, *values.codes]))
    for number, linked in enumerate(shown.links.values()):
        parts[f"marks{number}"] = linked.marks.astype(f"S{KEY_BYTES}").tobytes()
        parts[f"rows{number}"] = _blob(np.concatenate([linked.classes, linked.entries]))
    return parts


def shown_in(entry: Entry) -> Shown:
    """Read back what was kept of a table; raises ValueError, KeyError or TypeError for what no table is."""
    parts = entry.parts or {}
    found = _earlier(entry, parts) if EARLIER in parts else _current(entry, parts)
    _refuse_nonsense(found)
    return found


def _current(entry: Entry, parts: Mapping[str, bytes]) -> Shown:
    told = json.loads(parts[_DESCRIPTION])
    names, labels = tuple(c["name"] for c in told["columns"]), tuple(tuple(c["labels"]) for c in told["columns"])
    held = _numbers(parts["held"]).reshape(2 + len(names), -1) if names else None
    values = () if held is None else (Combinations(names, labels, held[0], tuple(held[2:]), held[1]),)
    links = {}
    for number, name in enumerate(told["links"]):
        classes, entries = _numbers(parts[f"rows{number}"]).reshape(2, -1)
        links[name] = LinkedRows(_keys(parts[f"marks{number}"]), classes, entries)
    return Shown(
        entry.name,
        _keys(parts["people"]),
        _numbers(parts["classes"]),
        values,
        tuple(told["goals"]),
        told["key_check"],
        tuple(told["matched_by"]),
        {name: Order(*(tuple(part) for part in order)) for name, order in told["orders"].items()},
        links,
    )


def _refuse_nonsense(shown: Shown) -> None:
    """Raise ValueError for numbers no table gives: they would take memory without end, or point nowhere."""
    rows = [len(shown.classes), *(len(values.classes) for values in shown.values)]
    numbers = [(shown.classes, sum(rows))]
    for values in shown.values:
        numbers += [(values.classes, sum(rows)), *zip(values.codes, map(len, values.labels), strict=True)]
        if values.counts is not None and (values.counts < 0).any():
            raise ValueError
    for linked in shown.links.values():
        numbers += [(linked.classes, sum(rows)), (linked.entries, len(shown.values[0].classes) if shown.values else 0)]
        if len(linked.marks) != len(linked.classes):
            raise ValueError
    if len(shown.keys) != len(shown.classes) or any(((part < 0) | (part >= most)).any() for part, most in numbers):
        raise ValueError


def aliases_in(entry: Entry) -> Mapping[bytes, bytes]:
    """Give for keys of the version before those that stand for them now, as far as the entry knows."""
    found = _keys((entry.parts or {}).get("aliases", b"")).reshape(-1, 2)
    return dict(found.tolist())


def is_exact(entry: Entry) -> bool:
    """Tell whether people were still told apart by capital letters and white space."""
    return EARLIER in (entry.parts or {})


def renamed(shown: Shown, aliases: Mapping[bytes, bytes]) -> Shown:
    """Give people of the version before the keys they have now, where those are known."""
    keys = [aliases.get(key, key) for key in shown.keys.tolist()]
    return replace(shown, keys=np.array(keys, dtype=f"S{KEY_BYTES}"))


def _earlier(entry: Entry, parts: Mapping[str, bytes]) -> Shown:
    """Read what the version before kept: which values classes hold, without counts; goals stand with the figures."""
    told = json.loads(parts[EARLIER])
    values = []
    for number, column in enumerate(told["columns"]):
        classes, codes = _numbers(parts[f"classes{number}"]), _numbers(parts[f"values{number}"])
        values.append(Combinations((column["name"],), (tuple(column["labels"]),), classes, (codes,), None))
    goals = tuple({"model": goal["model"], "parameters": goal["parameters"]} for goal in entry.figures.get("goals", ()))
    people, classes = _keys(parts["people"]), _numbers(parts["classes"])
    return Shown(entry.name, people, classes, tuple(values), goals, told["key_check"], tuple(told["matched_by"]))


def _keys(content: bytes) -> Keys:
    return np.frombuffer(content, dtype=f"S{KEY_BYTES}")


def _blob(numbers: Ints) -> bytes:
    return numbers.astype(_NUMBERS).tobytes()


def _numbers(content: bytes) -> Ints:
    return np.frombuffer(content, dtype=_NUMBERS).astype(np.int64)
