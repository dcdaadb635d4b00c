"""What every format of hierarchy files can do, and the formats there are."""

from typing import ClassVar, Protocol

from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


class HierarchyFormat(Protocol):
    """What every format of hierarchy files has; formats of lower rank look at a text first."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    rank: ClassVar[int]

    @staticmethod
    def recognises(text: str) -> bool:
        """Say whether the text could be of this format."""

    @staticmethod
    def read(text: str, name: str) -> Hierarchy:
        """Read the text; raises BadHierarchy with line and reason when it is no tree."""

    @staticmethod
    def write(hierarchy: Hierarchy) -> str:
        """Write the hierarchy as text."""


USUAL_FORMAT = "level-table"
"""The format that is written where none is asked for."""

HIERARCHY_FORMATS: Registry[HierarchyFormat] = Registry("hierarchy format", __package__)
