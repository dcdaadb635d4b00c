"""Records on their way out: in an order that tells nothing, checked, written and counted again from the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.errors import BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.trees.trees import Vertex
from anonymizer_gui.engine.data.trees.writing import format_for, records_to_bytes
from anonymizer_gui.engine.releases.release_candidate import ContentCandidate, Safeguards
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.trees.certificate import certificate_entries, private_entries, published_numbers
from anonymizer_gui.engine.rooms.trees.checklist import checklist
from anonymizer_gui.engine.rooms.trees.independent_check import agrees, count_independently, promise_parameters
from anonymizer_gui.engine.rooms.trees.published_records import canonical_text
from anonymizer_gui.engine.rooms.trees.release import Release


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseCandidate(ContentCandidate):
    """A release ready to leave: the records exactly as they will be written, and the checklist over them."""

    release: Release
    records: tuple[Vertex, ...]
    safeguards: Safeguards

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green before it leaves."""
        return checklist(self.release, self.others())

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers that may leave: those of the file itself, and the loss, rounded."""
        return published_numbers(self.release.measured)

    def source(self) -> bytes:
        """Give the checksum of the file."""
        source = self.release.project.source
        return f"trees {source.sha256 if source else ''}".encode()

    def content(self) -> bytes:
        """Give the records in their order."""
        return "\x1e".join(f"{record.tag} {canonical_text(record)}" for record in self.records).encode(
            "utf-8", "replace"
        )

    def files(self, path: Path) -> tuple["ReleaseFile", ...]:
        """Give the one file that is written; raises UnwritableFile for a name that says another format."""
        format_for(path, self.release.form)
        return (ReleaseFile(path, self),)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return certificate_entries(self.release, format_for(path, self.release.form))

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy."""
        return private_entries(self.release)


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseFile:
    """The file the records leave in."""

    place: Path
    leaving: ReleaseCandidate

    def write(self, target: Path, progress: Progress) -> None:
        """Write the records in the form of their source."""
        progress(0.0, "Writing the records")
        form = self.leaving.release.form
        target.write_bytes(records_to_bytes(self.leaving.records, form, format_for(self.place, form)))

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file by other code and count it anew; raises PromiseBroken unless it is the release."""
        leaving = self.leaving
        layout = leaving.told(self.place)["written"]
        counted = count_independently(target.read_bytes(), layout, promise_parameters(leaving.promises), progress)
        is_same = counted is not None and agrees(counted, leaving.numbers, leaving.promises)
        if not is_same or not all(promise.holds for promise in leaving.promises):
            raise PromiseBroken(
                message("The file written as “{name}” does not hold the release.", name=self.place.name),
                "Nothing was released. Choose another format, and report this.",
            )


def prepare_candidate(release: Release, safeguards: Safeguards, progress: Progress) -> ReleaseCandidate:
    """Put the records in an order that tells nothing; raises BadParameter when the ledger lacks its key.

    They are sorted by what is published first, and only then shuffled: whoever knows the seed can undo the shuffling,
    but not the sorting.
    """
    progress(0.0, "Putting the records in order")
    if safeguards.ledger is not None and not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    ordered = sorted(release.published, key=lambda record: (record.tag, canonical_text(record)))
    chance = np.random.default_rng(release.project.seed).permutation(len(ordered))
    progress(0.8)
    records = tuple(ordered[at] for at in chance.tolist())
    return ReleaseCandidate(release, records, safeguards)
