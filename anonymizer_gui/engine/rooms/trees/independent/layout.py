"""How a released file is read, as far as the file shows it: what is around the records, paths, what was taken apart."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anonymizer_gui.engine.rooms.trees.independent.recount import ReleasedVertex

_XML = {"http://www.w3.org/XML/1998/namespace": "xml"}
_DETACHED = re.compile(r"detached(_\d+)?")
_DECLARED = re.compile(rb"""<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)["']""")


def shown_layout(content: bytes, told: Mapping[str, Any], records: Sequence[ReleasedVertex]) -> dict[str, Any]:
    """Give what is told of a file as it must be told; parts of lists by their places, those the file shows.

    Raises ValueError where the records are not as they are told to be.
    """
    if told["format"] not in ("json", "lines", "xml"):
        raise ValueError
    paths = {node.path for record in records for node in _nodes(record)}
    labels = {path for record in records for node in _nodes(record) for path, _ in node.labels}
    for record in records:
        _check_spine(record, told)
    ordered = [*told["known"], *told["sensitive"]]
    rest = [path for path in told["labels"] if path not in ordered]
    seen = {at: path for at, path in enumerate([*ordered, *rest]) if at < len(ordered) or path in labels}
    return {
        **_around(content, told),
        "format": told["format"],
        "labels": seen,
        "spine": _those_in(told["spine"], paths) if told["format"] == "xml" else _seen(told["spine"], paths),
        "around": _seen(told["around"], paths),
        "detached": _detached(told, records),
    }


def _those_in(names: Sequence[str], paths: set[str]) -> dict[int, str]:
    """Give the names that are seen, by their places: of records with several tags, all of one tag may be gone."""
    return {at: name for at, name in enumerate(names) if name in paths}


def _seen(names: Sequence[str], paths: set[str]) -> list[str]:
    return [name for name in names if name in paths]


def _nodes(node: ReleasedVertex) -> Iterator[ReleasedVertex]:
    yield node
    for each in (*node.below, *node.apart):
        yield from _nodes(each)


def _check_spine(record: ReleasedVertex, told: Mapping[str, Any]) -> None:
    """Raise ValueError unless bare vertices hang in each other down to the record itself, and none is below it."""
    node = record
    while node.path in told["around"]:
        if node.labels or node.apart or len(node.below) != 1 or node.path not in told["spine"]:
            raise ValueError
        node = node.below[0]
    below = {each.path for each in _nodes(node) if each is not node}
    if node.path not in told["spine"] or below & {*told["spine"], *told["around"]}:
        raise ValueError


def _detached(told: Mapping[str, Any], records: Sequence[ReleasedVertex]) -> str:
    """Give the name of what holds parts that were taken from elsewhere; raises ValueError for one of the source."""
    if not any(node.apart for record in records for node in _nodes(record)):
        return ""
    if not _DETACHED.fullmatch(told["detached"]):
        raise ValueError
    return str(told["detached"])


def _around(content: bytes, told: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the file declares: its encoding, and names with their prefixes."""
    if told["format"] != "xml":
        entry = told["entry"] if told["format"] == "json" else ""
        return {"encoding": told["encoding"], "entry": entry, "attributes": {}, "prefixes": {}}
    declared = _DECLARED.match(content.removeprefix(b"\xef\xbb\xbf"))
    encoding = declared[1].decode("ascii").lower() if declared else told["encoding"]
    return {
        "encoding": encoding, "entry": told["entry"], "attributes": told["attributes"], "prefixes": _prefixes(content),
    }  # fmt: skip


def _prefixes(content: bytes) -> dict[str, str]:
    """Give the prefix of every namespace, by its address."""
    from defusedxml.ElementTree import iterparse

    found = dict(_XML)
    for _event, (prefix, address) in iterparse(io.BytesIO(content), events=("start-ns",), forbid_dtd=True):
        found.setdefault(address, prefix)
    return found
