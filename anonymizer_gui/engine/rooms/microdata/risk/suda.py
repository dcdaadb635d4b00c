"""Special uniques (SUDA2): rows that few columns are enough to single out."""

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.params import Int, Json, param
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import group_rows
from anonymizer_gui.engine.data.tables.table import Codes
from anonymizer_gui.engine.rooms.microdata.risk.contract import (
    MAX_CLASSES_SHOWN,
    RISKS,
    AttackView,
    Risk,
    RiskResult,
    summarise_attack,
)

_MOST_SETS = 20_000
Flags = npt.NDArray[np.bool_]
Set = tuple[int, ...]


@RISKS.register
@dataclass(frozen=True, slots=True)
class SpecialUniques(Risk):
    """Scores every row by its minimal sample uniques: sets of columns that single it out while no part of them does.

    A set of s of the n quasi-identifiers scores (n - s)(n - s - 1) ... (n - m), m below n being the largest size looked
    at: the fewer columns are enough, the higher. The score of a row is the sum over its sets. Hit is whoever has any.
    """

    name: ClassVar[str] = "special-uniques"
    title: ClassVar[str] = "Special uniques (SUDA2)"
    summary: ClassVar[str] = "How many people are singled out by a few columns, and which columns do it."
    attacker: ClassVar[str] = "Knows a few quasi-identifiers of a person, whichever they are."
    formula: ClassVar[str] = "score = Σ over minimal sets of s columns that are unique: Π (n - i), i = s ... m"
    reference: ClassVar[str] = (
        "Elliot, Manning, Ford, A computational algorithm for handling the special uniques problem, 2002; Manning, "
        "Haglin, Keane, A recursive search algorithm for statistical disclosure assessment, DMKD 16, 2008"
    )

    most: int = param(Int(low=1, high=10), default=3, label="Columns", help="The largest set of columns looked at.")

    def measure(self, exposure: AttackView, progress: Progress) -> RiskResult:
        """Give the share of people a few columns single out; the details hold what each column adds to the scores."""
        classes, names = exposure.classes, exposure.qis
        columns = [exposure.table.column(name).codes[classes.first_rows] for name in names]
        most = _most(len(names), self.most)
        found = _minimal(exposure, columns, most, progress)
        scores = np.zeros(len(classes))
        parts = np.zeros((len(classes), len(names)))
        for columns_of, classes_of in found.items():
            worth = math.prod(len(names) - size for size in range(len(columns_of), min(most, len(names) - 1) + 1))
            scores[classes_of] += worth
            parts[np.ix_(classes_of, np.array(columns_of))] += worth
        whole = float(scores.sum())
        hit = scores > 0
        people = exposure.people_in(hit)
        details = {
            "contributions": {
                name: float(share) / whole if whole else 0.0
                for name, share in zip(names, parts.sum(axis=0).tolist(), strict=True)
            },
            "scores": _scores(exposure, scores, parts),
            "sets": {" + ".join(names[at] for at in key): int(flags.sum()) for key, flags in found.items()},
            "looked_at": most,
        }
        return summarise_attack(exposure, people / max(exposure.n_people, 1), scores, hit, details)


def _scores(exposure: AttackView, scores: npt.NDArray[np.float64], parts: npt.NDArray[np.float64]) -> dict[str, Json]:
    """Tell the rows of highest score, each with its score and the share that every column takes part in."""
    worst = np.argsort(-scores, kind="stable")[:MAX_CLASSES_SHOWN]
    worst = worst[scores[worst] > 0]
    shares = (parts[worst] / scores[worst, None]).tolist()
    return {
        str(int(exposure.classes.first_rows[at])): {
            "score": float(scores[at]),
            "columns": dict(zip(exposure.qis, share, strict=True)),
        }
        for at, share in zip(worst.tolist(), shares, strict=True)
    }


def _most(columns: int, wanted: int) -> int:
    """Give the largest size of sets that can be looked at; not all sets of very many columns."""
    most = min(wanted, columns)
    while most > 1 and sum(math.comb(columns, size) for size in range(1, most + 1)) > _MOST_SETS:
        most -= 1
    return most


def _minimal(exposure: AttackView, columns: list[Codes], most: int, progress: Progress) -> dict[Set, Flags]:
    """Find for every set of columns the classes it singles out while no smaller set within it does."""
    found: dict[Set, Flags] = {}
    before: dict[Set, Flags] = {}
    for size in range(1, most + 1):
        unique: dict[Set, Flags] = {}
        for key in itertools.combinations(range(len(columns)), size):
            progress((size - 1) / most, "Looking for special uniques")
            unique[key] = _unique(exposure, [columns[at] for at in key])
            fresh = unique[key].copy()
            for part in itertools.combinations(key, size - 1):
                if part in before:
                    fresh &= ~before[part]
            if fresh.any():
                found[key] = fresh
        before = unique
    return found


def _unique(exposure: AttackView, columns: list[Codes]) -> Flags:
    """Say which classes hold the only person with these values."""
    classes = exposure.classes
    wider = group_rows(columns, len(classes))
    if exposure.persons is None:
        people = np.bincount(wider.ids, classes.sizes, len(wider))
    else:
        people = exposure.persons.merged(wider.ids, len(wider)).sizes
    return np.asarray(people[wider.ids] == 1)
