"""How much of a file is taken: deeper, longer and larger ones are refused in one sentence."""

import json
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import MISSING, Column

DEEPEST = 60
"""Levels below a record."""

LARGEST_RECORD = 64 << 20
"""Characters of one record."""

MOST_VERTICES = 20_000_000

LARGEST_BYTES = 4 << 30


def too_deep(name: str) -> UnreadableFile:
    """Say that a record is nested too deeply."""
    return UnreadableFile(
        message("“{name}” is nested more than {most} levels deep.", name=name, most=DEEPEST),
        "Flatten the records, or leave out what is so deep.",
    )


def too_large(name: str) -> UnreadableFile:
    """Say that there is too much."""
    return UnreadableFile(
        message("“{name}” has a record or a number of records larger than can be held.", name=name),
        "Choose a part of it.",
    )


OBJECT, VALUE, ARRAY = "object", "value", "array"
"""What a vertex was: an object or element, a bare value in a list, a list in a list."""

TEXT, TAIL = "#text", "#tail"
"""The labels of an XML element for the text inside and after it."""


class Number(str):
    """A number as it is spelt in JSON: nothing is rounded, however many digits it has."""

    __slots__ = ()


Scalar: TypeAlias = str | bool | None

Part: TypeAlias = "tuple[str, Scalar | Vertex | list[Vertex]]"


@dataclass(slots=True)
class Vertex:
    """An object or element: parts are labels (a scalar), one child (a vertex) or a list of children, in order."""

    parts: list[Part]
    form: str = OBJECT
    tag: str = ""
    """The name of an XML element that is a record."""


def text_of(value: Scalar) -> str:
    """Give a scalar as the text it is compared by: null and nothing are missing, spaces around and forms are one.

    >>> text_of(Number("1.50")), text_of(True), text_of(None), text_of(" a ")
    ('1.50', 'true', '(missing)', 'a')
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).strip()
    return (text if text.isascii() else unicodedata.normalize("NFC", text)) or MISSING


def type_of(value: Scalar) -> str:
    """Name the type of a scalar in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, Number) else "text"


JSON, LINES, XML = "json", "lines", "xml"

FORMATS = {JSON: "JSON", LINES: "JSON lines", XML: "XML"}

SUFFIXES = {".json": JSON, ".jsonl": LINES, ".ndjson": LINES, ".xml": XML}


@dataclass(frozen=True, slots=True)
class FileForm:
    """The format with all that is around the records: list, one entry or root element, encoding, indentation."""

    format: str = JSON
    encoding: str = "utf-8"
    indent: int | None = None
    """Spaces per level; nothing where each record, or the whole, stands on one line."""
    entry: str = ""
    """The one entry of a JSON object that holds the list of records."""
    root: str = ""
    """The tag of the XML element around the records; nothing where every file held one record."""
    attributes: tuple[tuple[str, str], ...] = ()
    """The attributes of that element."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """The prefix of every namespace of XML, by its address."""

    @property
    def is_xml(self) -> bool:
        """Whether the file is XML."""
        return self.format == XML


Ints = npt.NDArray[np.int64]

ROOT = -1

_OFTEN = 2000

_SPECIAL = frozenset('.[]"')


@dataclass(frozen=True, slots=True)
class Branch:
    """The vertices of one path and form; `parent` is the branch above, `rank` the place among the parts of that."""

    path: str
    name: str
    form: str
    parent: int
    is_list: bool
    rank: int
    vertices: int
    holders: int
    """How many vertices of the branch above have one."""
    most: int
    """The most that one of them has."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """The labels of one path: which vertices hold one, the texts, and the first scalar that was written so."""

    path: str
    name: str
    branch: int
    rank: int
    holders: Ints
    column: Column
    scalars: Mapping[str, Scalar]
    types: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Trees:
    """Records with their vertices in preorder; equal paths share a branch, and every label path is a column."""

    records: tuple[Vertex, ...]
    form: FileForm
    vertices: tuple[Vertex, ...]
    record_of: Ints
    parent_of: Ints
    branch_of: Ints
    branches: tuple[Branch, ...]
    leaves: tuple[Leaf, ...]

    @classmethod
    def of(cls, records: Sequence[Vertex], form: FileForm, progress: Progress = SILENT) -> "Trees":
        """Number the vertices of records and learn their paths."""
        walk = _Walk(form)
        for number, record in enumerate(records):
            if number % _OFTEN == 0:
                progress(0.8 * number / max(len(records), 1), "Learning the paths")
            walk.record(record, number)
        progress(0.85, "Learning the paths")
        return walk.made(tuple(records))

    def __len__(self) -> int:
        """The number of records."""
        return len(self.records)

    @property
    def n_rows(self) -> int:
        """The number of records, as tables call it."""
        return len(self.records)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The paths of the labels, as tables call their columns."""
        return tuple(leaf.path for leaf in self.leaves)

    @cached_property
    def leaf_of(self) -> dict[str, Leaf]:
        """The labels of each path."""
        return {leaf.path: leaf for leaf in self.leaves}

    def whole(self, name: str) -> Column:
        """Give a column with all rows there are, which are here."""
        return self.column(name)

    def column(self, name: str) -> Column:
        """Give all labels of a path as one column; raises BadParameter for a path there is none of."""
        if name not in self.leaf_of:
            raise BadParameter(
                message("The table has no column “{name}”.", name=name), message("It has: {known}.", known=self.names)
            )
        return self.leaf_of[name].column

    @cached_property
    def spine(self) -> frozenset[int]:
        """The branches that stand for a record: the roots, or the one object in which all there is hangs."""
        roots = [at for at, each in enumerate(self.branches) if each.parent == ROOT]
        with_labels = {leaf.branch for leaf in self.leaves}
        while len(roots) == 1 and roots[0] not in with_labels:
            below = [at for at, each in enumerate(self.branches) if each.parent == roots[0]]
            inner = self.branches[below[0]] if len(below) == 1 else None
            if inner is None or inner.is_list or inner.most != 1 or inner.vertices != self.branches[roots[0]].vertices:
                break
            roots = below
        return frozenset(roots)

    @cached_property
    def above_spine(self) -> frozenset[int]:
        """The branches around the record, which hold nothing of it."""
        found, branch = set[int](), self.branches[next(iter(self.spine))].parent if self.spine else ROOT
        while branch != ROOT:
            found.add(branch)
            branch = self.branches[branch].parent
        return frozenset(found)

    def below(self, branch: int) -> list[int]:
        """List the branches that hang on one, itself first."""
        found = {branch}
        for at, each in enumerate(self.branches):
            if each.parent in found:
                found.add(at)
        return sorted(found)


@dataclass(slots=True)
class _Found:
    name: str
    path: str
    form: str
    parent: int
    is_list: bool
    rank: int
    parts: dict[str, int] = field(default_factory=dict)
    vertices: int = 0
    per_parent: Counter[int] = field(default_factory=Counter)


@dataclass(slots=True)
class _Labels:
    name: str
    path: str
    branch: int
    rank: int
    holders: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    scalars: dict[str, Scalar] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)


class _Walk:
    """Walks records in preorder and collects vertices, branches and labels."""

    def __init__(self, form: FileForm) -> None:
        self._is_xml = form.is_xml
        self._form = form
        self._vertices: list[Vertex] = []
        self._record: list[int] = []
        self._parent: list[int] = []
        self._branch: list[int] = []
        self._branches: dict[tuple[int, str, str, bool], int] = {}
        self._found: list[_Found] = []
        self._labels: dict[tuple[int, str], _Labels] = {}

    def record(self, record: Vertex, number: int) -> None:
        """Walk one record."""
        self._add(record, number, ROOT, self._branch_of(ROOT, record.tag, record.form, is_list=False))

    def _add(self, vertex: Vertex, record: int, parent: int, branch: int) -> None:
        at, found = len(self._vertices), self._found[branch]
        self._vertices.append(vertex)
        self._record.append(record)
        self._parent.append(parent)
        self._branch.append(branch)
        found.vertices += 1
        found.per_parent[parent if parent >= 0 else -1 - record] += 1
        for name, part in vertex.parts:
            if isinstance(part, Vertex):
                self._add(part, record, at, self._branch_of(branch, name, part.form, is_list=False))
            elif isinstance(part, list):
                for each in part:
                    self._add(each, record, at, self._branch_of(branch, name, each.form, is_list=True))
            else:
                self._label(at, branch, name, part)

    def _label(self, vertex: int, branch: int, name: str, value: Scalar) -> None:
        labels = self._labels.get((branch, name))
        if labels is None:
            found = self._found[branch]
            rank = found.parts.setdefault(name, len(found.parts))
            labels = self._labels[branch, name] = _Labels(name, self._path(found, name), branch, rank)
        text = text_of(value)
        labels.holders.append(vertex)
        labels.texts.append(text)
        labels.scalars.setdefault(text, value)
        labels.types[type_of(value)] += 1

    def _branch_of(self, parent: int, name: str, form: str, *, is_list: bool) -> int:
        key = (parent, name, form, is_list)
        known = self._branches.get(key)
        if known is None:
            above = self._found[parent] if parent != ROOT else None
            rank = above.parts.setdefault(name, len(above.parts)) if above else len(self._found)
            path = name if above is None else self._path(above, name, is_child=True) + ("[]" if is_list else "")
            known = self._branches[key] = len(self._found)
            self._found.append(_Found(name, path, form, parent, is_list, rank))
        return known

    def _path(self, above: _Found, name: str, *, is_child: bool = False) -> str:
        """Write the path of a part below a branch: `courses[].year` in JSON, `student/course/@year` in XML."""
        if self._is_xml:
            return f"{above.path}/{ {TEXT: 'text()', TAIL: 'tail()'}.get(name, name) }"
        if above.form != "object" and not is_child:
            return above.path or "$"
        if above.form == "array":
            return above.path
        step = f"[{json.dumps(name)}]" if not name or not _SPECIAL.isdisjoint(name) else name
        return f"{above.path}.{step}" if above.path else step

    def made(self, records: tuple[Vertex, ...]) -> Trees:
        """Give what was collected."""
        branches = tuple(
            Branch(
                each.path, each.name, each.form, each.parent, each.is_list, each.rank, each.vertices,
                len(each.per_parent), max(each.per_parent.values(), default=0),
            )
            for each in self._found
        )  # fmt: skip
        leaves = tuple(self._leaf(each) for each in self._labels.values())
        record, parent, branch = (
            np.array(each, dtype=np.int64) for each in (self._record, self._parent, self._branch)
        )  # fmt: skip
        return Trees(records, self._form, tuple(self._vertices), record, parent, branch, branches, leaves)

    @staticmethod
    def _leaf(found: _Labels) -> Leaf:
        column = Column.from_texts(found.path, found.texts)
        holders = np.array(found.holders, dtype=np.int64)
        return Leaf(found.path, found.name, found.branch, found.rank, holders, column, found.scalars, dict(found.types))
