"""k^m-anonymity: numbers of four other engines, the best cut of small trees, and random baskets."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriAnonymisation, AprioriWithoutRoot, Deletion
from anonymizer_gui.engine.rooms.baskets.algorithms.clustering import LocalClustering
from anonymizer_gui.engine.rooms.baskets.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.baskets.item_hierarchies.orders import Alphabetical, Frequency, build_tree
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KAnonymity, KmAnonymity
from tests.engine.rooms.baskets.making import (
    EXAMPLE,
    EXAMPLE_TREE,
    groceries,
    is_km,
    loss_of_cut,
    msweb,
    plain_supports,
    released,
)


@pytest.mark.parametrize(
    ("k", "m", "ncp"), [(5, 1, 0.00260), (5, 2, 0.07601), (25, 2, 0.13735), (5, 3, 0.13735)], ids=str
)
def test_groups_alone_lose_what_four_other_engines_lose_on_groceries(
    shared_data: Path, k: int, m: int, ncp: float
) -> None:
    baskets, tree = groceries(shared_data)
    release = released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=k, m=m))
    assert round(release.measured.ncp, 5) == ncp
    assert release.measured.deleted == 0
    assert is_km(release.published.sets(), k, m)
    assert release.measured.values_left == {(5, 1): 151, (5, 2): 16}.get((k, m), 10)


def test_groups_alone_lose_what_other_engines_lose_on_the_web_site(shared_data: Path) -> None:
    baskets = msweb(shared_data)
    assert (len(baskets), len(baskets.items)) == (32711, 285)
    release = released(
        baskets, build_tree(Alphabetical(fan_out=5), baskets, SILENT), AprioriAnonymisation(), KmAnonymity(k=5, m=2)
    )
    assert round(release.measured.ncp, 5) == 0.02035
    assert release.measured.exposed_after == release.measured.unique_after == 0
    assert 0 < release.measured.unique_before < release.measured.exposed_before


def test_a_few_deletions_keep_many_more_values(shared_data: Path) -> None:
    baskets, tree = groceries(shared_data)
    found = [
        released(baskets, tree, AprioriWithoutRoot(delete=share), KmAnonymity()).measured for share in (0.0, 0.01, 0.05)
    ]
    assert [each.values_left for each in found] == sorted(each.values_left for each in found)
    assert found[0].values_left == 16
    assert found[1].values_left >= 35
    assert found[2].values_left >= 50
    assert all(each.share_deleted <= share for each, share in zip(found, (0.0, 0.01, 0.05), strict=True))


def test_the_root_is_forbidden_where_deleting_helps_more() -> None:
    often = [["a", "b"], ["a", "c"], ["b", "c"]] * 10
    baskets = Baskets.from_sets([*often, ["rare", "a"]])
    tree = Hierarchy.from_nested({"*": {"x": ["a", "b", "c"], "y": ["rare"]}})
    plain, thinned = (
        released(baskets, tree, way, KmAnonymity(k=2, m=2))
        for way in (AprioriAnonymisation(), AprioriWithoutRoot(delete=0.05))
    )
    assert set(plain.published.items) == {"*"}
    assert any("root" in note for note in plain.notes)
    assert set(thinned.published.items) == {"a", "b", "c"}
    assert thinned.measured.deleted == 1


def test_the_worked_example_comes_out_as_it_is_told() -> None:
    baskets, tree = Baskets.from_sets(EXAMPLE), Hierarchy.from_nested(EXAMPLE_TREE)
    assert plain_supports(EXAMPLE, 2)[frozenset({"a1", "b1"})] == 1
    release = released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=2, m=2))
    assert set(release.published.items) == {"A", "b1", "b2"}
    found = plain_supports(release.published.sets(), 3)
    assert [found[frozenset(some)] for some in (("A", "b1"), ("A", "b2"), ("b1", "b2"), ("A", "b1", "b2"))] == [
        3,
        3,
        2,
        2,
    ]
    assert is_km(release.published.sets(), 2, 3)
    assert not is_km(release.published.sets(), 3, 2)


@pytest.mark.parametrize(("k", "is_kept"), [(4, True), (5, False)], ids=["k baskets", "k - 1 baskets"])
def test_a_pair_in_exactly_k_baskets_stays(k: int, is_kept: bool) -> None:
    baskets = Baskets.from_sets([["a", "b"]] * 4 + [["a"], ["b"]] * 5)
    tree = Hierarchy.from_nested({"*": {"x": ["a", "b"], "y": ["c"]}})
    release = released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=k, m=2))
    assert ("a" in release.published.items) is is_kept
    assert release.measured.smallest_support >= k


def test_on_small_trees_no_cut_loses_less_by_much() -> None:
    items = [f"i{number}" for number in range(8)]
    tree = Hierarchy.from_nested({"*": {f"g{at}": items[2 * at : 2 * at + 2] for at in range(4)}})
    sets = [[items[(3 * at + step * step) % 8] for step in range(1 + at % 4)] for at in range(60)]
    baskets = Baskets.from_sets(sets)
    release = released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=6, m=2))
    best = 1.0
    for lifted in itertools.product((False, True), repeat=4):
        cut = [
            int(tree.parents[leaf]) if lifted[at // 2] else int(leaf) for at, leaf in enumerate(tree.leaves.tolist())
        ]
        number = tree.leaf_number
        published = [[tree.labels[cut[number[item]]] for item in held] for held in sets]
        if is_km(published, 6, 2):
            best = min(best, loss_of_cut(baskets, tree, cut))
    assert best < 1.0
    assert release.measured.ncp <= best * 1.2


def every_cut(tree: Hierarchy, node: int = 0) -> Iterator[dict[int, int]]:
    """List every cut below a node: which node each leaf is published as."""
    leaves = range(int(tree.first_leaf[node]), int(tree.end_leaf[node]))
    yield dict.fromkeys(leaves, node)
    if not tree.is_leaf[node]:
        for parts in itertools.product(*(list(every_cut(tree, child)) for child in tree.children(node))):
            yield {leaf: at for part in parts for leaf, at in part.items()}


def best_loss(baskets: Baskets, tree: Hierarchy, k: int) -> float:
    """Give the least loss of any cut that keeps k^2-anonymity, by trying all of them."""
    number, best = tree.leaf_number, 1.0
    for cut in every_cut(tree):
        loss = loss_of_cut(baskets, tree, [cut[leaf] for leaf in range(tree.n_leaves)])
        published = [[tree.labels[cut[number[item]]] for item in held] for held in baskets.sets()]
        if loss < best and is_km(published, k, 2):
            best = loss
    return best


def test_groups_are_the_best_there_are_on_most_small_trees() -> None:
    ratios = []
    for seed in range(6):
        random = Random(seed)
        items = [f"i{number:02}" for number in range(12)]
        random.shuffle(items)
        nested = {f"g{at}": {f"h{at}{by}": items[4 * at + 2 * by :][:2] for by in range(2)} for at in range(3)}
        tree = Hierarchy.from_nested({"*": nested})
        sets = [random.choices(items, [1 / (at + 1) for at in range(12)], k=1 + random.randrange(4)) for _ in range(80)]
        baskets = Baskets.from_sets(sets)
        found = released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=4, m=2)).measured.ncp
        ratios.append(found / best_loss(baskets, tree, 4))
    assert min(ratios) >= 1 - 1e-9
    assert sum(ratio < 1 + 1e-9 for ratio in ratios) >= 4
    assert max(ratios) < 1.5


BASKETS = st.lists(st.lists(st.sampled_from([f"i{n}" for n in range(9)]), max_size=6), min_size=1, max_size=30)
METHODS: list[Algorithm] = [AprioriAnonymisation(), AprioriWithoutRoot(delete=1.0), Deletion()]


@given(BASKETS, st.integers(1, 5), st.integers(1, 3))
def test_every_method_keeps_its_promise_on_any_baskets(sets: list[list[str]], k: int, m: int) -> None:
    baskets = Baskets.from_sets(sets)
    tree = build_tree(Alphabetical(fan_out=3), baskets, SILENT)
    for method in METHODS:
        try:
            release = released(baskets, tree, method, KmAnonymity(k=k, m=m))
        except Infeasible:
            assert isinstance(method, AprioriAnonymisation)
            continue
        assert is_km(release.published.sets(), k, m)
        assert len(release.published) == len(sets)
        assert k > 1 or release.published.sets() == baskets.sets()
        assert 0.0 <= release.measured.ncp <= 1.0


@given(BASKETS, st.integers(1, 4))
def test_whole_baskets_are_equal_in_groups(sets: list[list[str]], k: int) -> None:
    baskets = Baskets.from_sets(sets)
    tree = build_tree(Frequency(fan_out=3), baskets, SILENT)
    for way in ("best", "generalise", "delete"):
        if len(sets) < k:
            with pytest.raises(Infeasible):
                released(baskets, tree, LocalClustering(way=way), KAnonymity(k=k))
            continue
        release = released(baskets, tree, LocalClustering(way=way), KAnonymity(k=k))
        published = release.published.sets()
        assert min(published.count(held) for held in published) >= k


def test_odd_baskets_do_no_harm() -> None:
    long = [f"i{number:03}" for number in range(300)]
    for sets in ([[], []], [["a"]], [["a", "b"]] * 7, [long, *[[item] for item in long] * 2]):
        baskets = Baskets.from_sets(sets)
        for method in (AprioriWithoutRoot(delete=1.0), Deletion()):
            release = released(baskets, build_tree(Alphabetical(), baskets, SILENT), method, KmAnonymity(k=2, m=2))
            assert is_km(release.published.sets(), 2, 2)


def test_the_order_of_the_baskets_changes_nothing_about_the_promise() -> None:
    random = np.random.default_rng(4)
    names = [f"item {number}" for number in range(27)]
    held = [[names[at] for at in set((random.geometric(0.15, 4) - 1).tolist()) if at < 27] for _ in range(600)]
    baskets = Baskets.from_sets(held)
    groups = {f"g{nine}": {f"g{nine}.{t}": names[9 * nine + 3 * t :][:3] for t in range(3)} for nine in range(3)}
    tree = Hierarchy.from_nested({"*": groups})
    turned = baskets.take(list(range(len(baskets)))[::-1])
    releases = [released(each, tree, AprioriWithoutRoot(), KmAnonymity()) for each in (baskets, turned)]
    assert releases[0].published.sets() == releases[1].published.sets()[::-1]
    assert set(releases[0].published.items) & set(tree.labels) - set(names), "something was generalised"


def test_too_small_a_budget_says_how_much_is_needed() -> None:
    baskets = Baskets.from_sets([["a", "b"], ["c"], ["d"]] * 2 + [["x"]])
    tree = Hierarchy.from_nested({"*": ["a", "b", "c", "d", "x"]})
    with pytest.raises(Infeasible, match="would have to be deleted") as caught:
        released(baskets, tree, AprioriWithoutRoot(delete=0.0), KmAnonymity(k=2, m=2))
    needed = float(caught.value.nearest)
    assert (
        released(baskets, tree, AprioriWithoutRoot(delete=needed + 0.001), KmAnonymity(k=2, m=2)).measured.share_deleted
        > 0
    )


def test_a_method_for_few_items_refuses_whole_baskets() -> None:
    with pytest.raises(BadParameter, match="not the whole basket"):
        released(Baskets.from_sets(EXAMPLE), Hierarchy.from_nested(EXAMPLE_TREE), AprioriWithoutRoot(), KAnonymity(k=2))
