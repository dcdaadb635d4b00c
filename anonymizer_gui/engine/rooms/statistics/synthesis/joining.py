"""Which pairs of columns are counted: a tree, a star around a column, or a net in which columns hang on two others."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.rooms.statistics.synthesis.counting import Edge

Kind = Literal["tree", "star", "net"]


@dataclass(frozen=True, slots=True)
class Joining:
    """A way to join so many columns; a star has a middle, a net may have one, or choose it first.

    A net is the middle with every column, and a tree over all columns but the middle (tree-augmented naive Bayes of
    Friedman, Geiger and Goldszmidt 1997): each column is drawn by the middle and one other.
    """

    kind: Kind
    columns: int
    middle: int | None = None

    @property
    def pairs(self) -> int:
        """How many pairs are counted at most."""
        return 2 * self.columns - 3 if self.kind == "net" and self.columns > 1 else self.columns - 1

    @property
    def picks(self) -> int:
        """How many choices are made; none where all pairs are counted anyway."""
        if self.kind == "star" or self.columns == 2:
            return 0
        if self.kind == "tree":
            return self.columns - 1
        return 0 if self.columns <= 3 else self.columns - 2 + int(self.middle is None)

    @property
    def shares(self) -> tuple[Fraction, Fraction]:
        """The shares of the budget for single columns, and for all choices; pairs have the rest.

        A net counts twice as many pairs and needs more for them.
        """
        singles, choice = (Fraction(1, 10),) * 2 if self.kind == "net" else (Fraction(1, 4), Fraction(1, 6))
        return singles, choice if self.picks else Fraction(0)

    def picks_middle(self, picked: int) -> bool:
        """Tell whether the choice after so many others is that of the middle."""
        return self.kind == "net" and self.middle is None and picked == 0

    def candidates(self) -> list[Edge]:
        """List all pairs."""
        return list(itertools.combinations(range(self.columns), 2))

    def joinable(self, picks: Sequence[Ints]) -> list[int]:
        """Give the places of the pairs that can be picked next: those that join two parts of the tree."""
        middle, chosen = self._picked(picks)
        return [at for at in _joining(self.candidates(), chosen) if middle not in self.candidates()[at]]

    def edges(self, picks: Sequence[Ints]) -> list[Edge]:
        """Give the pairs that are counted; a pick that closes a circle is of no use and left out."""
        if self.kind == "star":
            return self._around(self.middle or 0)
        if not self.picks:
            return self.candidates()
        middle, chosen = self._picked(picks)
        return chosen if middle is None else [*self._around(middle), *chosen]

    def _around(self, middle: int) -> list[Edge]:
        return [(min(middle, other), max(middle, other)) for other in range(self.columns) if other != middle]

    def _picked(self, picks: Sequence[Ints]) -> tuple[int | None, list[Edge]]:
        """Give the middle of a net, and the pairs of the tree picked so far."""
        left = list(picks)
        middle = self.middle if self.kind == "net" else None
        if self.picks_middle(0) and left:
            middle = int(left.pop(0)[0])
        edges, chosen = self.candidates(), list[Edge]()
        for pick in left:
            at = int(pick[0])
            if at in _joining(edges, chosen) and middle not in edges[at]:
                chosen.append(edges[at])
        return middle, chosen


def _joining(edges: Sequence[Edge], chosen: Sequence[Edge]) -> list[int]:
    """Give the places of the pairs that join two parts; others would close a circle."""
    part = {column: column for edge in edges for column in edge}
    for one, other in chosen:
        old, new = part[other], part[one]
        part = {column: new if label == old else label for column, label in part.items()}
    return [at for at, (one, other) in enumerate(edges) if part[one] != part[other]]


def drawing_order(columns: int, edges: Sequence[Edge]) -> list[tuple[int, tuple[int, ...]]]:
    """Give the columns in an order in which each is joined to few before it, and to which ones (maximum cardinality).

    >>> drawing_order(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    [(2, ()), (0, (2,)), (1, (0, 2)), (3, (2,))]
    """
    near: list[set[int]] = [{sum(edge) - at for edge in edges if at in edge} for at in range(columns)]
    drawn: list[int] = []
    order = []
    while len(drawn) < columns:
        left = [at for at in range(columns) if at not in drawn]
        best = max(left, key=lambda at: (len(near[at] & set(drawn)), len(near[at]), -at))
        order.append((best, tuple(sorted(near[best] & set(drawn)))))
        drawn.append(best)
    return order
