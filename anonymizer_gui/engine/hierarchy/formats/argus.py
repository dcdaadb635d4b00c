"""ARGUS: code lists .hrc (R) and global recodes .grc.

Both ends of a range belong to it. `<MISSING>` names what μ-ARGUS writes into cells that miss a value after the recode,
and nothing about the values that are read. The code list has lines `code, label` for the groups.
"""

import csv
import io
import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PureWindowsPath
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import SUPPRESSED, Column, ColumnSchema
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, PathTree, bad_line
from anonymizer_gui.engine.hierarchy.formats.tab_tree import TabTree
from anonymizer_gui.engine.hierarchy.intervals import format_interval
from anonymizer_gui.engine.hierarchy.leaf_encoding import find_leaves
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval, normalise_label, unused_label

_LINE = re.compile(r"(@*);?\s*(.*)")


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class ArgusTree:
    """One code per line behind as many `@` as it is deep; a total that is not written is put above all."""

    name: ClassVar[str] = "argus-tree"
    title: ClassVar[str] = "Code list of ARGUS"
    summary: ClassVar[str] = "One code per line; leading @ give the depth, as ARGUS and sdcTable write it."
    suffixes: ClassVar[tuple[str, ...]] = (".hrc",)
    rank: ClassVar[int] = 15

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format: some codes are below others, and none looks like an address."""
        lines = [line for line in text.splitlines() if line.strip()]
        deep = [line for line in lines if line.startswith("@")]
        return bool(deep) and not any("@" in line.lstrip("@") for line in lines)

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> ArgusTree.read("north\\n@Kiel\\n@Bremen\\nsouth\\n@Ulm\\n", "town.hrc").labels
        ('*', 'north', 'Kiel', 'Bremen', 'south', 'Ulm')
        """
        found = [_LINE.fullmatch(line) for line in text.splitlines()]
        parts = [(len(each[1]), each[2].strip()) if each else (0, "") for each in found]
        top = min(depth for depth, label in parts if label)
        has_root = sum(depth == top and bool(label) for depth, label in parts) == 1
        below = 0 if has_root else 1
        lines = ["\t" * (depth - top + below) + label if label else "" for depth, label in parts]
        if not has_root:
            lines[0] = f"{SUPPRESSED}\n{lines[0]}"
        return TabTree.read("\n".join(lines), name)

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write one line per node; raises BadHierarchy when a label would be read otherwise."""
        for label in hierarchy.labels:
            if "@" in label or label.startswith(";"):
                raise BadHierarchy(message("The label {label!r} would be read as a depth.", label=label), "Write JSON.")
        lines = TabTree.write(hierarchy).splitlines()
        return "".join("@" * (len(line) - len(line.lstrip("\t"))) + line.lstrip("\t") + "\n" for line in lines)


RECODE_SUFFIX = ".grc"

_CODE = r'(?:"[^"]*"|[^\s"<>:;|,-][^\s":;|,-]*)'

_PIECE = rf"(?:-\s*{_CODE}|{_CODE}(?:\s*-(?:\s*{_CODE})?)?)"

_LINES_LINE = re.compile(rf"\s*({_CODE})\s*:\s*({_PIECE}(?:\s*,\s*{_PIECE})*)\s*,?\s*")

_ENDS = re.compile(rf"({_CODE})?\s*(-)?\s*({_CODE})?")

_SPLIT = re.compile(_PIECE)

_TAG = re.compile(r"\s*<(missing|codelist)>\s*(.*)", re.IGNORECASE)

_NUMBER = re.compile(r"\d+(?:\.\d+)?")

_FORM = "Write lines such as `2: 21-30`, `3: 11, 13` or `4: 61-`."


@dataclass(frozen=True, slots=True)
class RecodeRange:
    """A code or a range of codes, and the code of the group it goes to."""

    group: str
    label: str
    line: int
    interval: Interval | None = None


def is_recode(text: str, name: str) -> bool:
    """Say whether a text is a global recode, by the name of its file or by its lines `code: codes`."""
    lines = [line for line in text.splitlines() if line.strip()]
    if name.lower().endswith(RECODE_SUFFIX) or any(_TAG.fullmatch(line) for line in lines):
        return True
    ends = {line.rsplit(",", 1)[-1].strip() for line in lines}
    is_level_table = len(lines) > 1 and len(ends) == 1  # with times in it: `08:00,morning,day`
    return bool(lines) and not is_level_table and all(_LINES_LINE.fullmatch(line) for line in lines)


def parse_recode(text: str, name: str) -> list[RecodeRange]:
    """Read the lines; raises BadHierarchy with the line where one cannot be read or codes go to two groups."""
    pieces: list[RecodeRange] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or _TAG.fullmatch(line):
            continue
        found = _LINES_LINE.fullmatch(line)
        if found is None:
            raise bad_line(name, number, "the line does not have the form `code: codes`.", _FORM)
        group = _bare(found[1])
        pieces += [_piece(name, number, group, each) for each in _SPLIT.findall(found[2])]
    if not pieces:
        raise bad_line(name, 1, "there is no line `code: codes`.", _FORM)
    return _apart(name, pieces)


def code_list_of(text: str) -> str:
    """Give the file name of the code list a recode names, without folders; nothing when it names none."""
    tags = (_TAG.fullmatch(line) for line in text.splitlines())
    named = [tag[2].strip().strip('"') for tag in tags if tag and tag[1].casefold() == "codelist"]
    return PureWindowsPath(named[0]).name if named else ""


def code_labels(text: str) -> dict[str, str]:
    """Read the lines `code, label` of a code list.

    >>> code_labels('1, age under 20\\n2,"from 20, and older"\\n')
    {'1': 'age under 20', '2': 'from 20, and older'}
    """
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    return {
        normalise_label(row[0]): normalise_label(",".join(row[1:]))
        for row in rows
        if len(row) > 1 and normalise_label(",".join(row[1:]))
    }


def _piece(name: str, line: int, group: str, text: str) -> RecodeRange:
    ends = _ENDS.fullmatch(text)
    low, hyphen, high = ends.groups() if ends else (text, None, None)
    if hyphen is None:
        return RecodeRange(group, _bare(low), line)
    bounds = [_bare(each) if each else "" for each in (low, high)]
    for code in filter(None, bounds):
        if not _NUMBER.fullmatch(code):
            reason = message("“{code}” is no number, so nobody knows which codes the range holds.", code=code)
            raise bad_line(name, line, reason, "List the codes one by one.")
    interval = Interval(float(bounds[0] or -math.inf), float(bounds[1] or math.inf), closed=bool(bounds[1]))
    if interval.low > interval.high:
        raise bad_line(name, line, message("the range {range} ends before it begins.", range=text), "Turn it around.")
    label = "-".join(bounds) if all(bounds) else format_interval(interval)
    return RecodeRange(group, label, line, interval)


def _bare(code: str) -> str:
    return normalise_label(code.strip('"'))


def _apart(name: str, pieces: list[RecodeRange]) -> list[RecodeRange]:
    """Let ranges end where a later line begins, as μ-ARGUS does; raises BadHierarchy where codes go to two groups."""
    ranged = sorted((each for each in pieces if each.interval), key=_begins)
    changed = {id(each): each for each in pieces}
    for one, two in itertools.pairwise(ranged):
        first, second = changed[id(one)], changed[id(two)]
        changed[id(one)], changed[id(two)] = _parted(name, first, second)
    _refuse_twice(name, changed.values())
    return [changed[id(each)] for each in pieces]


def _begins(piece: RecodeRange) -> float:
    return piece.interval.low if piece.interval else math.inf


def _parted(name: str, one: RecodeRange, two: RecodeRange) -> tuple[RecodeRange, RecodeRange]:
    low, high = one.interval, two.interval
    if low is None or high is None or not low.overlaps(high):
        return one, two
    if high.low < low.high or low.low == low.high or high.low == high.high:
        raise _twice(name, two.label, one, two)
    if one.line < two.line:
        return _with_interval(one, replace(low, closed=False)), two
    return one, _with_interval(two, replace(high, open_low=True))


def _with_interval(piece: RecodeRange, interval: Interval) -> RecodeRange:
    return replace(piece, interval=interval, label=format_interval(interval))


def _refuse_twice(name: str, pieces: Iterable[RecodeRange]) -> None:
    listed = list(pieces)
    ranged = [each for each in listed if each.interval]
    seen: dict[str, RecodeRange] = {}
    for piece in listed:
        first = seen.setdefault(piece.label, piece)
        if first is not piece:
            raise _twice(name, piece.label, first, piece)
        if piece.interval is None and _NUMBER.fullmatch(piece.label):
            code = float(piece.label)
            holding = next((each for each in ranged if each.interval and each.interval.holds(code)), None)
            if holding is not None:
                raise _twice(name, piece.label, holding, piece)


def _twice(name: str, label: str, one: RecodeRange, two: RecodeRange) -> BadHierarchy:
    first, second = sorted((one, two), key=lambda each: each.line)
    reason = message("“{code}” is also in line {line}.", code=label, line=first.line)
    return bad_line(name, second.line, reason, "Let every code stand in one line.")


_LISTED = 4


def read_recode(text: str, name: str, named: Mapping[str, str] | None = None) -> Hierarchy:
    """Read a global recode; groups are called as the code list names them, else by what they hold.

    A code such as `2` for the ages from 21 to 30 is no label, for it is an age as well.

    >>> read_recode("1: -20\\n2: 21-30\\n3: 31, 32\\n", "age.grc").labels
    ('*', '<=20', '21-30', '{31, 32}', '31', '32')
    """
    groups: dict[str, list[RecodeRange]] = {}
    for piece in parse_recode(text, name):
        groups.setdefault(piece.group, []).append(piece)
    tree = PathTree(name)
    root = tree.add_below(-1, SUPPRESSED, groups[next(iter(groups))][0].line)
    taken = {piece.label for pieces in groups.values() for piece in pieces}
    for code, pieces in groups.items():
        _add_group(tree, root, _label(code, pieces, named or {}, taken), pieces)
    return tree.tree()


def add_values(tree: Hierarchy, column: Column, schema: ColumnSchema | None = None) -> Hierarchy:
    """Put the values of a column below the ranges that hold them, so that level 0 is the value itself.

    A range below a group gives its place to the values; one directly under the root is their group.
    """
    column = hierarchy_values(column, schema)
    leaves, counts = find_leaves(column, tree, schema), column.counts()
    found: dict[int, list[str]] = {}
    for at in np.flatnonzero((leaves >= 0) & (counts > 0)).tolist():
        node = int(tree.leaves[leaves[at]])
        if node in tree.intervals and column.labels[at] != tree.labels[node]:
            found.setdefault(node, []).append(column.labels[at])
    labels, parents = list(tree.labels), tree.parents.tolist()
    for node, values in found.items():
        home = node if parents[node] == 0 else parents[node]
        labels += [values[at] for at in np.argsort(parse_by_type(values, schema), kind="stable").tolist()]
        parents += [home] * len(values)
    gone = {node for node in found if parents[node] != 0}
    return _kept(labels, parents, gone, tree)


def _add_group(tree: PathTree, root: int, label: str, pieces: list[RecodeRange]) -> None:
    """Add a group; a range that is called like its group is the group, until values are put below it."""
    if len(pieces) == 1 and pieces[0].interval and pieces[0].label == label:
        tree.intervals[tree.add_below(root, label, pieces[0].line)] = pieces[0].interval
        return
    group = tree.add_below(root, label, pieces[0].line)
    for piece in pieces:
        node = tree.add_below(group, piece.label, piece.line)
        if piece.interval:
            tree.intervals[node] = piece.interval


def _label(code: str, pieces: list[RecodeRange], named: Mapping[str, str], taken: set[str]) -> str:
    """Name a group so that no value and no other group has the name; a single piece may be called like its group."""
    labels = [piece.label for piece in pieces]
    text = named.get(code) or ("" if _NUMBER.fullmatch(code) else code)
    if not text and len(labels) == 1:
        return labels[0]
    listed = [*labels[:_LISTED], *(["…"] if len(labels) > _LISTED else [])]
    label = unused_label(text or f"{{{', '.join(listed)}}}", taken - set(labels if len(labels) == 1 else ()))
    taken.add(label)
    return label


def _kept(labels: list[str], parents: list[int], gone: set[int], tree: Hierarchy) -> Hierarchy:
    kept = [node for node in range(len(labels)) if node not in gone]
    place = {node: at for at, node in enumerate(kept)} | {-1: -1}
    intervals = {place[node]: each for node, each in tree.intervals.items() if node not in gone}
    return Hierarchy.arranged(
        [labels[node] for node in kept],
        np.array([place[parents[node]] for node in kept], dtype=np.int64),
        intervals=intervals,
    )
