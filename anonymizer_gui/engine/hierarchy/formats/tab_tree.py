"""The tab-indented tree: one label per line, the root first, leading tabs give the depth."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy.formats.delimited import DELIMITERS
from anonymizer_gui.engine.hierarchy.formats.paths import PathTree, refusal
from anonymizer_gui.engine.hierarchy.labels import clean
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.registry import HIERARCHY_FORMATS


@HIERARCHY_FORMATS.register
@dataclass(frozen=True, slots=True)
class TabTree:
    """One label per line; CRLF, trailing blanks and tabs, empty lines and a missing last newline are understood."""

    name: ClassVar[str] = "tab-tree"
    title: ClassVar[str] = "Tab-indented tree"
    summary: ClassVar[str] = "One label per line, the root first; leading tabs give the depth."
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)
    rank: ClassVar[int] = 20

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        if len(lines) == 1:
            return not any(delimiter in lines[0] for delimiter in DELIMITERS)
        return any(line.startswith("\t") for line in lines) and not any("\t" in line.lstrip("\t") for line in lines)

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree.

        >>> TabTree.read("*\\r\\n\\tEurope \\t\\r\\n\\t\\tItaly\\r\\n\\tAsia", "land.txt").labels
        ('*', 'Europe', 'Italy', 'Asia')
        """
        tree = PathTree(name)
        path: list[int] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                depth = len(line) - len(line.lstrip("\t"))
                _refuse_gap(name, number, depth, path)
                parent = path[depth - 1] if depth else -1
                path = [*path[:depth], tree.add_below(parent, clean(line), number)]
        return tree.tree()

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write one line per node; raises BadHierarchy when a label holds a tab or a line break."""
        for label in hierarchy.labels:
            if "\t" in label or len(label.splitlines()) != 1:
                raise BadHierarchy(
                    f"The label {label!r} does not fit on a line of its own.", "Write a level table or JSON."
                )
        depths = hierarchy.depths.tolist()
        return "".join("\t" * depth + label + "\n" for depth, label in zip(depths, hierarchy.labels, strict=True))


def _refuse_gap(name: str, number: int, depth: int, path: list[int]) -> None:
    if depth > len(path):
        reason = f"the line is indented by {depth} tabs, but there is nothing {depth - 1} tabs deep above it."
        raise refusal(name, number, reason, "Indent by one tab more than the group the line belongs to.")
