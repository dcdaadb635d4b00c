"""Level bounds hold in trees of uneven depth, whatever uneven means and whichever algorithm runs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding
from tests.engine.rooms.microdata.algorithms.encoded_tables import covers_rows, encoded_table, goals_of

few = settings(max_examples=max(settings().max_examples // 2, 1))
VARIANTS = {
    **{name: ALGORITHMS.get(name)() for name in ALGORITHMS.names()},
    "mondrian relaxed": Mondrian(mode="relaxed", choice="lm-gain"),
    "mondrian by hierarchy": Mondrian(cuts=(("a", "hierarchy"), ("b", "hierarchy"))),
    "mondrian with ranges": Mondrian(labels=(("a", "range"), ("b", "range"))),
    "top-down full-domain": TopDown(reading="full-domain"),
}


@st.composite
def uneven_trees(draw: st.DrawFn) -> Hierarchy:
    """Draw a tree in which leaves stand at depths one to four."""
    depths = [0, 1, *draw(st.lists(st.integers(1, 4), max_size=12))]
    for place in range(1, len(depths)):
        depths[place] = min(depths[place], depths[place - 1] + 1)
    return Hierarchy.from_depths(["*", *(f"node {i}" for i in range(1, len(depths)))], depths)


@st.composite
def bounded_tables(draw: st.DrawFn) -> EncodedTable:
    """Draw a table of one to three columns, each with level bounds of its own."""
    trees = draw(st.lists(uneven_trees(), min_size=2, max_size=3))
    bounds = []
    for tree in trees:
        lowest = draw(st.integers(0, tree.height))
        bounds.append((lowest, draw(st.integers(lowest, tree.height))))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(1, 40))
    rows = np.stack([random.integers(0, tree.n_leaves, n_rows) for tree in trees], axis=1)
    encoded = encoded_table(rows, trees, bounds=bounds)
    uneven = draw(st.sampled_from(["cap", "climb"]))
    return replace(encoded, qis=tuple(replace(qi, uneven=uneven) for qi in encoded.qis))


def cells_between(encoded: EncodedTable, recoding: Recoding, level: int) -> tuple[np.ndarray, np.ndarray]:
    """Give for the published rows the leaves of their cell at a level of those allowed."""
    leaves = encoded.tuples[encoded.tuple_of_row[recoding.class_of_row >= 0]]
    nodes = [qi.levels()[level][leaves[:, j]] for j, qi in enumerate(encoded.qis)]
    low = np.stack([qi.hierarchy.first_leaf[node] for qi, node in zip(encoded.qis, nodes, strict=True)], axis=1)
    high = np.stack([qi.hierarchy.end_leaf[node] - 1 for qi, node in zip(encoded.qis, nodes, strict=True)], axis=1)
    return low, high


@pytest.mark.parametrize("variant", VARIANTS)
@few
@given(encoded=bounded_tables(), k=st.integers(1, 6), limit=st.sampled_from([0.0, 0.3, 1.0]))
def test_every_cell_covers_its_rows_and_keeps_within_the_bounds(
    variant: str, encoded: EncodedTable, k: int, limit: float
) -> None:
    try:
        recoding = VARIANTS[variant].run(encoded, goals_of(encoded, KAnonymity(k)), SearchLimits(limit), SILENT)
    except Infeasible:
        return
    assert covers_rows(encoded, recoding)
    of_row = recoding.class_of_row[recoding.class_of_row >= 0]
    low, high = recoding.low[of_row], recoding.high[of_row]
    finest_low, finest_high = cells_between(encoded, recoding, 0)
    top_low, top_high = cells_between(encoded, recoding, -1)
    assert (low <= finest_low).all()
    assert (finest_high <= high).all()
    assert (top_low <= low).all()
    assert (high <= top_high).all()
