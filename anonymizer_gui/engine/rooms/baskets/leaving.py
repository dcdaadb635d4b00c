"""Baskets on their way out: in an order that tells nothing, checked, written and counted again from the file."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anonymizer_gui.engine.errors import AnonymizerError, BadParameter, PromiseBroken
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.releases.leaving import Leaving
from anonymizer_gui.engine.releases.safeguards import Safeguards
from anonymizer_gui.engine.room import Check, Promise
from anonymizer_gui.engine.rooms.baskets.recount.kept_promises import judged
from anonymizer_gui.engine.rooms.baskets.recount.reading import read_again
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.running import hidden_item
from anonymizer_gui.engine.rooms.baskets.told import blurred, inside_of, sensitive_column, told_of, written_name
from anonymizer_gui.engine.shapes.baskets.baskets import Baskets
from anonymizer_gui.engine.shapes.baskets.writing import SEPARATOR, layout_for, write_baskets, written_items
from anonymizer_gui.engine.words import say


@dataclass(frozen=True, slots=True, eq=False)
class LeavingBaskets(Leaving):
    """A release ready to leave: the baskets exactly as they will be written, and the checklist over them."""

    release: Release
    baskets: Baskets
    safeguards: Safeguards

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green: every promise, and a word where the same baskets have left before."""
        promised = [
            Check(promise.name, promise.title, promise.holds, _verdict(promise), is_promise=True)
            for promise in self.release.promises
        ]
        return (*promised, self._earlier())

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers that may leave: those of the file itself, and the loss, rounded."""
        return blurred(self.release.measured)

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

    def files(self, path: Path) -> tuple["BasketsFile", ...]:
        """Give the one file that is written; raises UnwritableFile for a name that says no known format."""
        layout_for(path, self.release.project.layout)
        return (BasketsFile(path, self),)

    def told(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the certificate."""
        return told_of(self.release, layout_for(path, self.release.project.layout), path)

    def inside(self, path: Path) -> dict[str, Json]:
        """Give the room's entries of the inside copy."""
        return inside_of(self.release)

    def _earlier(self) -> Check:
        """Look for releases of the same baskets: what two of them tell together nobody has counted."""
        title = "Earlier releases of the same baskets"
        ledger = self.safeguards.ledger
        if ledger is None:
            return Check("meetings", title, True, "No ledger was named: nobody knows what has left before.")
        others = self.others()
        if not others:
            return Check("meetings", title, True, "The ledger knows no other.")
        sentence = say(
            "The ledger knows {earlier:release|releases} of the same baskets; seen beside this one they may tell more.",
            earlier=others,
        )
        return Check("meetings", title, False, sentence, blocks=False)


def _verdict(promise: Promise) -> str:
    if promise.holds:
        return say("Counted again: {value:,}; {words}.", value=int(promise.value), words=promise.sentence)
    return say("It does not hold: {value:,} was counted.", value=int(promise.value))


@dataclass(frozen=True, slots=True, eq=False)
class BasketsFile:
    """The file the baskets leave in."""

    place: Path
    leaving: LeavingBaskets

    def write(self, target: Path, progress: Progress) -> None:
        """Write the baskets in the layout of the project, or in JSON where the name says so."""
        leaving = self.leaving
        layout = layout_for(self.place, leaving.release.project.layout)
        column = sensitive_column(leaving.release)
        write_baskets(leaving.baskets, target, layout, column, progress)

    def check(self, target: Path, progress: Progress) -> None:
        """Read the file by other code and count it anew; raises PromiseBroken unless it is the release."""
        release, baskets = self.leaving.release, self.leaving.baskets
        layout, column = layout_for(self.place, release.project.layout), sensitive_column(release)
        try:
            found = read_again(target, layout, SEPARATOR, written_name(column, self.place))
        except AnonymizerError:
            raise _other_file(self.place) from None
        names = written_items(baskets, self.place)
        codes, ends = baskets.codes.tolist(), baskets.starts.tolist()
        expected = [[names[code] for code in codes[low:high]] for low, high in itertools.pairwise(ends)]
        if [list(basket) for basket in found.baskets] != expected:
            raise _other_file(self.place)
        hidden = written_name(hidden_item(release.project, release.published), self.place)
        for at, promise in enumerate(release.promises):
            part = progress.sub(at / len(release.promises), (at + 1) / len(release.promises))
            told = {**promise.parameters, "hidden": hidden}
            if "sensitive" in told:
                told["sensitive"] = written_name(told["sensitive"], self.place)
            if not judged(found, promise.name, told, part)[1]:
                raise _other_file(self.place)


def _other_file(path: Path) -> PromiseBroken:
    return PromiseBroken(
        say("The file written as “{name}” does not hold the release.", name=path.name),
        "Nothing was released. Choose another format, and report this.",
    )


def prepare(release: Release, safeguards: Safeguards, progress: Progress) -> LeavingBaskets:
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
    return LeavingBaskets(release, published.take(shuffled), safeguards)
