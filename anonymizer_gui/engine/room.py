"""What every way from data to a release is to the rest of the program: a room with its project, files and promises.

The frame speaks of files, promises, checks, numbers and budgets; everything else is the room's own business.
"""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from anonymizer_gui.engine.core.errors import BadProject, UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.storage.safe_open import open_regular
from anonymizer_gui.engine.storage.sources import Source

ROOMS = "anonymizer_gui.engine.rooms"
_HEAD_BYTES = 1 << 16

Files = Mapping[str, Any]  # the data of a project by the role of its file: what the room's shape of data is


@dataclass(frozen=True, slots=True)
class Promise:
    """What certificate, report, figures and checklist need to know of any goal."""

    name: str
    title: str
    sentence: str
    holds: bool
    value: Json = None
    parameters: Mapping[str, Json] = field(default_factory=dict)
    stops: str = ""
    leaves_open: str = ""
    formula: str = ""
    reference: str = ""
    is_estimate: bool = False  # kept by estimate only, for nobody has counted what it rests on: nowhere green

    def to_json(self) -> dict[str, Json]:
        """Give the promise as the certificate holds it; what is no estimate does not say so."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "is_estimate"}
        return told | {"parameters": dict(self.parameters)} | ({"is_estimate": True} if self.is_estimate else {})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check found: a sentence, the part of the data it is in, and rows to look at, which never leave."""

    sentence: str
    place: str = ""
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the checklist: whether it holds, and the sentence that says what was found."""

    name: str
    title: str
    holds: bool
    sentence: str
    is_promise: bool = False
    """Whether it is about what the release promises; the others are about decisions that are still open."""
    blocks: bool = True
    """Whether a release may leave only with a reason when it does not hold; otherwise it is a warning."""
    findings: tuple[Finding, ...] = ()
    """What was found one by one, where there is more to see than the sentence."""

    def to_json(self) -> dict[str, Json]:
        """Give the check as the certificate holds it."""
        return {name: getattr(self, name) for name in ("name", "title", "holds", "sentence", "blocks")}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Part of a section: names and what they are."""

    values: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Rows:
    """Part of a section: a table of texts and numbers; a truth is shown by its mark."""

    head: tuple[str, ...]
    rows: tuple[tuple[Json, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Part of a section: numbers with bars, as long as they are beside the largest."""

    values: Mapping[str, float]
    largest: float = 0.0


@dataclass(frozen=True, slots=True)
class Sentences:
    """Part of a section: sentences, one below the other."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the report; without parts it is left out."""

    title: str
    parts: tuple[Pairs | Rows | Bars | Sentences, ...]


class Project(Protocol):
    """Everything that is decided about some files; a frozen dataclass of the room's own, an edit makes a new one."""

    room: ClassVar[str]

    @property
    def name(self) -> str:
        """What the user calls it."""

    def sources(self) -> Mapping[str, Source]:
        """Give the files the project speaks of, by role."""

    def with_sources(self, sources: Mapping[str, Source]) -> Self:
        """Take other files for these roles; a role that is not named has none."""


class Release(Protocol):
    """A finished run; never changed afterwards."""

    @property
    def id(self) -> str:
        """What tells it from every other release; its name may change."""

    @property
    def name(self) -> str:
        """What the user calls it."""

    @property
    def created(self) -> str:
        """When it was made."""

    @property
    def version(self) -> str:
        """The version of the program that made it."""

    @property
    def project(self) -> Any:
        """The decisions it was made with: the room's own project."""

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What was promised, as it was measured."""

    def to_json(self) -> dict[str, Json]:
        """Give the numbers of the run as the command line prints them."""

    def sentence(self) -> str:
        """Say in a few words what was made."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadFile:
    """A file that was read: the data, the source with the checksum it has now, and what the user should look at."""

    data: Any
    source: Source
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class NewProject:
    """A new project about a file, and what the user should look at."""

    project: Any
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """One of several runs to be made: the name its release gets, the settings, and what the job is called if not so."""

    name: str
    project: Any
    title: str = ""


class OutputFile(Protocol):
    """One file of a release on its way out."""

    @property
    def place(self) -> Path:
        """Where the file will be."""

    def write(self, target: Path, progress: Progress) -> None:
        """Write the file to `target`, which lies beside its place until it is checked."""

    def check(self, target: Path, progress: Progress) -> None:
        """Read what was written and measure it again; raises PromiseBroken unless it is the release."""


class ReleaseCandidate(Protocol):
    """A release ready to leave: what was checked and promised, and how its files are written."""

    @property
    def release(self) -> Any:
        """What is to leave."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green before it leaves."""

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised, as it was measured on what leaves."""

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers measured on what leaves."""

    @property
    def reason(self) -> str:
        """Why it may leave although a check fails; empty when none was given."""

    def files(self, path: Path) -> Sequence[OutputFile]:
        """Give the files that are written when the first of them is called `path`."""

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy: what proves the release and would confirm guesses outside."""

    def with_reason(self, reason: str) -> Self:
        """Let it leave although a check fails, for a reason that will stand in the report."""

    def checked_again(self) -> Self:
        """Check what may have changed since, such as the ledger; a reason given before does not cover what is new."""

    def entered(self, path: Path, sha256: str) -> AbstractContextManager[None]:
        """Be in the ledger while the files are put in their place, and out of it again when they are not."""


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What a room measured of a release, as entries of its certificate; `releases.verify` compares the two."""

    differences: tuple[str, ...] = ()
    """Sentences about what the room compared itself, such as single columns."""
    unchecked: tuple[str, ...] = ()
    """What could not be decided with the files that were there, and what it would need."""
    numbers: Mapping[str, Json] = field(default_factory=dict)
    """The numbers as they were measured, for the reader."""
    expected: Mapping[str, Any] = field(default_factory=dict)
    """Entries of the certificate as they follow from the bytes of the release and the parameters in the certificate.

    Shaped as the certificate is, but only as far as they could be measured: {"numbers": {"k": 5}, "promises": [...]}.
    A `Near` takes the place of a number that certificates hold rounded. All promises are part of it, composed anew.
    """
    measured: tuple[str, ...] = ()
    """Further entries the room compared itself, by dotted names: "written.columns"."""
    not_measured: Mapping[str, str] = field(default_factory=dict)
    """Entries that no file can confirm, by dotted names; the sentence is a noun phrase that says what they are."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    """Checks, by name, that could be run again on the release."""


@dataclass(frozen=True, slots=True)
class Near:
    """A number that a certificate holds rounded: equal when it is within a distance."""

    value: float | None
    within: float


class Room(Protocol):
    """One way from data to a release."""

    name: str
    title: str
    summary: str
    project: type[Any]
    """What is decided about its files; made of nothing, it is the project of an empty document."""
    roles: Mapping[str, str]
    """The files a project may name, by role, with the word for each; the first is the one it is about."""
    is_repeatable: bool
    """Whether the same project gives the same bytes; otherwise the noise is secret, and no file names a seed."""
    holds_cells: frozenset[str]
    """Entries of its project file that hold values of the data: never kept with releases. Asked of repeatable rooms."""
    spends: bool
    """Whether a run spends a budget, which is entered into the ledger before anything is shown."""

    def registries(self) -> Mapping[str, Registry[Any]]:
        """Give its goals, algorithms, questions, by the word `list` has for them; words and tests walk these, too."""

    def accepts(self, path: Path, head: bytes) -> float:
        """Say how likely a file is its own, from 0 to 1."""

    def read(self, role: str, source: Source, progress: Progress) -> ReadFile:
        """Read the file of a role; raises UnreadableFile."""

    def begin(self, source: Source, data: Any, progress: Progress, **choices: Any) -> NewProject:
        """Start a project about a file that was read."""

    def fits(self, project: Any, files: Files) -> None:
        """Raise BadProject when the files are not those the project speaks of."""

    def run(self, project: Any, files: Files, progress: Progress, *, try_anyway: bool = False) -> Any:
        """Make a release; raises Infeasible, BadParameter, and TooMuch unless it is to be tried anyway."""

    def settings_of(self, made: Any, now: Any) -> Any:
        """Give the project of now with all that a run depends on as it was in one made before."""

    def as_decided(self, release: Any, project: Any) -> Any:
        """Give a release with what is decided now about its leaving, which does not touch what was measured."""

    def leaving(self, release: Any, files: Files, safeguards: Any, progress: Progress) -> ReleaseCandidate:
        """Make what would leave and check it; nothing is written."""

    def verify(self, path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
        """Measure a release again and compare it with the entries of its certificate.

        `told["inside"]` holds the entries of the inside copy where it lies beside, otherwise nothing.
        """

    def sections(self, told: Mapping[str, Json]) -> list[Section]:
        """Give the room's sections of the report, the result first, from the certificate alone."""

    def to_json(self, project: Any) -> dict[str, Json]:
        """Give the room's entries of the project file; name and sources are the frame's."""

    def from_json(self, entries: Mapping[str, Json]) -> Any:
        """Make the project of its entries; raises BadProject with one sentence for the first thing that is wrong."""


@runtime_checkable
class TableCandidate(ReleaseCandidate, Protocol):
    """What leaves as one table, which a script may want in memory."""

    @property
    def table(self) -> Any:
        """The table exactly as it would be written."""


@runtime_checkable
class CompletesProjects(Protocol):
    """A room whose projects may leave something open that only the data gives, as recipes do."""

    def completed(self, project: Any, files: Files, progress: Progress) -> Any:
        """Give the project with what it left open, made of the files."""


@runtime_checkable
class RunsWithoutFile(Protocol):
    """A room whose projects can be run without the file they are about, as surveys whose reports came back."""

    enough: frozenset[str]
    """Further roles of which any one is enough."""


@runtime_checkable
class HasSideTable(Protocol):
    """A project about other data that has a table beside it."""

    def table_among(self, files: Files) -> Any:
        """Give that table, or nothing."""


@runtime_checkable
class ImportsForeignProjects(Protocol):
    """A room that begins with what projects of other programs decide."""

    foreign_projects: tuple[str, ...]
    """The endings of their files."""


def room_importing(path: Path) -> Room | None:
    """Give the room that takes over a project of another program; none for any other file."""
    rooms = (room for room in all_rooms() if isinstance(room, ImportsForeignProjects))
    return next((room for room in rooms if path.suffix.lower() in room.foreign_projects), None)


def room_names() -> list[str]:
    """List the rooms there are, without loading any."""
    package = importlib.import_module(ROOMS)
    return sorted(found.name for found in pkgutil.iter_modules(package.__path__) if found.ispkg)


@cache
def room_of(name: str) -> Room:
    """Give a room by its name; raises BadProject."""
    if name not in room_names():
        raise BadProject(
            message("The project is of the sort “{name}”, which this version does not know.", name=name[:60]),
            "Install a newer version.",
        )
    room: Room = importlib.import_module(f"{ROOMS}.{name}.room").ROOM
    return room


def likely_rooms(path: Path) -> list[str]:
    """Name the rooms that may take a file, the likeliest first."""
    head = head_of(path)
    chances = {room.name: room.accepts(path, head) for room in all_rooms()}
    return sorted((name for name, chance in chances.items() if chance > 0), key=lambda name: (-chances[name], name))


def head_of(path: Path) -> bytes:
    """Give the beginning of a file, by which it may be recognised; nothing of one that cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(_HEAD_BYTES)
    except (UnreadableFile, OSError):
        return b""


def all_rooms() -> list[Room]:
    """Give every room, in the order of their names."""
    return [room_of(name) for name in room_names()]
