"""Classes opened in cheap cells: they hold enough rows, keep what they promise, and share no class."""

import numpy as np
import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import exchanges
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import Ints
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.cyclic_exchange import ExchangeBlock, join_tables
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.exchanges import (
    CandidateLevels,
    ClassOpening,
    OpeningSearch,
    disjoint_openings,
    dissolve_costs,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})
K = 4


def block_of(encoded: EncodedTable, group: Ints) -> ExchangeBlock:
    joins = join_tables(encoded, np.arange(len(encoded.tuples)))
    assert joins is not None
    return ExchangeBlock(joins, encoded.counts.astype(np.float64), group, int(group.max()) + 20, SILENT)


def opened(seed: int, rows: int) -> tuple[EncodedTable, ExchangeBlock, CandidateLevels, list[ClassOpening]]:
    """Group the rows of a random table by chance, so many in each, and look for classes to open."""
    random = np.random.default_rng(seed)
    encoded = encoded_table(random.integers(0, 6, (150, 4)), [TREE] * 4)
    units = np.arange(len(encoded.tuples))
    block = block_of(encoded, random.permutation(units) // rows)
    levels = CandidateLevels(encoded, units, SILENT)
    look = OpeningSearch(block, levels.keys, dissolve_costs(block, block.nearest(units, 8)), K)
    found = [one for node in levels.drawn(block, 30, random) for one in look.at(node, 0.0)]
    assert found
    return encoded, block, levels, found


def after(block: ExchangeBlock, units: Ints, targets: Ints | int) -> Ints:
    group = block.group.copy()
    group[units] = targets
    return group


@pytest.mark.parametrize("seed", range(4))
def test_an_opening_gains_what_it_promises_where_no_class_is_dissolved(seed: int) -> None:
    encoded, block, _, found = opened(seed, 30)
    kept = [one for one in found if not len(one.closed)]
    assert kept
    new = int(np.flatnonzero(block.n_units == 0)[0])
    for one in kept[:20]:
        assert block.counts[one.units].sum() >= K
        again = block_of(encoded, after(block, one.units, new))
        # What is left may agree in more than before, so it can be more.
        assert block.total() - again.total() >= one.gain - 1e-3
        assert again.size[again.size > 0].min() >= K


@pytest.mark.parametrize("seed", range(4))
def test_openings_made_at_once_share_no_class_and_leave_none_too_small(seed: int) -> None:
    _, block, _, found = opened(seed, 5)
    made = disjoint_openings(block, dissolve_costs(block, block.nearest(np.arange(len(block.group)), 8)), found)
    assert len(made.units)
    assert len(np.unique(made.units)) == len(made.units)
    for classes in (block.group[made.units], made.targets):
        assert (made.owner[classes] == made.number).all()
    sizes = np.bincount(after(block, made.units, made.targets), block.counts)
    assert sizes[sizes > 0].min() >= K


def test_levels_are_drawn_at_which_a_row_loses_less_than_in_its_class() -> None:
    _, block, levels, _ = opened(0, 5)
    for node in levels.drawn(block, 40, np.random.default_rng(1)):
        assert (levels.keys.lost(node, np.arange(len(block.group))) < block.loss[block.group]).any()
    nothing_lost = ExchangeBlock(block.joins, block.counts, np.arange(len(block.group)), len(block.group), SILENT)
    assert list(levels.drawn(nothing_lost, 5, np.random.default_rng(1))) == []


def test_opening_classes_loses_less_than_exchanges_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {}
    for opens in (True, False):
        if not opens:
            monkeypatch.setattr(exchanges.BlockSearch, "_open", exchanges.BlockSearch._shake)
        lost[opens] = 0.0
        for seed in range(3):
            encoded = encoded_table(np.random.default_rng(seed).integers(0, 6, (200, 5)), [TREE] * 5)
            way = BestLoss(start="mondrian", checks=20_000)
            lost[opens] += recoding_loss(
                encoded, way.run(encoded, goals_of(encoded, KAnonymity(5)), SearchLimits(), SILENT)
            )
    assert lost[True] < lost[False]
