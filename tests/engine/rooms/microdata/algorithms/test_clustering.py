"""Clustering: the distance, each way to gather clusters against a plain account of it, and merging until goals hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Cancelled, Infeasible
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms import clustering as clustering_distances
from anonymizer_gui.engine.rooms.microdata.algorithms.clustering import (
    Clustering,
    JoinLoss,
    cluster_k_member,
    cluster_randomly,
    cluster_sequentially,
)
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import recoding_loss
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from tests.engine.rooms.microdata.algorithms.encoded_tables import (
    covers_rows,
    encoded_table,
    fulfilled,
    goals_of,
    models,
    tables,
)

TREE = Hierarchy.from_nested({"*": {"left": ["a", "b", "c"], "right": ["d", "e", "f"]}})


def distance(encoded: EncodedTable, one: int, other: int) -> float:
    """(1/M) times the sum of the LM of the common ancestors, in column order."""
    total = 0.0
    for j, qi in enumerate(encoded.qis):
        leaves = encoded.tuples[encoded.tuple_of_row[[one, other]], j].tolist()
        total += float(qi.hierarchy.loss[qi.hierarchy.common_ancestor(*leaves)])
    return (1 / len(encoded.qis)) * total


def loss_of(encoded: EncodedTable, rows: list[int]) -> float:
    total = 0.0
    for j, qi in enumerate(encoded.qis):
        leaves = encoded.tuples[encoded.tuple_of_row[rows], j].tolist()
        total += float(qi.hierarchy.loss[qi.hierarchy.common_ancestor(*leaves)])
    return (1 / len(encoded.qis)) * total


@given(tables(), st.integers(1, 6))
def test_sequential_does_exactly_what_its_definition_says(encoded: EncodedTable, k: int) -> None:
    unused, expected = list(range(encoded.n_rows)), []
    while len(unused) >= 2 * k:
        first, *others = unused
        others.sort(key=lambda row: (distance(encoded, first, row), row))
        expected.append(sorted([first, *others[: k - 1]]))
        unused = [row for row in unused if row not in expected[-1]]
    expected.append(unused)
    found = cluster_sequentially(encoded, np.arange(encoded.n_rows), k, SILENT)
    assert [sorted(cluster.tolist()) for cluster in found] == expected


@given(tables(), st.integers(1, 6))
def test_every_row_a_k_member_cluster_takes_adds_the_least_loss(encoded: EncodedTable, k: int) -> None:
    unused = set(range(encoded.n_rows))
    for cluster in cluster_k_member(encoded, np.arange(encoded.n_rows), k, SILENT):
        members = cluster.tolist()
        for taken in range(1, len(members)):
            before, row = members[:taken], members[taken]
            least = min(loss_of(encoded, [*before, other]) for other in unused - set(before))
            assert loss_of(encoded, [*before, row]) == pytest.approx(least)
        unused -= set(members)
    assert not unused


def test_distances_are_kept_only_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded, leaves = encoded_table([[0], [5]], [TREE]), np.arange(6, dtype=np.int32)
    before = [JoinLoss(encoded).loss(0, node, leaves).tolist() for node in range(len(TREE))]
    monkeypatch.setattr(clustering_distances, "_KEPT_BYTES", 2 * leaves.nbytes * 2)
    joining = JoinLoss(encoded)
    assert [joining.loss(0, node, leaves).tolist() for node in range(len(TREE))] == before
    assert len(joining._rows) <= 2


def test_looking_at_the_nearest_tuples_only_leaves_k_member_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(3).integers(0, 6, (300, 3))
    encoded = encoded_table(rows, [TREE, TREE, TREE])
    everyone = np.arange(300)
    whole = cluster_k_member(encoded, everyone, 7, SILENT)
    monkeypatch.setattr("anonymizer_gui.engine.rooms.microdata.algorithms.clustering._CANDIDATES", 5)
    near = cluster_k_member(encoded, everyone, 7, SILENT)
    assert [c.tolist() for c in whole] == [c.tolist() for c in near]


def test_random_blocks_have_k_rows_and_follow_the_seed() -> None:
    everyone = np.arange(23)
    blocks = cluster_randomly(everyone, 5, seed=1)
    assert [len(block) for block in blocks] == [5, 5, 5, 8]
    assert [b.tolist() for b in blocks] == [b.tolist() for b in cluster_randomly(everyone, 5, seed=1)]
    assert [b.tolist() for b in blocks] != [b.tolist() for b in cluster_randomly(everyone, 5, seed=2)]


@given(tables(max_rows=40), models(), st.sampled_from(["k-member", "sequential", "random"]))
def test_every_method_holds_the_goals_and_covers_its_rows(
    encoded: EncodedTable, goals: tuple[PrivacyModel, ...], method: str
) -> None:
    asked = goals_of(encoded, *goals)
    try:
        recoding = Clustering(method).run(encoded, asked, SearchLimits(), SILENT)
    except Infeasible:
        assert not asked.satisfied(encoded.groups(np.zeros(len(encoded.tuples), dtype=np.int64), 1))[0]
        return
    assert covers_rows(encoded, recoding)
    assert fulfilled(encoded, asked, recoding)
    assert (recoding.class_of_row >= 0).all()


def test_a_cluster_of_one_sensitive_value_is_merged_with_its_cheapest_neighbour() -> None:
    # The cluster of a has one value only; b is nearer than e.
    encoded = encoded_table([[0]] * 2 + [[1]] * 2 + [[4]] * 2, [TREE], [0, 0, 0, 1, 0, 1])
    asked = goals_of(encoded, KAnonymity(2), DistinctLDiversity(2))
    recoding = Clustering("sequential").run(encoded, asked, SearchLimits(), SILENT)
    assert sorted(TREE.labels[node] for node in recoding.node[:, 0]) == ["e", "left"]


def test_equal_rows_may_go_to_different_clusters() -> None:
    encoded = encoded_table([[0]] * 5 + [[1]], [TREE])
    recoding = Clustering("sequential").run(encoded, goals_of(encoded, KAnonymity(3)), SearchLimits(), SILENT)
    assert recoding.class_of_row.tolist() == [0, 0, 0, 1, 1, 1]


def test_rows_that_may_not_share_a_cell_are_clustered_apart() -> None:
    encoded = encoded_table([[0], [5]] * 4, [TREE], bounds=[(0, 1)])
    recoding = Clustering("random").run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), SILENT)
    assert recoding_loss(encoded, recoding) == 0


def test_a_cell_with_too_few_rows_is_suppressed_within_the_limit() -> None:
    encoded = encoded_table([[0]] * 19 + [[5]], [TREE], bounds=[(0, 1)])
    asked = goals_of(encoded, KAnonymity(2))
    with pytest.raises(Infeasible):
        Clustering().run(encoded, asked, SearchLimits(), SILENT)
    recoding = Clustering().run(encoded, asked, SearchLimits(0.05), SILENT)
    assert np.flatnonzero(recoding.class_of_row < 0).tolist() == [19]


def test_a_run_can_be_cancelled() -> None:
    encoded = encoded_table(np.random.default_rng(0).integers(0, 6, (100, 2)), [TREE, TREE])
    with pytest.raises(Cancelled):
        Clustering().run(encoded, goals_of(encoded, KAnonymity(2)), SearchLimits(), Progress(is_cancelled=lambda: True))
