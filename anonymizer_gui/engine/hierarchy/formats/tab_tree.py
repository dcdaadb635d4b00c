"""The tab-indented tree: one label per line, the root first, leading tabs give the depth."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS, PathTree, bad_line
from anonymizer_gui.engine.hierarchy.formats.delimited import DELIMITERS
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, normalise_label


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class TabTree:
    """One label per line; CRLF, trailing blanks and tabs, empty lines and a missing last newline are understood.

    Levels may be indented by blanks instead, as many for each.
    """

    name: ClassVar[str] = "tab-tree"
    title: ClassVar[str] = "Tab-indented tree"
    summary: ClassVar[str] = "One label per line, the root first; leading tabs give the depth."
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)
    rank: ClassVar[int] = 20

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        if any(line.startswith("\t") for line in lines):
            return not any("\t" in line.lstrip("\t ") for line in lines)
        starts_alone = not any(delimiter in lines[0] for delimiter in DELIMITERS)
        return starts_alone and (len(lines) == 1 or any(line.startswith("  ") for line in lines[1:]))

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> TabTree.read("*\\r\\n\\tEurope \\t\\r\\n\\t\\tItaly\\r\\n\\tAsia", "land.txt").labels
        ('*', 'Europe', 'Italy', 'Asia')
        """
        lines = text.splitlines()
        unit = _unit(lines)
        tree = PathTree(name)
        path: list[int] = []
        for number, line in enumerate(lines, start=1):
            if line.strip():
                depth = _depth(line, unit, name, number)
                _refuse_gap(name, number, depth, path)
                parent = path[depth - 1] if depth else -1
                path = [*path[:depth], tree.add_below(parent, normalise_label(line), number)]
        return tree.tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write one line per node; raises BadHierarchy when a label holds a tab or a line break."""
        for label in hierarchy.labels:
            if "\t" in label or len(label.splitlines()) != 1:
                raise BadHierarchy(
                    message("The label {label!r} does not fit on a line of its own.", label=label),
                    "Write a level table or JSON.",
                )
        depths = hierarchy.depths.tolist()
        return "".join("\t" * depth + label + "\n" for depth, label in zip(depths, hierarchy.labels, strict=True))


def _unit(lines: list[str]) -> str:
    """Find what a level is indented by: a tab, or the fewest blanks where no line begins with a tab."""
    blanks = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    if any(line.startswith("\t") for line in lines):
        return "\t"
    return " " * min(filter(None, blanks), default=1)


def _depth(line: str, unit: str, name: str, number: int) -> int:
    indent = line[: len(line) - len(line.lstrip("\t "))]
    depth, rest = divmod(len(indent), len(unit))
    if unit == "\t":
        depth = len(indent) - len(indent.lstrip("\t"))
        rest = len(indent) > depth + 1  # a single blank before a label is a slip, several are a level
    if rest or indent.strip(unit[0]) not in ("", " "):
        reason = "the indentation mixes tabs and blanks, or is no whole number of levels."
        raise bad_line(name, number, reason, "Indent every level by one tab.")
    return depth


def _refuse_gap(name: str, number: int, depth: int, path: list[int]) -> None:
    if depth > len(path):
        reason = message(
            "the line is indented by {levels:level|levels}, but there is nothing {above:level|levels} deep above it.",
            levels=depth,
            above=depth - 1,
        )
        raise bad_line(name, number, reason, "Indent by one level more than the group the line belongs to.")
