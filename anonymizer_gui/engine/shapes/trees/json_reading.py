"""Reads JSON one record after the other: a list, lines, one object, or one object that holds the list."""

import codecs
import json
import re
from collections.abc import Iterator
from json.decoder import JSONDecodeError, JSONDecoder
from typing import IO, Any

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.shapes.trees.form import JSON, LINES, Form
from anonymizer_gui.engine.shapes.trees.limits import DEEPEST, LARGEST_RECORD, too_deep, too_large
from anonymizer_gui.engine.shapes.trees.vertex import ARRAY, OBJECT, VALUE, Number, Vertex

_CHUNK = 1 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\n( *)[\[{\"]")


class _Twice(ValueError):
    """An object has an entry twice."""


class JsonRecords:
    """Walks the records of an open file; `form` is complete once all were walked."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name
        head = file.read(_CHUNK)
        self.encoding = "utf-8-sig" if head.startswith(b"\xef\xbb\xbf") else json.detect_encoding(head[:64])
        self._decoder = codecs.getincrementaldecoder(self.encoding)()
        self._json = JSONDecoder(
            object_pairs_hook=_pairs, parse_int=Number, parse_float=Number, parse_constant=_no_number
        )
        self._text, self._at, self._ended = self._decoded(head, last=not head), 0, not head
        found = _INDENT.search(self._text)
        self._indent = len(found[1]) if found else None
        self.form = Form(JSON, self.encoding, self._indent)

    def __iter__(self) -> Iterator[Vertex]:
        """Give every record; raises UnreadableFile."""
        try:
            yield from self._list() if self._next() == "[" else self._values()
        except _Twice:
            raise self._broken("an object has the same entry twice") from None
        except RecursionError:
            raise too_deep(self._name) from None
        except (JSONDecodeError, UnicodeDecodeError, ValueError):
            raise self._broken("it is not JSON") from None

    def _list(self) -> Iterator[Vertex]:
        self._at += 1
        if self._next() != "]":
            while True:
                yield vertex_of(self._value(), self._name)
                mark = self._next()
                self._at += 1
                if mark == "]":
                    break
                if mark != ",":
                    raise ValueError
        else:
            self._at += 1
        if self._next():
            raise ValueError

    def _values(self) -> Iterator[Vertex]:
        """Give values one after the other; a single object may hold the list in its only entry."""
        first = self._value() if self._next() else None
        if not self._next():
            yield from self._alone(first) if first is not None else ()
            return
        self.form = Form(LINES, self.encoding)
        yield vertex_of(first, self._name)
        while self._next():
            yield vertex_of(self._value(), self._name)

    def _alone(self, value: Any) -> Iterator[Vertex]:
        if isinstance(value, dict) and len(value) == 1:
            entry, inner = next(iter(value.items()))
            if isinstance(inner, list) and inner and all(isinstance(each, dict) for each in inner):
                self.form = Form(JSON, self.encoding, self._indent, entry=entry)
                yield from (vertex_of(each, self._name) for each in inner)
                return
        self.form = Form(LINES if self._indent is None else JSON, self.encoding, self._indent)
        yield vertex_of(value, self._name)

    def _value(self) -> Any:
        """Read one value; the file is read on until it is whole, twice as much each time."""
        more = _CHUNK
        self._next()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
                if end < len(self._text) or self._ended:
                    self._at = end
                    return value
            except JSONDecodeError:
                if self._ended:
                    raise
            if len(self._text) - self._at > LARGEST_RECORD:
                raise too_large(self._name)
            self._more(more)
            more *= 2

    def _next(self) -> str:
        """Skip white space and give the next character; nothing at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._more(_CHUNK)

    def _more(self, size: int) -> None:
        block = self._file.read(size)
        self._text = self._text[self._at :] + self._decoded(block, last=not block)
        self._at, self._ended = 0, not block

    def _decoded(self, block: bytes, *, last: bool) -> str:
        try:
            return self._decoder.decode(block, last)
        except UnicodeDecodeError:
            raise self._broken("it is not JSON") from None

    def _broken(self, why: str) -> UnreadableFile:
        return broken(self._name, why)


def broken(name: str, why: str) -> UnreadableFile:
    """Say why a file is not read."""
    return UnreadableFile(
        message("“{name}” cannot be read as trees: {why}.", name=name, why=message(why)),
        "Repair the file, or choose another.",
    )


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise _Twice
    return entries


def _no_number(name: str) -> Any:
    raise ValueError(name)


def vertex_of(value: Any, name: str, depth: int = 0) -> Vertex:
    """Make the vertex of a JSON value; raises UnreadableFile when it is nested too deeply."""
    if depth > DEEPEST:
        raise too_deep(name)
    if isinstance(value, dict):
        return Vertex([(key, _part(inner, name, depth)) for key, inner in value.items()], OBJECT)
    if isinstance(value, list):
        return Vertex([("", _part(value, name, depth))], ARRAY)
    return Vertex([("", value)], VALUE)


def _part(value: Any, name: str, depth: int) -> Any:
    if isinstance(value, dict):
        return vertex_of(value, name, depth + 1)
    if isinstance(value, list):
        return [vertex_of(each, name, depth + 1) for each in value]
    return value


def plain(vertex: Vertex) -> Any:
    """Give a vertex as a JSON value again."""
    if vertex.form == OBJECT:
        return {key: _plain_part(part) for key, part in vertex.parts}
    return _plain_part(vertex.parts[0][1]) if vertex.parts else None


def _plain_part(part: Any) -> Any:
    if isinstance(part, Vertex):
        return plain(part)
    return [plain(each) for each in part] if isinstance(part, list) else part
