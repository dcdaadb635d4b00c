"""What an export needs beyond the project: the key file, the ledger, and the reason to override a failed check."""

import hashlib
import hmac
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.releases.ledger.releases import NewEntry, ReleaseLedger
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.storage.keys import read_key


@dataclass(frozen=True, slots=True, eq=False)
class Safeguards:
    """Key for pseudonyms and people, ledger of earlier releases, reason to release although a check fails."""

    key: bytes = b""
    ledger: ReleaseLedger | None = None
    reason: str = ""
    asks: bool = True
    """Whether decisions that are still open keep a release from leaving; a call in one line cannot be asked."""


def read_safeguards(key_file: str = "", ledger_file: str = "", reason: str = "") -> Safeguards:
    """Read the key, which is kept nowhere, and find the ledger; raises UnreadableFile."""
    key = read_key(Path(key_file)) if key_file else b""
    return Safeguards(key, ReleaseLedger(Path(ledger_file)) if ledger_file else None, reason)


_CONTENT = "content"
"""What an entry is known by: the same for the same release in another format, another for all others."""


class GuardedCandidate:
    """A release ready to leave, with the safeguards it leaves under; a frozen data class of the room adds the rest."""

    __slots__ = ()

    release: Any
    safeguards: Any
    """Key, ledger and reason, as every room is given them."""

    @property
    @abstractmethod
    def numbers(self) -> Mapping[str, Json]:
        """The numbers that may leave."""

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised, as it was counted."""
        found: tuple[Promise, ...] = self.release.promises
        return found

    @property
    def reason(self) -> str:
        """Why it may leave although a check fails."""
        return str(self.safeguards.reason)

    def with_reason(self, reason: str) -> Self:
        """Let it leave although a check fails."""
        changed: Self = replace(self, safeguards=replace(self.safeguards, reason=reason))  # type: ignore[type-var]
        return changed

    def checked_again(self) -> Self:
        """Give it as it is: the ledger is looked at whenever the checks are."""
        return self

    @contextmanager
    def in_ledger(self, entry: Callable[[bytes], NewEntry], path: Path) -> Iterator[None]:
        """Be in the ledger by the entry made with the key, where there is a ledger; raises BadParameter without key."""
        ledger, key = self.safeguards.ledger, self.safeguards.key
        if ledger is None:
            yield
            return
        if not key:
            raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
        with ledger.entered(entry(key), key, path):
            yield


class ContentCandidate(GuardedCandidate):
    """One that the ledger tells apart by what it publishes, whatever file that leaves in."""

    __slots__ = ()

    @abstractmethod
    def source(self) -> bytes:
        """Give what the data is known by, before anything is published of it."""

    @abstractmethod
    def content(self) -> bytes:
        """Give what is published, the same for every format."""

    def others(self) -> int:
        """Count other releases of the same data that the ledger knows; the same one again is none."""
        ledger, key = self.safeguards.ledger, self.safeguards.key
        if ledger is None or not key:
            return 0
        subject, own = _sealed(key, self.source()), ""
        count = 0
        for entry in ledger.read(key):
            if entry.subject == subject:
                own = own or _sealed(key, self.content())
                count += entry.figures.get(_CONTENT) != own
        return count

    def entered(self, path: Path, sha256: str) -> AbstractContextManager[None]:
        """Be in the ledger while the files are put in their place, and out of it again when they are not."""
        return self.in_ledger(lambda key: self._entry(path, sha256, key), path)

    def _entry(self, path: Path, sha256: str, key: bytes) -> NewEntry:
        release = self.release
        name = f"{release.project.name} ({path.name})" if release.project.name else path.name
        figures = {**self.numbers, _CONTENT: _sealed(key, self.content())}
        told = (release.project.room, name, release.created, sha256, figures)
        return NewEntry(*told, subject=_sealed(key, self.source()))


@dataclass(frozen=True, slots=True, eq=False)
class TextFile:
    """One of several files of a release, written as text; the first is judged with all the others."""

    place: Path
    text: str
    release: Any
    first: Path

    said: ClassVar[str]
    """What is said while it is written."""

    @abstractmethod
    def holds(self, content: bytes) -> bool:
        """Count the release again from the bytes of its first file, and of the others."""

    def write(self, target: Path, progress: Progress) -> None:
        """Write the file."""
        progress(0.0, self.said)
        target.write_bytes(self.text.encode("utf-8"))

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file back and count the release again; raises PromiseBroken unless it keeps its promises."""
        progress(0.0, "Counting again")
        content = target.read_bytes()
        if content != self.text.encode("utf-8") or (self.place == self.first and not self.holds(content)):
            raise PromiseBroken(
                message("Counted again from its file, “{name}” is not what it promises.", name=self.place.name),
                "Nothing was released. Please report this.",
            )


def _sealed(key: bytes, content: bytes) -> str:
    """Name bytes so that nobody without the key can tell which they are."""
    return hmac.new(key, content, hashlib.sha256).hexdigest()
