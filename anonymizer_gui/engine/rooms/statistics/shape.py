"""What the room must know of a shape of data to protect people in it, whatever is asked about it."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from anonymizer_gui.engine.dp.accounting import Part
from anonymizer_gui.engine.dp.unit import Unit
from anonymizer_gui.engine.files.source import Source
from anonymizer_gui.engine.progress import SILENT, Progress
from anonymizer_gui.engine.registry import Registry
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.statistics.project import Surplus


class Shape(ABC):
    """A shape of data, registered in `SHAPES`; questions name the shape they are about."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def read(self, source: Source, progress: Progress) -> ReadFile:
        """Read a file; raises UnreadableFile."""

    @abstractmethod
    def columns(self, data: Any) -> tuple[str, ...]:
        """Name what questions can speak of."""

    @abstractmethod
    def rows(self, data: Any) -> int:
        """Give the number of rows; private unless the unit of protection says otherwise."""

    @abstractmethod
    def cut(self, data: Any, unit: Unit, surplus: Surplus) -> Any:
        """Leave out what anybody has beyond what the unit allows."""

    @abstractmethod
    def part(self, data: Any, part: Part) -> Any:
        """Keep what belongs to one part."""

    @abstractmethod
    def fingerprint(self, data: Any, key: bytes, progress: Progress = SILENT) -> str:
        """Give what the same content has and no other, whatever file it is in; without the key it cannot be guessed."""


SHAPES: Registry[Shape] = Registry("shape", f"{__package__}.shapes")


def shape_of(name: str) -> Shape:
    """Give a shape by its name; raises BadParameter."""
    return SHAPES.get(name)()
