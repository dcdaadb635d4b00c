"""Auto: run what suits the size of the table, and keep the best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from anonymizer_gui.engine.errors import Infeasible
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits, Recoding
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.size import Size
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import loss
from anonymizer_gui.engine.words import say

SUITS = {"mondrian": None, "top-down": None, "bottom-up": 500_000, "best-loss": 300_000, "cluster": 20_000}
"""The algorithms that are tried, and the number of different QI tuples above which they would take too long."""

IN_A_POPULATION = {"mondrian": 100_000, "best-loss": 20_000}
"""The same where people of a population are counted in cells that overlap: each cell is compared with everybody."""


_TIE = 1e-9  # rounding alone must not choose the algorithm


def suitable(n_tuples: int, models: Sequence[PrivacyModel]) -> list[Algorithm]:
    """Choose the algorithms that end in reasonable time on so many different tuples, quickest first."""
    counts_people = any(model.needs_population for model in models)
    most = {**SUITS, **IN_A_POPULATION} if counts_people else SUITS
    names = [name for name, limit in most.items() if limit is None or n_tuples <= limit]
    return [ALGORITHMS.get(name)() for name in names]


def _upto(name: str, size: Size) -> int:
    """Give what an algorithm needs where it has most tuples with which it would still be tried."""
    most = SUITS[name]
    tuples = size.tuples if most is None else min(size.tuples, most)
    return ALGORITHMS.get(name)().memory(replace(size, tuples=tuples))


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Auto:
    """The best of the algorithms that suit the size of the table."""

    name: ClassVar[str] = "auto"
    title: ClassVar[str] = "Auto (best of several)"
    summary: ClassVar[str] = (
        "Runs the algorithms that suit the size of the table and takes the result that loses least: Mondrian and "
        "top-down always, bottom-up up to 500,000 different combinations of quasi-identifiers, best loss up to "
        "300,000, clustering up to 20,000; with goals about a population, Mondrian up to 100,000 and best loss up "
        "to 20,000."
    )
    reference: ClassVar[str] = "See each algorithm."
    attacks: ClassVar[str] = (
        "Minimality and downcoding as for the algorithm whose result is taken, which the notes of the release name."
    )

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        needs = [_upto(name, size) for name in SUITS]
        return max(needs) * 5 // 4 + 8 * size.rows

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Run each algorithm; raises Infeasible when none reaches the goals."""
        algorithms = suitable(len(encoded.tuples), goals.models)
        tried: list[str] = []
        best: tuple[float, Recoding] | None = None
        for done, algorithm in enumerate(algorithms):
            title = say(algorithm.title)
            part = progress.sub(done / len(algorithms), (done + 1) / len(algorithms))
            part(0.0, say("Trying {method}", method=title))
            try:
                found = algorithm.run(encoded, goals, limits, part)
            except Infeasible:
                tried.append(say("{method}: goals not reached", method=title))
                continue
            lm = loss(encoded, found)
            tried.append(say("{method}: LM {lm:.6f}", method=title, lm=lm))
            if best is None or lm < best[0] - _TIE:
                best = lm, replace(found, notes=(say("Made by {method}.", method=title), *found.notes))
        if best is None:
            raise infeasible(encoded, goals, limits)
        return replace(best[1], notes=(*best[1].notes, *tried))
