"""Auto: run what suits the size of the table, and keep the best."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.feasibility import explain_infeasible, run_with_table_goals
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.objectives import (
    CLASSIFICATION,
    OBJECTIVES,
    objective_param,
    recoding_cost,
    target_param,
    total_levels_climbed,
)
from anonymizer_gui.engine.rooms.microdata.models.contract import GoalSet, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS, Attempted, ProblemSize, Recoding, SizeLimit

_TIE = 1e-9  # rounding alone must not choose the algorithm


def suitable_algorithms(n_tuples: int, models: Sequence[PrivacyModel]) -> list[Algorithm]:
    """Choose the algorithms that end in reasonable time on so many different tuples, quickest first."""
    counts_people = any(model.needs_population for model in models)
    return [tried() for tried, reach in _tried() if reach.covers(n_tuples, counts_people=counts_people)]


def _tried() -> list[tuple[type[Algorithm], SizeLimit]]:
    """List the algorithms that are tried; those that can be used on more tuples are the quicker ones."""
    declared = [each for each in ALGORITHMS if each.tried_by_auto]
    tried = [(each, each.reach) for each in declared if each.reach is not None]
    return sorted(tried, key=lambda pair: -math.inf if pair[1].tuples is None else -pair[1].tuples)


def _upto(tried: type[Algorithm], reach: SizeLimit, size: ProblemSize) -> int:
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
        "Runs the algorithms that suit the size of the table and takes the result that costs least: Mondrian and "
        "top-down always, bottom-up up to 500,000 different combinations of quasi-identifiers, best loss up to "
        "300,000, clustering up to 20,000; with goals about a population, Mondrian up to 100,000 and best loss up "
        "to 20,000. Local suppression, which empties cells instead of generalising them, is run by Try All only."
    )
    reference: ClassVar[str] = "See each algorithm."
    attacks: ClassVar[str] = (
        "Minimality and downcoding as for the algorithm whose result is taken, which the notes of the release name."
    )
    takes_rows_in_turn: ClassVar[bool] = True
    walks_levels: ClassVar[bool] = True
    aims_at: ClassVar[str] = ""

    objective: str = objective_param(
        "By what the results are ranked; the algorithms that can follow it do. Those that cost the same are told apart "
        "by MD."
    )
    target: str = target_param()

    def target_columns(self) -> tuple[str, ...]:
        """The column whose values must be counted by class for the classification metric."""
        return (self.target,) if self.objective == CLASSIFICATION else ()

    def objective_asked(self) -> tuple[str, str]:
        """Tell the objective that was chosen."""
        return self.objective, self.target

    def following(self, objective: str, target: str = "") -> Self:
        """Rank by another objective."""
        return replace(self, objective=objective, target=target)

    def judges(self, models: Sequence[PrivacyModel]) -> bool:
        """Leave it to the algorithms that are tried."""
        return True

    def memory(self, size: ProblemSize) -> int:
        """Give the bytes a run takes at most beside the encoded table."""
        needs = [_upto(tried, reach, size) for tried, reach in _tried()]
        return max(needs) * 5 // 4 + 8 * size.rows

    def seconds(self, size: ProblemSize) -> float:
        """Add up what is tried on so many tuples."""
        tried = [declared() for declared, reach in _tried() if reach.covers(size.tuples, counts_people=False)]
        return sum(algorithm.seconds(size) for algorithm in tried)

    def run(self, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress) -> Recoding:
        """Run each algorithm; raises Infeasible when none reaches the goals."""
        algorithms = [
            each.following(*self.objective_asked()) for each in suitable_algorithms(len(encoded.tuples), goals.models)
        ]
        results: list[_Tried] = []
        best: tuple[_Tried, Recoding] | None = None
        for done, algorithm in enumerate(algorithms):
            part = progress.sub(done / len(algorithms), (done + 1) / len(algorithms))
            part(0.0, message("Trying {method}", method=message(algorithm.title)))
            try:
                found = run_with_table_goals(algorithm, encoded, goals, limits, part)
            except Infeasible:
                results.append(_Tried(algorithm, None))
                continue
            results.append(self._priced(algorithm, encoded, found))
            if best is None or results[-1].is_better_than(best[0]):
                best = results[-1], found
        if best is None:
            raise explain_infeasible(encoded, goals, limits)
        return self._told(*best, results)

    def _priced(self, algorithm: Algorithm, encoded: EncodedTable, found: Recoding) -> "_Tried":
        lm, md = recoding_loss(encoded, found), total_levels_climbed(encoded, found)
        cost = lm if self.objective == LEAST_LOSS else recoding_cost(encoded, found, *self.objective_asked())
        return _Tried(algorithm, lm, cost, md)

    def _told(self, best: "_Tried", found: Recoding, results: Sequence["_Tried"]) -> Recoding:
        """Say of the best who made it, and what the others came to."""
        made = message("Made by {method}.", method=message(best.algorithm.title))
        tried = [each.note(self.objective) for each in results]
        return replace(
            found,
            made_by=best.algorithm.title,
            attacks=best.algorithm.attacks,
            notes=(made, *found.notes, *tried),
            tried=tuple(Attempted(each.algorithm.title, each.lm, each.shown_cost(self.objective)) for each in results),
            told_tried=(made, *tried),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """One algorithm and what it came to; no loss where it did not reach the goals."""

    algorithm: Algorithm
    lm: float | None
    cost: float = math.inf
    md: float = math.inf

    def is_better_than(self, other: "_Tried") -> bool:
        """Tell whether it costs less, or as much and climbs fewer levels; rounding alone decides nothing."""
        slack = _TIE * max(1.0, abs(other.cost))
        if abs(self.cost - other.cost) > slack:
            return self.cost < other.cost
        return self.md < other.md - 0.5

    def shown_cost(self, objective: str) -> float | None:
        """Give the cost where it is something else than the loss."""
        return None if objective == LEAST_LOSS or self.lm is None else self.cost

    def note(self, objective: str) -> Message:
        """Say in a sentence what it came to."""
        title = message(self.algorithm.title)
        if self.lm is None:
            return message("{method}: goals not reached", method=title)
        if objective == LEAST_LOSS:
            return message("{method}: LM {lm:.2%}", method=title, lm=self.lm)
        return message(
            "{method}: LM {lm:.2%}, {objective} {cost:.6g} per record",
            method=title,
            lm=self.lm,
            objective=message(OBJECTIVES[objective].title),
            cost=self.cost,
        )
