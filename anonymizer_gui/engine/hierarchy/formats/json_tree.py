"""Hierarchies as JSON: a leaf is its label, a group an object; also how projects keep them."""

import contextlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy, UnwritableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, PathTree, bad_line, refuse_huge
from anonymizer_gui.engine.hierarchy.parsed_tree import DuplicateLabels
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, normalise_label
from anonymizer_gui.engine.storage.json_io import indented_json

_BEGINNING = re.compile(r'\s*(?:\{|\[\s*["{\[\]])')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_HINT = "A node is a label, or an object with `label`, `children` and perhaps `interval`."


def to_json(hierarchy: Hierarchy) -> Json:
    """Give the hierarchy as a JSON value.

    >>> to_json(Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"]}}))
    {'label': '*', 'children': [{'label': 'Europe', 'children': ['Italy', 'Spain']}]}
    """
    labels, parents, intervals = hierarchy.labels, hierarchy.parents, hierarchy.intervals
    ordered = np.argsort(parents, kind="stable")
    ends = np.searchsorted(parents[ordered], np.arange(len(labels)), side="right").tolist()
    values: list[Json] = list(labels)
    inner = ~hierarchy.is_leaf
    inner[list(intervals)] = True
    places = ordered.tolist()
    for node in np.flatnonzero(inner)[::-1].tolist():
        # Children stand after their parents: theirs is written already. Values are their labels, and need nothing.
        children = places[ends[node - 1] if node else 1 : ends[node]]
        values[node] = _node(labels[node], [values[child] for child in children], intervals.get(node))
    root = values[0]
    return root if isinstance(root, dict) else {"label": root}


def from_json(value: Json) -> Hierarchy:
    """Make the hierarchy from a JSON value; nested objects `{"*": {"Europe": ["Italy"]}}` are understood too.

    Raises BadHierarchy when it is no tree, DoubleLabels when a label stands twice.
    """
    return refuse_huge(_grown(value, "", {}).tree(), message("The hierarchy"))


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class JsonTree:
    """JSON text with labels, children and intervals."""

    name: ClassVar[str] = "json"
    title: ClassVar[str] = "JSON"
    summary: ClassVar[str] = "Nested JSON that keeps intervals too."
    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    rank: ClassVar[int] = 10

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""
        return bool(_BEGINNING.match(text)) and text.rstrip().endswith(("}", "]"))

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with the line or the reason.

        >>> JsonTree.read('{"*": {"Europe": ["Italy"], "Asia": ["Japan"]}}', "land.json").leaf_labels
        ('Italy', 'Japan')
        """
        try:
            value = json.loads(text, object_pairs_hook=_Pairs.of)
        except json.JSONDecodeError as error:
            raise bad_line(name, error.lineno, message("this is no JSON: {reason}.", reason=error.msg)) from None
        except RecursionError:
            raise BadHierarchy(message("{name} is nested too deeply.", name=name)) from None
        except ValueError:
            raise BadHierarchy(message("{name} holds a number beyond all size.", name=name)) from None
        try:
            return _grown(value, name, {}).tree()
        except DuplicateLabels:  # looked up only now: most files need no lines
            return _grown(value, name, _label_lines(text)).tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write indented JSON; raises UnwritableFile for a tree that is too deep for it."""
        try:
            return indented_json(to_json(hierarchy)) + "\n"
        except RecursionError:
            raise UnwritableFile(
                "The hierarchy has too many levels for JSON.", "Choose another format, or collapse some of its levels."
            ) from None


def _node(label: str, children: list[Json], interval: Interval | None) -> Json:
    if not children and interval is None:
        return label
    node: dict[str, Json] = {"label": label}
    if interval is not None:
        node["interval"] = _plain(interval)
    if children:
        node["children"] = children
    return node


class _Pairs(dict[str, Json]):
    """An object in which names may stand twice: it keeps all of its pairs."""

    pairs: list[tuple[str, Json]]

    @classmethod
    def of(cls, pairs: list[tuple[str, Json]]) -> "dict[str, Json]":
        if len(dict(pairs)) == len(pairs):
            return dict(pairs)
        made = cls(pairs)
        made.pairs = pairs
        return made


def _label_lines(text: str) -> dict[str, list[int]]:
    """Give the lines on which each text of JSON stands, names of fields included, the last one first."""
    found: dict[str, list[int]] = {}
    line = at = 0
    for match in _STRING.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.setdefault(normalise_label(json.loads(match[0], strict=False)), []).append(line + 1)
    return {label: lines[::-1] for label, lines in found.items()}


def _grown(value: Json, name: str, lines: dict[str, list[int]]) -> PathTree:
    """Grow a tree from a JSON value; the lines of a label are used up in its order."""
    is_nested = isinstance(value, dict) and "label" not in value
    if is_nested and len(_pairs(value)) != 1:
        raise BadHierarchy("A hierarchy needs exactly one root.", "Put the trees under a common root.")
    parts = _nested_parts if is_nested else _parts
    tree = PathTree(name)
    waiting: list[tuple[Json, int]] = [(_pairs(value)[0] if is_nested else value, -1)]
    while waiting:
        item, parent = waiting.pop()
        label, children, interval = parts(item)
        left = lines.get(label)
        node = tree.add_below(parent, label, left.pop() if left else 0)
        if interval is not None:
            tree.intervals[node] = _interval(interval, label)
        waiting.extend((child, node) for child in reversed(children))
    return tree


def _pairs(value: Json) -> list[Json]:
    """Give the names and what is under them as lists of two."""
    pairs = value.pairs if isinstance(value, _Pairs) else value.items() if isinstance(value, dict) else []
    return [[label, below] for label, below in pairs]


def _nested_parts(item: Json) -> tuple[str, list[Json], Json]:
    label, below = item if isinstance(item, list) and len(item) == 2 else (None, None)
    if isinstance(label, int | float) and not isinstance(label, bool):
        label = str(label)
    if not isinstance(label, str) or not normalise_label(label):
        raise BadHierarchy("A node of the hierarchy has no label.", _HINT)
    if isinstance(below, list):
        return normalise_label(label), [pair for child in below for pair in _pairs(child) or [[child, None]]], None
    return normalise_label(label), _pairs(below), None


def _parts(item: Json) -> tuple[str, list[Json], Json]:
    if isinstance(item, str):
        item = {"label": item}
    if not isinstance(item, dict) or not isinstance(item.get("label"), str) or not normalise_label(item["label"]):
        raise BadHierarchy("A node of the hierarchy has no label.", _HINT)
    children = item.get("children", [])
    if not isinstance(children, list):
        raise BadHierarchy(message("The children of “{label}” are no list.", label=item["label"]), _HINT)
    return normalise_label(item["label"]), children, item.get("interval")


def _plain(interval: Interval) -> dict[str, Json]:
    """Give an interval as JSON; an end that is open for ever is null, what is not said is false."""
    low = None if math.isinf(interval.low) else interval.low
    high = None if math.isinf(interval.high) else interval.high
    flags = {"closed": interval.closed, "open_low": interval.open_low}
    return {"low": low, "high": high, **{name: flag for name, flag in flags.items() if flag}}


def _interval(value: Json, label: str) -> Interval:
    if isinstance(value, Mapping):
        low, high = (_bound(value.get(end), endless) for end, endless in (("low", -math.inf), ("high", math.inf)))
        if low is not None and high is not None:
            return Interval(low, high, value.get("closed") is True, value.get("open_low") is True)
    raise BadHierarchy(
        message("The interval of “{label}” is not two numbers.", label=label), "Give `low` and `high`; null is endless."
    )


def _bound(value: Json, endless: float) -> float | None:
    if value is None:
        return endless
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    with contextlib.suppress(OverflowError):
        return float(value) if math.isfinite(value) else None
    return None
