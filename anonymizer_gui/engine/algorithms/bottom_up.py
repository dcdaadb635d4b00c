"""Bottom-up: one level per column, the one of least loss among all that satisfy."""

from dataclasses import dataclass
from typing import ClassVar

from anonymizer_gui.engine.algorithms.contract import Encoded, Limits, Recoding
from anonymizer_gui.engine.algorithms.explain import infeasible
from anonymizer_gui.engine.algorithms.lattice_check import Checker
from anonymizer_gui.engine.algorithms.lattice_search import Search
from anonymizer_gui.engine.algorithms.suppression import allowed_rows
from anonymizer_gui.engine.goals import Goals
from anonymizer_gui.engine.params import Choice, param
from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.registry import ALGORITHMS

STOPS = {
    "optimum": "The node of least loss in the whole lattice",
    "first-level": "The best node of the first level that satisfies (the classroom rule)",
}


@ALGORITHMS.register
@dataclass(frozen=True, slots=True)
class BottomUp:
    """Full-domain generalization with proof that no other choice of levels loses less."""

    name: ClassVar[str] = "bottom-up"
    title: ClassVar[str] = "Bottom-up (full-domain)"
    summary: ClassVar[str] = (
        "Lifts every column to one level of its hierarchy; searches the whole lattice of levels and proves that no "
        "node which satisfies the goals loses less."
    )
    reference: ClassVar[str] = (
        "Samarati, TKDE 13(6), 2001; LeFevre, DeWitt, Ramakrishnan, SIGMOD 2005; Kohlmayer et al., PASSAT 2012"
    )
    attacks: ClassVar[str] = (
        "Minimality: somebody who knows the algorithm and the goals can rule out tables for which a lower level "
        "would have been enough. Downcoding does not apply: all values of a column are lifted to the same level."
    )

    stop: str = param(Choice(STOPS), default="optimum", label="Stop at", help="Which node of the lattice is taken.")

    def run(self, encoded: Encoded, goals: Goals, limits: Limits, progress: Progress) -> Recoding:
        """Find the node of least loss; raises Infeasible when not even the top satisfies."""
        checker = Checker(encoded, goals, allowed_rows(encoded.n_rows, limits.suppression))
        search = Search(checker)
        node = search.find_optimum(progress) if self.stop == "optimum" else search.find_first_level(progress)
        if node is None:
            raise infeasible(encoded, goals, limits)
        return checker.publish(node, search.lattice(node))
