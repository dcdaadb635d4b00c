"""Reads the bytes of released trees by itself: json of Python, or XML with entities off; what they mean is told."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

_DEEPEST = 100


class _Spelt(str):
    """A number as it stands in the file."""

    __slots__ = ()


@dataclass(slots=True)
class Node:
    """A vertex of a released record: its path, its labels by path, and the vertices below it."""

    path: str
    labels: list[tuple[str, str]]
    below: "list[Node]" = field(default_factory=list)
    apart: "list[Node]" = field(default_factory=list)
    """What hangs on the record itself and was taken from elsewhere."""


def read_again(content: bytes, told: Mapping[str, Any]) -> list[Node]:
    """Read all records; `told` says the format, the entry or root around them, and the paths of all labels.

    Raises ValueError for what is not such a file.
    """
    names = frozenset(told["labels"])
    if told["format"] == "xml":
        return [_element(each, each.tag, names, told) for each in _root(content, told)]
    found = [_vertex(each, "", names, told["detached"], 0) for each in _values(content, told)]
    if any(node is None for node in found):
        raise ValueError
    return [node for node in found if node is not None]


def _values(content: bytes, told: Mapping[str, Any]) -> Iterator[Any]:
    text = content.decode(told["encoding"])
    if told["format"] == "lines":
        yield from (_loads(line) for line in text.split("\n") if line)
        return
    whole = _loads(text)
    if told["entry"]:
        if not isinstance(whole, dict) or list(whole) != [told["entry"]]:
            raise ValueError
        whole = whole[told["entry"]]
    if not isinstance(whole, list):
        raise ValueError
    yield from whole


def _loads(text: str) -> Any:
    return json.loads(text, parse_int=_Spelt, parse_float=_Spelt, parse_constant=_refuse, object_pairs_hook=_distinct)


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


def _told(value: Any) -> str:
    """Give a scalar as a text that tells its type, too: whoever reads the file sees both."""
    if isinstance(value, _Spelt):
        return f"number {value}"
    return f"text {value}" if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=1 << 16)
def _step(path: str, name: str) -> str:
    quoted = not name or any(mark in name for mark in '.[]"')
    step = f"[{json.dumps(name)}]" if quoted else name
    return f"{path}.{step}" if path else step


def _vertex(value: Any, path: str, names: frozenset[str], detached: str, depth: int) -> Node:
    if depth > _DEEPEST:
        raise ValueError
    node = Node(path, [])
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == detached and detached:
                node.apart += [_one_apart(each, names, detached, depth) for each in inner]
            else:
                _take(node, inner, _step(path, name), names, detached, depth)
    elif isinstance(value, list):
        _take(node, value, path, names, detached, depth)
    else:
        _label(node, path or "$", value, names)
    return node


def _take(node: Node, inner: Any, path: str, names: frozenset[str], detached: str, depth: int) -> None:
    if isinstance(inner, list):
        node.below += [_vertex(each, f"{path}[]", names, detached, depth + 1) for each in inner]
    elif isinstance(inner, dict):
        node.below.append(_vertex(inner, path, names, detached, depth + 1))
    else:
        _label(node, path, inner, names)


def _label(node: Node, path: str, value: Any, names: frozenset[str]) -> None:
    """Take a label; one that nobody told of would never have been looked at."""
    if path not in names:
        raise ValueError
    node.labels.append((path, _told(value)))


def _one_apart(entry: Any, names: frozenset[str], detached: str, depth: int) -> Node:
    """Take a vertex that stands under its old path."""
    ((path, inner),) = entry.items()
    value = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner
    return _vertex(value, path, names, detached, depth + 1)


def _root(content: bytes, told: Mapping[str, Any]) -> Any:
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, LookupError):
        raise ValueError from None
    _shorten(root, told["prefixes"])
    if root.tag != told["entry"] or dict(root.attrib) != told["attributes"]:
        raise ValueError
    return root


def _shorten(root: Any, prefixes: Mapping[str, str]) -> None:
    """Write names with their prefixes, as the paths are written; a comment or instruction has none."""
    for found in root.iter():
        found.tag = _short(found.tag, prefixes)
        for name in list(found.attrib):
            found.attrib[_short(name, prefixes)] = found.attrib.pop(name)


def _short(name: Any, prefixes: Mapping[str, str]) -> str:
    if not isinstance(name, str):
        raise ValueError
    address, _, local = name[1:].partition("}") if name.startswith("{") else ("", "", name)
    prefix = prefixes.get(address, "") if address else ""
    return f"{prefix}:{local}" if prefix else local


def _element(found: Any, path: str, names: frozenset[str], told: Mapping[str, Any], depth: int = 0) -> Node:
    if depth > _DEEPEST:
        raise ValueError
    node = Node(path, [])
    for name, value in found.attrib.items():
        _label(node, f"{path}/@{name}", value, names)
    if found.text and found.text.strip():
        _label(node, f"{path}/text()", found.text, names)
    for child in found:
        inner = f"{path}/{child.tag}"
        if child.tag == told["detached"] and told["detached"]:
            node.apart.append(_element(child[0], child.attrib["path"], names, told, depth + 1))
        elif inner in names and not len(child) and not child.attrib:
            _label(node, inner, child.text or "", names)
        else:
            node.below.append(_element(child, inner, names, told, depth + 1))
        if child.tail and child.tail.strip():
            _label(node.below[-1], f"{inner}/tail()", child.tail, names)
    return node
