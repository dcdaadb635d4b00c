"""The code list of τ-ARGUS, μ-ARGUS and sdcTable (`.hrc`): one code per line, leading `@` give the depth."""

import re
from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import SUPPRESSED
from anonymizer_gui.engine.hierarchy.formats.contract import HIERARCHY_FORMATS
from anonymizer_gui.engine.hierarchy.formats.tab_tree import TabTree
from anonymizer_gui.engine.hierarchy.tree import Hierarchy

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
