"""Baskets on their way out: in an order that tells nothing, checked, written and counted again from the file."""

import hashlib
import hmac
import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from anonymizer_gui.engine.errors import AnonymizerError, BadParameter, PromiseBroken
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.releases.ledger import NewEntry
from anonymizer_gui.engine.releases.safeguards import Safeguards
from anonymizer_gui.engine.room import Check, Promise
from anonymizer_gui.engine.rooms.baskets.recount.judging import judged
from anonymizer_gui.engine.rooms.baskets.recount.reading import read_again
from anonymizer_gui.engine.rooms.baskets.release import Release
from anonymizer_gui.engine.rooms.baskets.running import hidden_item
from anonymizer_gui.engine.rooms.baskets.told import blurred, inside_of, sensitive_column, told_of, written_name
from anonymizer_gui.engine.shapes.baskets.baskets import Baskets
from anonymizer_gui.engine.shapes.baskets.writing import SEPARATOR, layout_for, write_baskets, written_items
from anonymizer_gui.engine.words import say


@dataclass(frozen=True, slots=True, eq=False)
class LeavingBaskets:
    """A release ready to leave: the baskets exactly as they will be written, and the checklist over them."""

    release: Release
    baskets: Baskets
    safeguards: Safeguards
    subject: str
    """What the ledger knows the source by; empty without a ledger."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What must be green: every promise, and a word where the same baskets have left before."""
        promised = [
            Check(promise.name, promise.title, promise.holds, _verdict(promise), is_promise=True)
            for promise in self.release.promises
        ]
        return (*promised, self._earlier())

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What is promised, as it was counted."""
        return self.release.promises

    @property
    def numbers(self) -> Mapping[str, Json]:
        """The numbers that may leave: those of the file itself, and the loss, rounded."""
        return blurred(self.release.measured)

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

    def _earlier(self) -> Check:
        """Look for releases of the same baskets: what two of them tell together nobody has counted."""
        title = "Earlier releases of the same baskets"
        ledger = self.safeguards.ledger
        if ledger is None:
            return Check("meetings", title, True, "No ledger was named: nobody knows what has left before.")
        earlier = [entry for entry in ledger.entries() if entry.subject == self.subject]
        if not earlier:
            return Check("meetings", title, True, "The ledger knows of none.")
        sentence = say(
            "The ledger knows {earlier:release|releases} of the same baskets; seen beside this one they may tell more.",
            earlier=len(earlier),
        )
        is_same = all(entry.figures == dict(self.numbers) for entry in earlier)
        return Check("meetings", title, is_same, sentence, blocks=False)


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
    return LeavingBaskets(release, published.take(shuffled), safeguards, _subject(release, safeguards))


def _subject(release: Release, safeguards: Safeguards) -> str:
    source = release.project.source
    if safeguards.ledger is None:
        return ""
    told = f"baskets {source.sha256 if source else ''}".encode()
    return hmac.new(safeguards.key, told, hashlib.sha256).hexdigest()
