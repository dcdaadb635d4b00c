"""What the room must know of a shape of data to protect people in it, whatever is asked about it.

A shape is one file in `shapes/`, its questions are files in `questions/<shape>/`, and what the audit must know of them
one file in `audit/shapes/`; nothing else has to be touched.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.room import ReadFile, head_of
from anonymizer_gui.engine.rooms.statistics.project import Project, Surplus
from anonymizer_gui.engine.rooms.statistics.question import USUAL_SHAPE
from anonymizer_gui.engine.storage.sources import Source, is_address


class Shape(ABC):
    """A shape of data, registered in `SHAPES`; questions name the shape they are about."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    def units(self) -> Mapping[Neighbours, Message]:
        """Say who can be protected in data of this shape: the kinds of neighbours there are, in its own words."""
        return {
            Neighbours.ROW: message("A row more or less"),
            Neighbours.CHANGE: message("A row that is changed; how many there are is public"),
            Neighbours.PERSON: message("A person with several rows"),
        }

    def sentence(self, unit: PrivacyUnit) -> Message:
        """Say what nobody can tell."""
        return unit.sentence()

    def accepts(self, path: Path, head: bytes) -> float:
        """Say how likely a file is of this shape when nobody has said so, between 0 and 1."""
        return 0.0

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
    def cut(self, data: Any, unit: PrivacyUnit, surplus: Surplus) -> Any:
        """Leave out what anybody has beyond what the unit allows."""

    @abstractmethod
    def part(self, data: Any, part: Part) -> Any:
        """Keep what belongs to one part."""

    @abstractmethod
    def fingerprint(self, data: Any, key: bytes, progress: Progress = SILENT) -> str:
        """Give what the same content has and no other, whatever file it is in; without the key it cannot be guessed."""

    def some(self, data: Any, rows: int) -> Any:
        """Give the first so many rows, to learn with."""
        return data

    def neighbours(self, data: Any, unit: PrivacyUnit) -> Iterator[Any]:
        """Give neighbours of a small data set, to learn with; none where nobody has said how they are made."""
        return iter(())


SHAPES: Registry[Shape] = Registry("shape", f"{__package__}.shapes")
SHAPE_OPTION = "shape"
"""Where a source tells its shape, unless it is a table."""


def shape_of(name: str) -> Shape:
    """Give a shape by its name; raises BadParameter."""
    return SHAPES.get(name)()


def shape_in(source: Source) -> Shape:
    """Give the shape a source is said to have, or the likeliest one; raises BadParameter."""
    if source.options:
        return shape_of(str(source.options.get(SHAPE_OPTION, USUAL_SHAPE)))
    path, head = Path(source.path), b"" if is_address(source.path) else head_of(Path(source.path))
    return max((shape_of(name) for name in SHAPES.names()), key=lambda shape: shape.accepts(path, head))


def protected_by(project: Project) -> Message:
    """Say who is protected by a plan."""
    return shape_of(project.shape).sentence(project.unit)


def refuse_no_unit(project: Project) -> None:
    """Raise BadParameter when nobody can be protected like that in data of this shape."""
    shape = shape_of(project.shape)
    if project.unit.kind not in shape.units():
        raise BadParameter(
            message(
                "“{unit}” cannot be protected in this kind of data: {title}.",
                unit=str(project.unit),
                title=message(shape.title),
            ),
            message("Protect one of these: {units}.", units=[str(kind) for kind in shape.units()]),
        )
