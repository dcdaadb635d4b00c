"""The text format of the Amnesia tool: four lines of description, then `group has value value ...` per level."""

import math
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.data.tables.values import parse_texts_as_numbers
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, ParentTree, bad_line
from anonymizer_gui.engine.hierarchy.intervals import format_number
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, normalise_label

_KINDS = ("distinct", "range")
_MISSING = "NaN"
_HAS = "has"


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class Amnesia:
    """Kind, name, type and height, then the groups level by level; labels hold no blanks."""

    name: ClassVar[str] = "amnesia"
    title: ClassVar[str] = "Amnesia"
    summary: ClassVar[str] = "The text format of the Amnesia tool."
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)
    rank: ClassVar[int] = 15

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""
        lines = [line.strip().casefold() for line in text.splitlines() if line.strip()]
        return len(lines) > 1 and lines[0] in _KINDS and any(line.startswith("height ") for line in lines[1:4])

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> Amnesia.read("distinct\\nname land\\ntype string\\nheight 2\\n\\n* has Italy NaN \\n", "land.txt").labels
        ('*', 'Italy', '(missing)')
        """
        lines = text.splitlines()
        is_range = lines[0].strip().casefold() == "range"
        tree = ParentTree(name)
        described = True
        for number, line in enumerate(lines, start=1):
            tokens = line.split()
            if described:
                described = bool(tokens)
            elif tokens:
                _add(tree, tokens, number, is_range)
        return tree.tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write the groups, the deepest level first; raises BadHierarchy for a label it cannot hold."""
        for label in hierarchy.labels:
            if label != MISSING and (label.split() != [label] or label in (_HAS, _MISSING)):
                hint = message(
                    "Its labels hold no blanks, and {has} and {missing} mean something else to it; rename it.",
                    has=_HAS,
                    missing=_MISSING,
                )
                raise BadHierarchy(message("Amnesia cannot read the label “{label}”.", label=label), hint)
        labels = [_MISSING if label == MISSING else label for label in hierarchy.labels]
        out = ["distinct", "name hierarchy", "type string", f"height {hierarchy.height + 1}"]
        for depth in range(hierarchy.height - 1, -1, -1):
            out.append("")
            for node in ((hierarchy.depths == depth) & ~hierarchy.is_leaf).nonzero()[0].tolist():
                children = " ".join(labels[child] for child in hierarchy.children(node))
                out.append(f"{labels[node]} {_HAS} {children} ")
        return "\n".join(out) + "\n"


def _add(tree: ParentTree, tokens: list[str], line: int, is_range: bool) -> None:
    if len(tokens) < 3 or tokens[1] != _HAS:
        raise bad_line(tree.name, line, "the line does not have the form `group has value value ...`.")
    parent, *children = (_label(token, is_range) for at, token in enumerate(tokens) if at != 1)
    for child in children:
        tree.add(child, parent, line)


def _label(token: str, is_range: bool) -> str:
    if token == _MISSING:
        return MISSING
    if not is_range:
        return normalise_label(token)
    ends = parse_texts_as_numbers(token.split(",")).tolist()
    if len(ends) == 2 and all(map(math.isfinite, ends)):
        return "-".join(map(format_number, ends))
    return normalise_label(token)
