"""Looking ahead for boxes that hold enough rows: nothing is overlooked, and nothing is found twice in vain."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss import boxes as best_loss_crowds
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.assignment import Ints, split_by_sensitive_values
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.boxes import (
    BoxCover,
    BoxKeys,
    FullBoxFinder,
    NodeQueue,
    Numbers,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable
from anonymizer_gui.engine.rooms.microdata.algorithms.goal_evaluation import GoalEvaluator
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of, models, tables

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})


@given(tables(), st.integers(1, 6), st.integers(0, 99))
def test_a_box_with_enough_rows_is_never_overlooked(encoded: EncodedTable, least: int, seed: int) -> None:
    levels = [qi.levels() for qi in encoded.qis]
    nodes = np.array(list(itertools.product(*(range(len(level)) for level in levels))))
    random = np.random.default_rng(seed)
    most = random.choice([np.inf, 0.0, 0.3], len(nodes)).astype(np.float32)
    keys = BoxKeys(encoded, SILENT, seed)
    crowds = FullBoxFinder(keys, NodeQueue(nodes, most), encoded.counts, least)
    left = np.arange(len(encoded.tuples))
    for place, node in enumerate(nodes.tolist()):
        asked = left[keys.lost(node, left) <= most[place]]
        boxes = Counter[tuple[int, ...]]()
        for unit in asked.tolist():
            box = tuple(
                int(level[at, encoded.tuples[unit, j]]) for j, (level, at) in enumerate(zip(levels, node, strict=True))
            )
            boxes[box] += int(encoded.counts[unit])
        full = max(boxes.values(), default=0) >= least
        assert crowds.may_be_full(place, 1, left) or not full
        left = left[random.random(len(left)) > 0.1]


@given(tables(), models())
def test_looking_ahead_changes_nothing(encoded: EncodedTable, goals: tuple[PrivacyModel, ...]) -> None:
    asked = goals_of(encoded, *goals)
    units = split_by_sensitive_values(encoded, asked)
    found = []
    for most_units in (0, 1 << 14):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(best_loss_crowds, "_MOST_UNITS", most_units)
            found.append(BoxCover(units, GoalEvaluator(units, asked), SILENT).gather().tolist())
    assert found[0] == found[1]


def test_what_lies_below_a_node_seen_with_all_units_is_not_walked_again() -> None:
    nodes = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [0, 2]])
    most = np.full(6, np.inf, dtype=np.float32)
    seen = np.array([False, False, False, True, False, False])
    assert NodeQueue(nodes, most).beyond(seen).nodes.tolist() == [[2, 0], [0, 2]]
    # Of the cheaper half alone nothing follows for what was left out.
    most[3] = 0.1
    assert NodeQueue(nodes, most).beyond(seen).nodes.tolist() == [[0, 0], [1, 0], [0, 1], [2, 0], [0, 2]]


def test_nodes_without_a_crowd_are_passed_over() -> None:
    # Three leaves of a tree of six, two rows each: only its upper levels hold boxes of four and of six rows.
    encoded = encoded_table([[0], [0], [1], [1], [5], [5]], [TREE])
    turns = NodeQueue(np.arange(3).reshape(-1, 1), np.full(3, np.inf, dtype=np.float32))
    for least, full in ((2, [True, True, True]), (4, [False, True, True]), (5, [False, False, True])):
        crowds = FullBoxFinder(BoxKeys(encoded, SILENT, 0), turns, encoded.counts, least)
        assert [crowds.may_be_full(place, 1, np.arange(3)) for place in range(3)] == full


@pytest.mark.parametrize(("pauses", "looks"), [(False, 7), (True, 1)])
def test_where_looking_ahead_finds_all_nodes_full_it_may_pause(pauses: bool, looks: int) -> None:
    encoded = encoded_table([[0], [0], [1], [1], [5], [5]], [TREE])
    turns = NodeQueue(np.zeros((20, 1), dtype=np.int64), np.full(20, np.inf, dtype=np.float32))
    asked = []
    looked_up = BoxKeys.of_all

    def looking(keys: BoxKeys, nodes: Ints) -> Numbers:
        asked.append(nodes)
        return looked_up(keys, nodes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_loss_crowds, "_CELLS_AT_ONCE", 9)
        patch.setattr(BoxKeys, "of_all", looking)
        crowds = FullBoxFinder(BoxKeys(encoded, SILENT, 0), turns, encoded.counts, 2, pauses=pauses)
        assert all(crowds.may_be_full(place, 1, np.arange(3)) for place in range(20))
    assert len(asked) == looks


def test_what_was_full_is_looked_at_again_when_many_units_are_gone() -> None:
    encoded = encoded_table([[0], [0], [1], [1], [5], [5]], [TREE])
    turns = NodeQueue(np.array([[0], [1], [1]]), np.full(3, np.inf, dtype=np.float32))
    crowds = FullBoxFinder(BoxKeys(encoded, SILENT, 0), turns, encoded.counts, 4)
    assert [crowds.may_be_full(place, 1, np.arange(3)) for place in (0, 1)] == [False, True]
    assert not crowds.may_be_full(2, 1, np.array([2]))
