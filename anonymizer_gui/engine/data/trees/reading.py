"""JSON, JSON lines, XML, folders; limits."""

import codecs
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from json.decoder import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import IO, Any

from anonymizer_gui.engine.core.errors import MissingExtra, UnreadableFile
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.trees.trees import (
    ARRAY,
    DEEPEST,
    JSON,
    LARGEST_BYTES,
    LARGEST_RECORD,
    LINES,
    MOST_VERTICES,
    OBJECT,
    SUFFIXES,
    TAIL,
    TEXT,
    VALUE,
    XML,
    FileForm,
    Number,
    Part,
    Trees,
    Vertex,
    too_deep,
    too_large,
)
from anonymizer_gui.engine.storage.safe_open import open_regular
from anonymizer_gui.engine.storage.sources import FOLDER, Source, checksum

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
        self.form = FileForm(JSON, self.encoding, self._indent)

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
                yield vertex_from_json(self._value(), self._name)
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
        self.form = FileForm(LINES, self.encoding)
        yield vertex_from_json(first, self._name)
        while self._next():
            yield vertex_from_json(self._value(), self._name)

    def _alone(self, value: Any) -> Iterator[Vertex]:
        if isinstance(value, dict) and len(value) == 1:
            entry, inner = next(iter(value.items()))
            if isinstance(inner, list) and inner and all(isinstance(each, dict) for each in inner):
                self.form = FileForm(JSON, self.encoding, self._indent, entry=entry)
                yield from (vertex_from_json(each, self._name) for each in inner)
                return
        self.form = FileForm(LINES if self._indent is None else JSON, self.encoding, self._indent)
        yield vertex_from_json(value, self._name)

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
        return bad_json(self._name, why)


def bad_json(name: str, why: str) -> UnreadableFile:
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


def vertex_from_json(value: Any, name: str, depth: int = 0) -> Vertex:
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
        return vertex_from_json(value, name, depth + 1)
    if isinstance(value, list):
        return [vertex_from_json(each, name, depth + 1) for each in value]
    return value


def vertex_to_json(vertex: Vertex) -> Any:
    """Give a vertex as a JSON value again."""
    if vertex.form == OBJECT:
        return {key: _plain_part(part) for key, part in vertex.parts}
    return _plain_part(vertex.parts[0][1]) if vertex.parts else None


def _plain_part(part: Any) -> Any:
    if isinstance(part, Vertex):
        return vertex_to_json(part)
    return [vertex_to_json(each) for each in part] if isinstance(part, list) else part


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
        self.form = FileForm(XML)

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
            raise bad_json(self._name, "it is not XML") from None

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
                    yield vertex_from_element(found, names, is_record=True)
                    found.clear()
                    if found is not root:
                        root.remove(found)
        self._finish(root, names)

    def _finish(self, root: Any, names: "_Names") -> None:
        attributes = () if self._is_record else tuple((names.short(key), value) for key, value in root.attrib.items())
        self.form = FileForm(
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


def vertex_from_element(found: Any, names: _Names, *, is_record: bool = False) -> Vertex:
    """Make the vertex of an element: attributes, text and children are parts; white space between tags is none."""
    parts: list[Part] = [(f"@{names.short(key)}", value) for key, value in found.attrib.items()]
    if found.text and found.text.strip():
        parts.append((TEXT, found.text))
    parts += [(names.short(child.tag), vertex_from_element(child, names)) for child in found]
    if not is_record and found.tail and found.tail.strip():
        parts.append((TAIL, found.tail))
    return Vertex(parts, tag=names.short(found.tag) if is_record else "")


def fold_text_elements(records: list[Vertex]) -> list[Vertex]:
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


_OFTEN = 500

_MOST_FILES = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class ReadTrees:
    """Trees as they were read, the source with its checksum, and what the user should look at."""

    trees: Trees
    source: Source
    notes: tuple[Message, ...] = ()


def likelihood(path: Path, head: bytes) -> float:
    """Say how likely a file holds trees: JSON with objects inside, or XML that is no graph; or a folder of such."""
    if path.is_dir():
        return 0.95 if files_in(path) else 0.0
    kind = SUFFIXES.get(path.suffix.lower())
    begin = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2048]
    if kind is None or not begin:
        return 0.0
    if kind == "xml" or begin.startswith(b"<?xml"):
        return 0.0 if b"<graphml" in begin else 0.9
    return 0.8 if begin.startswith((b"{", b"[")) and b"{" in begin else 0.0


def files_in(folder: Path, suffix: str = "") -> list[Path]:
    """List the files of a folder that may each hold a record: those with an ending, or the first."""
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix.lower() in SUFFIXES and each.is_file())
    except OSError:
        return []
    return [each for each in files if each.suffix.lower() == (suffix or files[0].suffix.lower())]


def files_beside(path: Path) -> list[Path]:
    """List a file that holds one object and the others of its folder that may, too; nothing where it holds more."""
    with open_regular(path) as file:
        begin = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    is_one = path.suffix.lower() == ".xml" or (path.suffix.lower() == ".json" and begin.startswith(b"{"))
    return files_in(path.parent, path.suffix.lower()) if is_one else []


def read_trees(source: Source, progress: Progress = SILENT, *, alone: bool = False) -> ReadTrees:
    """Read a file, or with the option `folder` all files beside it; raises UnreadableFile.

    With `alone` the paths of a record depend on that record alone: XML names lose their namespaces, and elements that
    hold only text are vertices, even where none repeats. Whoever hides records needs that.
    """
    path = Path(source.path)
    progress(0.0, "Reading the records")
    if source.options.get(FOLDER) or path.is_dir():
        return _folder(path, progress, alone=alone)
    records, form, comments = _one(path, progress.sub(0.0, 0.6), alone=alone)
    digest = checksum(path, progress.sub(0.6, 0.7))
    options: dict[str, Json] = dict(source.options)
    trees = _made(records, form, path.name, progress.sub(0.7, 1.0), alone=alone)
    return ReadTrees(trees, Source(str(path), digest, options), _notes(comments))


def _one(
    path: Path, progress: Progress, *, is_record: bool = False, alone: bool = False
) -> tuple[list[Vertex], FileForm, int]:
    if path.exists() and path.is_file() and path.stat().st_size > LARGEST_BYTES:
        raise too_large(path.name)
    with open_regular(path) as file:
        if _is_xml(path):
            found = XmlRecords(file, path.name, is_record=is_record, local=alone)
            records = _walked(found, progress)
            return records, found.form, found.comments
        walked = JsonRecords(file, path.name)
        return _walked(walked, progress), walked.form, 0


def _is_xml(path: Path) -> bool:
    if path.suffix.lower() in SUFFIXES:
        return SUFFIXES[path.suffix.lower()] == "xml"
    with open_regular(path) as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _walked(records: Iterable[Vertex], progress: Progress) -> list[Vertex]:
    found = []
    for at, record in enumerate(records):
        if at % _OFTEN == 0:
            progress(1 - 1 / (1 + at / 10_000), "Reading the records")
        found.append(record)
    return found


def _folder(path: Path, progress: Progress, *, alone: bool) -> ReadTrees:
    """Read every file of the folder with the same ending; the names of the files are not kept."""
    folder = path if path.is_dir() else path.parent
    files = files_in(folder, "" if path.is_dir() else path.suffix.lower())
    if not files or len(files) > _MOST_FILES:
        raise UnreadableFile(
            message("“{name}” holds no files of records.", name=folder.name), "Choose a folder of JSON or XML files."
        )
    records, forms, comments, digest = list[Vertex](), list[FileForm](), 0, hashlib.sha256()
    for at, file in enumerate(files):
        progress(0.7 * at / len(files), "Reading the records")
        found, form, more = _one(file, Progress(is_cancelled=progress.is_cancelled), is_record=True, alone=alone)
        records += found
        forms.append(form)
        comments += more
        digest.update(file.name.encode("utf-8", "surrogatepass") + checksum(file).encode())
    form = _together(forms)
    trees = _made(records, form, folder.name, progress.sub(0.7, 1.0), alone=alone)
    told = Source(str(files[0]), digest.hexdigest(), {FOLDER: True})
    note = message("{files:file was|files were} read; they leave as one file, for a name of a file may name a person.",
               files=len(files))  # fmt: skip
    return ReadTrees(trees, told, (note, *_notes(comments)))


def _together(forms: list[FileForm]) -> FileForm:
    """Give the form of one file for the records of many: a list, or a root around them."""
    first = forms[0]
    if not first.is_xml:
        return replace(first, entry="", format="json" if first.format != LINES else LINES)
    prefixes = {address: prefix for form in reversed(forms) for address, prefix in form.prefixes.items()}
    return replace(first, root="records", prefixes=prefixes)


def _made(records: list[Vertex], form: FileForm, name: str, progress: Progress, *, alone: bool) -> Trees:
    if not records:
        raise UnreadableFile(message("“{name}” holds no records.", name=name), "Choose a file with some.")
    trees = Trees.of(fold_text_elements(records) if form.is_xml and not alone else records, form, progress)
    if len(trees.vertices) > MOST_VERTICES:
        raise too_large(name)
    return trees


def _notes(comments: int) -> tuple[Message, ...]:
    if not comments:
        return ()
    return (message("{comments:comment was|comments were} left out: nobody checks what stands in them.",
                comments=comments),)  # fmt: skip
