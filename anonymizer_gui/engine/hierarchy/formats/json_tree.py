"""Hierarchies as JSON: a leaf is its label, a group an object; also how projects keep them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy.formats.paths import refusal
from anonymizer_gui.engine.hierarchy.labels import clean
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.registry import HIERARCHY_FORMATS

_HINT = "A node is a label, or an object with `label`, `children` and perhaps `interval`."


def to_json(hierarchy: Hierarchy) -> Json:
    """Give the hierarchy as a JSON value.

    >>> to_json(Hierarchy.from_nested({"*": {"Europe": ["Italy", "Spain"]}}))
    {'label': '*', 'children': [{'label': 'Europe', 'children': ['Italy', 'Spain']}]}
    """
    values: list[Json] = [None] * len(hierarchy)
    for node in range(len(hierarchy) - 1, -1, -1):
        children = [values[child] for child in hierarchy.children(node)]
        interval = hierarchy.intervals.get(node)
        values[node] = _node(hierarchy.labels[node], children, interval)
    return values[0] if isinstance(values[0], dict) else {"label": values[0]}


def from_json(value: Json) -> Hierarchy:
    """Make the hierarchy from a JSON value; nested objects `{"*": {"Europe": ["Italy"]}}` are understood too.

    Raises BadHierarchy when it is no tree.
    """
    if isinstance(value, dict) and "label" not in value:
        return Hierarchy.from_nested(value)
    labels: list[str] = []
    depths: list[int] = []
    intervals: dict[int, Interval] = {}
    waiting: list[tuple[Json, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        label, children, interval = _parts(item)
        if interval is not None:
            intervals[len(labels)] = _interval(interval, label)
        labels.append(label)
        depths.append(depth)
        waiting.extend((child, depth + 1) for child in reversed(children))
    tree = Hierarchy.from_depths(labels, depths)
    return Hierarchy(tree.labels, tree.parents, intervals)


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
        return text.lstrip().startswith("{") and text.rstrip().endswith("}")

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with the line or the reason."""
        try:
            return from_json(json.loads(text))
        except json.JSONDecodeError as error:
            raise refusal(name, error.lineno, f"this is no JSON: {error.msg}.") from None
        except RecursionError:
            raise BadHierarchy(f"{name} is nested too deeply.") from None

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write indented JSON."""
        return json.dumps(to_json(hierarchy), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _node(label: str, children: list[Json], interval: Interval | None) -> Json:
    if not children and interval is None:
        return label
    node: dict[str, Json] = {"label": label}
    if interval is not None:
        node["interval"] = _plain(interval)
    if children:
        node["children"] = children
    return node


def _parts(item: Json) -> tuple[str, list[Json], Json]:
    if isinstance(item, str):
        item = {"label": item}
    if not isinstance(item, dict) or not isinstance(item.get("label"), str) or not clean(item["label"]):
        raise BadHierarchy("A node of the hierarchy has no label.", _HINT)
    children = item.get("children", [])
    if not isinstance(children, list):
        raise BadHierarchy(f"The children of “{item['label']}” are no list.", _HINT)
    return clean(item["label"]), children, item.get("interval")


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
    raise BadHierarchy(f"The interval of “{label}” is not two numbers.", "Give `low` and `high`; null is endless.")


def _bound(value: Json, endless: float) -> float | None:
    if value is None:
        return endless
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_number else None
