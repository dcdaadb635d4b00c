"""Records on their way out: in an order that tells nothing, checked, written and counted again from the file."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from anonymizer_gui.engine.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.releases.ledger import NewEntry
from anonymizer_gui.engine.releases.safeguards import Safeguards
from anonymizer_gui.engine.room import Check, Promise
from anonymizer_gui.engine.rooms.trees.checks import checks_of
from anonymizer_gui.engine.rooms.trees.publishing import canonical
from anonymizer_gui.engine.rooms.trees.release import Release
from anonymizer_gui.engine.rooms.trees.second_opinion import asked_by, differences, recounted
from anonymizer_gui.engine.rooms.trees.told import inside_of, shown, told_of
from anonymizer_gui.engine.shapes.trees.vertex import Vertex
from anonymizer_gui.engine.shapes.trees.writing import kind_for, written
from anonymizer_gui.engine.words import say


@dataclass(frozen=True, slots=True, eq=False)
class LeavingTrees:
    """A release ready to leave: the records exactly as they will be written, and the checklist over them."""

    release: Release
    records: tuple[Vertex, ...]
    safeguards: Safeguards
    subject: str
    """What the ledger knows the source by; empty without a ledger."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green before it leaves."""
        ledger = self.safeguards.ledger
        earlier = [] if ledger is None else [entry for entry in ledger.entries() if entry.subject == self.subject]
        others = sum(entry.figures != dict(self.numbers) for entry in earlier)
        return checks_of(self.release, others)

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised, as it was counted."""
        return self.release.promises

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers that may leave: those of the file itself, and the loss, rounded."""
        return shown(self.release.measured)

    @property
    def reason(self) -> str:
        """Why it may leave although a check fails."""
        return self.safeguards.reason

    def with_reason(self, reason: str) -> Self:
        """Let it leave although a check fails."""
        return replace(self, safeguards=replace(self.safeguards, reason=reason))

    def checked_again(self) -> Self:
        """Give it as it is: the ledger is looked at whenever the checks are."""
        return self

    def files(self, path: Path) -> tuple["TreesFile", ...]:
        """Give the one file that is written; raises UnwritableFile for a name that says another format."""
        kind_for(path, self.release.form)
        return (TreesFile(path, self),)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return told_of(self.release, kind_for(path, self.release.form))

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy."""
        return inside_of(self.release)

    @contextmanager
    def entered(self, path: Path, sha256: str) -> Iterator[None]:
        """Be in the ledger while the file is put in its place, and out of it again when it is not."""
        ledger, key, release = self.safeguards.ledger, self.safeguards.key, self.release
        if ledger is None:
            yield
            return
        name = f"{release.project.name} ({path.name})" if release.project.name else path.name
        told = (release.project.room, name, release.created, sha256, self.numbers)
        with ledger.entered(NewEntry(*told, subject=self.subject), key, path):
            yield


@dataclass(frozen=True, slots=True, eq=False)
class TreesFile:
    """The file the records leave in."""

    place: Path
    leaving: LeavingTrees

    def write(self, target: Path, progress: Progress) -> None:
        """Write the records in the form of their source."""
        progress(0.0, "Writing the records")
        form = self.leaving.release.form
        target.write_bytes(written(self.leaving.records, form, kind_for(self.place, form)))

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file by other code and count it anew; raises PromiseBroken unless it is the release."""
        leaving = self.leaving
        told = {
            "numbers": leaving.numbers,
            "promises": [promise.to_json() for promise in leaving.promises],
            **leaving.told(self.place),
        }
        counted = recounted(target.read_bytes(), told["written"], asked_by(leaving.promises), progress)
        if counted is None or differences(counted, told) or not all(holds for _, holds in counted.promises.values()):
            raise PromiseBroken(
                say("The file written as “{name}” does not hold the release.", name=self.place.name),
                "Nothing was released. Choose another format, and report this.",
            )


def prepare(release: Release, safeguards: Safeguards, progress: Progress) -> LeavingTrees:
    """Put the records in an order that tells nothing; raises BadParameter when the ledger lacks its key.

    They are sorted by what is published first, and only then shuffled: whoever knows the seed can undo the shuffling,
    but not the sorting.
    """
    progress(0.0, "Putting the records in order")
    if safeguards.ledger is not None and not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    ordered = sorted(release.published, key=lambda record: (record.tag, canonical(record)))
    chance = np.random.default_rng(release.project.seed).permutation(len(ordered))
    progress(0.8)
    records = tuple(ordered[at] for at in chance.tolist())
    return LeavingTrees(release, records, safeguards, _subject(release, safeguards))


def _subject(release: Release, safeguards: Safeguards) -> str:
    source = release.project.source
    if safeguards.ledger is None:
        return ""
    told = f"trees {source.sha256 if source else ''}".encode()
    return hmac.new(safeguards.key, told, hashlib.sha256).hexdigest()
