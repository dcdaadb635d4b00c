"""Auto: run what suits the size of the table, and keep the best."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from anonymizer_gui.engine.errors import Infeasible
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.explain import infeasible
from anonymizer_gui.engine.rooms.microdata.algorithms.of_table import run_keeping
from anonymizer_gui.engine.rooms.microdata.found import Recoding
from anonymizer_gui.engine.rooms.microdata.method import Reach
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import loss
from anonymizer_gui.engine.rooms.microdata.size import Size
from anonymizer_gui.engine.words import say

_TIE = 1e-9  # rounding alone must not choose the algorithm


def suitable(n_tuples: int, models: Sequence[PrivacyModel]) -> list[Algorithm]:
    """Choose the algorithms that end in reasonable time on so many different tuples, quickest first."""
    counts_people = any(model.needs_population for model in models)
    return [tried() for tried, reach in _tried() if reach.covers(n_tuples, counts_people=counts_people)]


def _tried() -> list[tuple[type[Algorithm], Reach]]:
    """List the algorithms that are tried; those that can be used on more tuples are the quicker ones."""
    tried = [(declared, declared.reach) for declared in ALGORITHMS if declared.reach is not None]
    return sorted(tried, key=lambda pair: -math.inf if pair[1].tuples is None else -pair[1].tuples)


def _upto(tried: type[Algorithm], reach: Reach, size: Size) -> int:
    """Give what an algorithm needs where it has most tuples with which it would still be tried."""
    tuples = size.tuples if reach.tuples is None else min(size.tuples, reach.tuples)
    return tried().memory(replace(size, tuples=tuples))


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class Auto(Algorithm):
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
    takes_rows_in_turn: ClassVar[bool] = True
    walks_levels: ClassVar[bool] = True

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Leave it to the algorithms that are tried."""
        return True

    def memory(self, size: Size) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        needs = [_upto(tried, reach, size) for tried, reach in _tried()]
        return max(needs) * 5 // 4 + 8 * size.rows

    def seconds(self, size: Size) -> float:
        """Add up what is tried on so many tuples."""
        tried = [declared() for declared, reach in _tried() if reach.covers(size.tuples, counts_people=False)]
        return sum(algorithm.seconds(size) for algorithm in tried)

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Run each algorithm; raises Infeasible when none reaches the goals."""
        algorithms = suitable(len(encoded.tuples), goals.models)
        tried: list[str] = []
        losses: list[tuple[str, float | None]] = []
        best: tuple[float, Recoding] | None = None
        for done, algorithm in enumerate(algorithms):
            title = say(algorithm.title)
            part = progress.sub(done / len(algorithms), (done + 1) / len(algorithms))
            part(0.0, say("Trying {method}", method=title))
            try:
                found = run_keeping(algorithm, encoded, goals, limits, part)
            except Infeasible:
                tried.append(say("{method}: goals not reached", method=title))
                losses.append((algorithm.title, None))
                continue
            lm = loss(encoded, found)
            tried.append(say("{method}: LM {lm:.2%}", method=title, lm=lm))
            losses.append((algorithm.title, lm))
            if best is None or lm < best[0] - _TIE:
                made = say("Made by {method}.", method=title)
                told = replace(found, made_by=algorithm.title, attacks=algorithm.attacks)
                best = lm, replace(told, notes=(made, *found.notes), told_tried=(made,))
        if best is None:
            raise infeasible(encoded, goals, limits)
        kept = best[1]
        return replace(kept, notes=(*kept.notes, *tried), tried=tuple(losses), told_tried=(*kept.told_tried, *tried))
