"""Baskets on their way out: in an order that tells nothing, checked, written and counted again from the file."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, PromiseBroken
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.data.baskets.writing import layout_for, write_baskets, written_items
from anonymizer_gui.engine.releases.release_candidate import ContentCandidate, Safeguards
from anonymizer_gui.engine.room import Check
from anonymizer_gui.engine.rooms.baskets.certificate import (
    certificate_entries,
    private_entries,
    published_numbers,
    sensitive_column,
)
from anonymizer_gui.engine.rooms.baskets.independent.recount import read_release
from anonymizer_gui.engine.rooms.baskets.independent_check import numbers_counted, promise_checks, promises_counted
from anonymizer_gui.engine.rooms.baskets.release import Release


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseCandidate(ContentCandidate):
    """A release ready to leave: the baskets exactly as they will be written, and the checklist over them."""

    release: Release
    baskets: Baskets
    safeguards: Safeguards

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green: every promise, and a word where the same baskets have left before."""
        return (*promise_checks(self.release.promises), self._earlier())

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers that may leave: those of the file itself, and the loss, rounded."""
        return published_numbers(self.release.measured)

    def source(self) -> bytes:
        """Give the checksum of the file."""
        source = self.release.project.source
        return f"baskets {source.sha256 if source else ''}".encode()

    def content(self) -> bytes:
        """Give items, baskets, and the sensitive column beside them."""
        baskets, column = self.baskets, sensitive_column(self.release)
        beside = baskets.beside.column(column).texts() if column else ()
        texts = "\x1f".join([*baskets.items, "", *map(str, beside)]).encode("utf-8", "backslashreplace")
        return bytes(texts + baskets.starts.astype(np.int64).tobytes() + baskets.codes.astype(np.int64).tobytes())

    def files(self, path: Path) -> tuple["ReleaseFile", ...]:
        """Give the one file that is written; raises UnwritableFile for a name that says no known format."""
        layout_for(path, self.release.project.layout)
        return (ReleaseFile(path, self),)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return certificate_entries(self.release, layout_for(path, self.release.project.layout))

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy."""
        return private_entries(self.release)

    def _earlier(self) -> Check:
        """Look for releases of the same baskets: what two of them tell together nobody has counted."""
        title = "Earlier releases of the same baskets"
        ledger = self.safeguards.ledger
        if ledger is None:
            return Check("meetings", title, True, "No ledger was named: nobody knows what has left before.")
        others = self.others()
        if not others:
            return Check("meetings", title, True, "The ledger knows no other.")
        sentence = message(
            "The ledger knows {earlier:release|releases} of the same baskets; seen beside this one they may tell more.",
            earlier=others,
        )
        return Check("meetings", title, False, sentence, blocks=False)


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseFile:
    """The file the baskets leave in."""

    place: Path
    leaving: ReleaseCandidate

    def write(self, target: Path, progress: Progress) -> None:
        """Write the baskets in the layout of the project, or in JSON where the name says so."""
        leaving = self.leaving
        layout = layout_for(self.place, leaving.release.project.layout)
        column = sensitive_column(leaving.release)
        write_baskets(leaving.baskets, target, layout, column, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file by other code and count it anew; raises PromiseBroken unless it is the release."""
        leaving, written = self.leaving, self.leaving.told(self.place)["written"]
        try:
            found = read_release(target, written["layout"], written["separator"], written["column"])
        except AnonymizerError:
            raise _other_file(self.place) from None
        baskets, goals = leaving.baskets, leaving.release.project.goals
        names = written_items(baskets, self.place)
        codes, ends = baskets.codes.tolist(), baskets.starts.tolist()
        expected = [[names[code] for code in codes[low:high]] for low, high in itertools.pairwise(ends)]
        if [list(basket) for basket in found.baskets] != expected:
            raise _other_file(self.place)
        counted = numbers_counted(found, goals, written["hidden"], progress.sub(0.0, 0.5))
        promises = promises_counted(found, goals, written, progress.sub(0.5, 1.0))
        is_same = counted.items() <= leaving.numbers.items() and promises == leaving.promises
        if not is_same or not all(promise.holds for promise in promises):
            raise _other_file(self.place)


def _other_file(path: Path) -> PromiseBroken:
    return PromiseBroken(
        message("The file written as “{name}” does not hold the release.", name=path.name),
        "Nothing was released. Choose another format, and report this.",
    )


def prepare_candidate(release: Release, safeguards: Safeguards, progress: Progress) -> ReleaseCandidate:
    """Put the baskets of a release in an order that tells nothing; raises BadParameter when the ledger lacks its key.

    They are sorted by what is published first, and only then shuffled: whoever knows the seed can undo the shuffling,
    but not the sorting.
    """
    progress(0.0, "Putting the baskets in order")
    if safeguards.ledger is not None and not safeguards.key:
        raise BadParameter("The ledger needs the key file.", "Choose the key that people are matched with.")
    published = release.published
    beside = [str(text) for column in published.beside.columns for text in column.texts()] or [""] * len(published)
    held = published.sets()
    order = sorted(range(len(held)), key=lambda at: (held[at], beside[at]))
    shuffled = np.array(order, dtype=np.int64)[np.random.default_rng(release.project.seed).permutation(len(order))]
    progress(0.8)
    return ReleaseCandidate(release, published.take(shuffled), safeguards)
