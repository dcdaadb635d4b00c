"""Reads XML record by record: no document types, no entities, nothing from the network; namespaces are kept."""

from collections.abc import Iterator
from typing import IO, Any

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.shapes.trees.form import XML, Form
from anonymizer_gui.engine.shapes.trees.json_reading import broken
from anonymizer_gui.engine.shapes.trees.limits import DEEPEST, too_deep
from anonymizer_gui.engine.shapes.trees.vertex import TAIL, TEXT, Part, Vertex

_DECLARED = 200


class _Watched:
    """A file that counts the comments in what is read of it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._end = file, b""
        self.comments = 0
        self.head = b""

    def read(self, size: int = -1) -> bytes:
        """Read on."""
        block = self._file.read(size)
        self.head = self.head or block[:_DECLARED]
        self.comments += (self._end + block).count(b"<!--") - self._end.count(b"<!--")
        self._end = block[-3:]
        return block


class XmlRecords:
    """Walks the elements below the root, or the root itself where `is_record`; `form` is complete afterwards.

    With `local` names stand without their namespace: what an element is called depends on nothing around it.
    """

    def __init__(self, file: IO[bytes], name: str, *, is_record: bool = False, local: bool = False) -> None:
        self._file, self._name, self._is_record, self._local = _Watched(file), name, is_record, local
        self.form = Form(XML)

    @property
    def comments(self) -> int:
        """How many comments were left out."""
        return self._file.comments

    def __iter__(self) -> Iterator[Vertex]:
        """Give every record with its tag; raises UnreadableFile."""
        try:
            from defusedxml.common import DefusedXmlException
            from defusedxml.ElementTree import ParseError, iterparse
        except ImportError:
            raise MissingExtra("XML needs the package defusedxml.", "trees") from None
        try:
            yield from self._walk(iterparse(self._file, events=("start", "end", "start-ns"), forbid_dtd=True))
        except DefusedXmlException:
            raise UnreadableFile(
                message("“{name}” declares a document type or entities, which are not read.", name=self._name),
                "Save it without them.",
            ) from None
        except (ParseError, ValueError, LookupError):
            raise broken(self._name, "it is not XML") from None

    def _walk(self, events: Any) -> Iterator[Vertex]:
        depth, names = 0, _Names(local=self._local)
        root: Any = None
        for event, found in events:
            if event == "start-ns":
                names.declare(*found)
            elif event == "start":
                depth += 1
                root = found if root is None else root
                if depth > DEEPEST + 2:
                    raise too_deep(self._name)
            else:
                depth -= 1
                if depth == (0 if self._is_record else 1):
                    yield element(found, names, is_record=True)
                    found.clear()
                    if found is not root:
                        root.remove(found)
        self._finish(root, names)

    def _finish(self, root: Any, names: "_Names") -> None:
        attributes = () if self._is_record else tuple((names.short(key), value) for key, value in root.attrib.items())
        self.form = Form(
            XML,
            _encoding(self._file.head),
            indent=1,
            root="" if self._is_record else names.short(root.tag),
            attributes=attributes,
            prefixes=names.prefixes,
        )


class _Names:
    """Writes {address}name as prefix:name with the prefixes of the file, or without any."""

    def __init__(self, *, local: bool = False) -> None:
        self._local = local
        self.prefixes: dict[str, str] = {"http://www.w3.org/XML/1998/namespace": "xml"}

    def declare(self, prefix: str, address: str) -> None:
        """Remember the first prefix of a namespace; one that stands for two gets another name."""
        if address not in self.prefixes:
            taken = set(self.prefixes.values())
            number = len(taken)
            self.prefixes[address] = prefix if prefix not in taken else f"ns{number}"

    def short(self, tag: str) -> str:
        """Give a name as it is written."""
        address, _, local = tag[1:].partition("}") if tag.startswith("{") else ("", "", tag)
        prefix = "" if self._local else self.prefixes.get(address, "")
        return f"{prefix}:{local}" if prefix else local


def _encoding(head: bytes) -> str:
    """Give the encoding the file declares; UTF-8 where it says none."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    declared = head.partition(b"?>")[0]
    for quote in (b'encoding="', b"encoding='"):
        _, found, rest = declared.partition(quote)
        if found:
            return rest.partition(quote[-1:])[0].decode("ascii", "replace").lower()
    return "utf-8"


def element(found: Any, names: _Names, *, is_record: bool = False) -> Vertex:
    """Make the vertex of an element: attributes, text and children are parts; white space between tags is none."""
    parts: list[Part] = [(f"@{names.short(key)}", value) for key, value in found.attrib.items()]
    if found.text and found.text.strip():
        parts.append((TEXT, found.text))
    parts += [(names.short(child.tag), element(child, names)) for child in found]
    if not is_record and found.tail and found.tail.strip():
        parts.append((TAIL, found.tail))
    return Vertex(parts, tag=names.short(found.tag) if is_record else "")


def folded(records: list[Vertex]) -> list[Vertex]:
    """Take elements that hold nothing but text, and stand once in their parent wherever they do, for labels."""
    refused: set[tuple[str, ...]] = set()
    for record in records:
        _refuse(record, (), refused)
    for record in records:
        _fold(record, (), refused)
    return records


def _refuse(vertex: Vertex, path: tuple[str, ...], refused: set[tuple[str, ...]]) -> None:
    seen = set[str]()
    for name, part in vertex.parts:
        if isinstance(part, Vertex):
            if name in seen or not _is_text(part):
                refused.add((*path, name))
            seen.add(name)
            _refuse(part, (*path, name), refused)


def _fold(vertex: Vertex, path: tuple[str, ...], refused: set[tuple[str, ...]]) -> None:
    for at, (name, part) in enumerate(vertex.parts):
        if isinstance(part, Vertex):
            if (*path, name) in refused:
                _fold(part, (*path, name), refused)
            else:
                text = part.parts[0][1] if part.parts else ""
                vertex.parts[at] = (name, text)


def _is_text(vertex: Vertex) -> bool:
    return not vertex.parts or [name for name, _ in vertex.parts] == [TEXT]
