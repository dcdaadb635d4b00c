"""Keyed numbers of texts that add up to a fingerprint: whoever lacks the key can neither guess nor compare them.

A shape is one file in `shapes/`, its questions are files in `questions/<shape>/`, and what the audit must know of them
one file in `audit/shapes/`; nothing else has to be touched.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.room import ReadFile, head_of
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND
from anonymizer_gui.engine.storage.sources import Source, is_address

Lanes = npt.NDArray[np.uint64]

_AT_ONCE = 1 << 14


def keyed_hashes(labels: Sequence[str], name: str, key: bytes, progress: Progress = SILENT) -> Lanes:
    """Give every label two keyed numbers; those of another name are others."""
    prefix = len(name.encode()).to_bytes(4, "big") + name.encode()
    digests = bytearray()
    for at, label in enumerate(labels):
        if at % _AT_ONCE == 0:
            progress.check()
        content = prefix + label.encode("utf-8", "surrogatepass")
        digests += hashlib.blake2b(content, key=key, digest_size=16).digest()
    return np.frombuffer(bytes(digests), dtype="<u8").astype(np.uint64).reshape(-1, 2).T


def mix_bits(rows: Lanes) -> Lanes:
    """Spread every bit over all others, so that rows do not cancel out (the end of splitmix64)."""
    with np.errstate(over="ignore"):
        rows = (rows ^ (rows >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        rows = (rows ^ (rows >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(rows ^ (rows >> np.uint64(31)))


Surplus = Literal["sampled", "first"]

SURPLUS: Mapping[Surplus, str] = {
    "sampled": "Keep some of a person's rows, drawn by lot",
    "first": "Keep the first rows of a person",
}


class DataKind(ABC):
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


DATA_KINDS: Registry[DataKind] = Registry("shape", __package__)

KIND_OPTION = "shape"
"""Where a source tells its shape, unless it is a table."""


def data_kind(name: str) -> DataKind:
    """Give a shape by its name; raises BadParameter."""
    return DATA_KINDS.get(name)()


def data_kind_of_source(source: Source) -> DataKind:
    """Give the shape a source is said to have, or the likeliest one; raises BadParameter."""
    if source.options:
        return data_kind(str(source.options.get(KIND_OPTION, DEFAULT_DATA_KIND)))
    path, head = Path(source.path), b"" if is_address(source.path) else head_of(Path(source.path))
    return max((data_kind(name) for name in DATA_KINDS.names()), key=lambda shape: shape.accepts(path, head))
