"""JSON in one reading only, indented text, digests of long lists."""

import json
from collections.abc import Sequence
from json.encoder import encode_basestring as _quoted
from typing import Protocol

from anonymizer_gui.engine.core.params import Json


def parse_strict(content: bytes | str) -> Json:
    """Read a JSON text; raises ValueError also where an object has an entry twice, of which readers choose one.

    >>> parse_strict('{"k": 5}')
    {'k': 5}
    """
    return json.loads(content, object_pairs_hook=_distinct, parse_constant=_refuse)


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError
    return entries


def _refuse(name: str) -> Json:
    raise ValueError(name)


_AT_ONCE = 10_000
"""So many labels are written in one go: other threads wait so long."""


def indented_json(value: Json) -> str:
    """Give the text that Python's own encoder gives with an indent of 1, in half the time.

    Raises ValueError for a number that JSON does not know, RecursionError when lists are nested too deeply.

    >>> print(indented_json({"label": "*", "children": ["a", "b"]}))
    {
     "label": "*",
     "children": [
      "a",
      "b"
     ]
    }
    """
    parts: list[str] = []
    _write(value, "\n", parts)
    return "".join(parts)


def _write(value: Json, line: str, parts: list[str]) -> None:
    """Add the text of a value; `line` begins a line as far in as the value stands."""
    inner = f"{line} "
    if isinstance(value, dict) and value:
        before = "{"
        for name, item in value.items():
            parts.append(f"{before}{inner}{_quoted(name)}: ")
            _write(item, inner, parts)
            before = ","
        parts.append(f"{line}}}")
    elif isinstance(value, list) and value:
        _write_items(value, inner, parts)
        parts.append(f"{line}]")
    elif isinstance(value, str):
        parts.append(_quoted(value))
    else:
        parts.append(json.dumps(value, allow_nan=False))


def _write_items(items: list[Json], line: str, parts: list[str]) -> None:
    before, between = "[", f",{line}"
    for start in range(0, len(items), _AT_ONCE):
        some = items[start : start + _AT_ONCE]
        if all(type(item) is str for item in some):
            parts.append(before + line + between.join(map(_quoted, some)))
            before = ","
            continue
        for item in some:
            parts.append(before + line)
            _write(item, line, parts)
            before = ","


_DIGESTS_AT_ONCE = 1 << 14


class Digest(Protocol):
    """What bytes are fed to."""

    def update(self, data: bytes, /) -> None:
        """Take further bytes."""


def hash_json_list(digest: Digest, items: Sequence[object]) -> None:
    """Feed a list as JSON; written at once, a million items would keep every other thread waiting.

    >>> import hashlib
    >>> pieces, whole = hashlib.sha256(), hashlib.sha256(b'[["a", 1], ["b", 2]]')
    >>> hash_json_list(pieces, [("a", 1), ("b", 2)])
    >>> pieces.digest() == whole.digest()
    True
    """
    digest.update(b"[")
    for at in range(0, len(items), _DIGESTS_AT_ONCE):
        piece = json.dumps(items[at : at + _DIGESTS_AT_ONCE])[1:-1]
        digest.update(f"{', ' if at else ''}{piece}".encode())
    digest.update(b"]")
