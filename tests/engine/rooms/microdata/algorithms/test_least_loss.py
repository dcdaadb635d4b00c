"""The proven bound of the loss: never above what anybody reaches, and the number that counting by hand gives."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled, Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.encoding import encode_table, goal_set_for
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.algorithms.loss_bound import loss_bound
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from tests.engine.rooms.microdata.algorithms.adult import adult
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of

TREES = (
    Hierarchy.from_nested({"*": {"a": ["1", "2", "3"], "b": ["4", "5"]}}),
    Hierarchy.from_nested({"*": ["x", "y", "z"]}),
    Hierarchy.from_nested({"*": {"p": {"q": ["6", "7"], "r": ["8"]}, "s": ["9"]}}),
)
ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 3), st.integers(0, 2)), min_size=1)


def by_hand(encoded: EncodedTable, k: int, diverse: int = 1) -> float:
    """Try every combination of levels for every row."""
    rows = encoded.tuples[encoded.tuple_of_row]
    values = encoded.sensitive_of_row.get("s", np.zeros(len(rows), dtype=int))
    best = np.ones(len(rows))
    for node in itertools.product(*(qi.levels() for qi in encoded.qis)):
        cells = [tuple(level[leaf] for level, leaf in zip(node, row, strict=True)) for row in rows.tolist()]
        for at, cell in enumerate(cells):
            inside = [value for other, value in zip(cells, values.tolist(), strict=True) if other == cell]
            if len(inside) >= k and len(set(inside)) >= diverse:
                lost = sum(qi.weight * qi.hierarchy.loss[n] for qi, n in zip(encoded.qis, cell, strict=True))
                best[at] = min(best[at], lost)
    return float(best.mean())


@given(ROWS, st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_the_bound_is_what_every_row_must_lose(rows: list[tuple[int, ...]], k: int, diverse: int) -> None:
    encoded = encoded_table([row[:3] for row in rows], TREES, [row[3] for row in rows])
    goals = goals_of(encoded, KAnonymity(k), DistinctLDiversity(diverse))
    assert loss_bound(encoded, goals) == pytest.approx(by_hand(encoded, k, diverse))


@given(ROWS, st.integers(1, 4), st.floats(0, 1))
@settings(max_examples=15, deadline=None)
def test_no_algorithm_is_below_the_bound(rows: list[tuple[int, ...]], k: int, suppressed: float) -> None:
    encoded = encoded_table([row[:3] for row in rows], TREES, [row[3] for row in rows])
    for models in ((KAnonymity(k),), (KAnonymity(k), TCloseness(0.3))):
        goals = goals_of(encoded, *models)
        least = loss_bound(encoded, goals)
        assert least is not None
        for algorithm in (BottomUp(), BestLoss()):
            try:
                found = algorithm.run(encoded, goals, SearchLimits(suppressed), SILENT)
            except Infeasible:
                continue
            assert recoding_loss(encoded, found) >= least - 1e-9


def test_levels_that_may_not_be_published_do_not_count() -> None:
    rows = [(0, 0, 0), (0, 0, 0)]
    encoded = encoded_table(rows, TREES, bounds=[(1, None), (0, None), (0, None)])
    assert loss_bound(encoded, goals_of(encoded, KAnonymity(2))) == pytest.approx(TREES[0].loss[1] / 3)


def test_what_would_take_too_long_gives_no_bound() -> None:
    encoded = encoded_table([(0, 0, 0), (1, 1, 1), (2, 2, 2)], TREES)
    assert loss_bound(encoded, goals_of(encoded, KAnonymity(2)), most_visits=3) is None


def test_the_proof_stops_when_told_to() -> None:
    progress = Progress(is_cancelled=lambda: True)
    encoded = encoded_table([(0, 0, 0), (1, 1, 1)], TREES)
    with pytest.raises(Cancelled):
        loss_bound(encoded, goals_of(encoded, KAnonymity(2)), progress)


@pytest.mark.parametrize(("k", "bound"), [(5, 0.03015), (10, 0.04307), (50, 0.08459)])
def test_adult_cannot_lose_less(shared_data: Path, k: int, bound: float) -> None:
    table, project = adult(shared_data)
    project = replace(project, goals=(KAnonymity(k),))
    encoded = encode_table(table, project)
    assert loss_bound(encoded, goal_set_for(encoded, project, table)) == pytest.approx(bound, abs=5e-6)
