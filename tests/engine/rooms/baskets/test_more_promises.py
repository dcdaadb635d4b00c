"""The four customers, what is sensitive, trees and their tournament, rules, usefulness and the attack."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadHierarchy, BadParameter, Infeasible, UnreadableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import ITEMS, Baskets
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriAnonymisation, AprioriWithoutRoot, RuleReplay
from anonymizer_gui.engine.rooms.baskets.algorithms.clustering import LocalClustering
from anonymizer_gui.engine.rooms.baskets.attack import exposure, exposures, max_known_items, rare_itemsets
from anonymizer_gui.engine.rooms.baskets.independent.recount import exposed_baskets, surest_guess
from anonymizer_gui.engine.rooms.baskets.item_hierarchies.orders import ITEM_HIERARCHIES, build_tree
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KAnonymity, KmAnonymity, LDiversity
from anonymizer_gui.engine.rooms.baskets.project import RULES, TABLE, Project
from anonymizer_gui.engine.rooms.baskets.release import read_rules, rules_of, write_rules
from anonymizer_gui.engine.rooms.baskets.run import run
from anonymizer_gui.engine.rooms.baskets.sweep import (
    compare_hierarchies,
    numeric_parameters,
    sweep_parameter,
    varied_parameter,
)
from anonymizer_gui.engine.rooms.baskets.utility import measure_utility
from tests.engine.rooms.baskets.making import groceries, plain_supports, released

TEST = "Pregnancy Test"
FOUR = Baskets.from_sets([["Milk", "Aspirin", TEST], ["Milk", "Aspirin"], ["Beer", "Diapers"], ["Beer", "Diapers"]])
FOUR_TREE = Hierarchy.from_nested({"*": {"Food": ["Milk", "Beer"], "Health": ["Aspirin", TEST], "Baby": ["Diapers"]}})


def test_the_four_customers_have_both_solutions() -> None:
    lifted, deleted, best = (
        released(FOUR, FOUR_TREE, LocalClustering(way=way), KAnonymity(k=2)) for way in ("generalise", "delete", "best")
    )
    assert lifted.published.sets() == [("Health", "Milk")] * 2 + [("Beer", "Diapers")] * 2
    assert deleted.published.sets() == [("Aspirin", "Milk")] * 2 + [("Beer", "Diapers")] * 2
    assert (lifted.measured.deleted, deleted.measured.deleted) == (0, 1)
    assert best.measured.ncp == min(lifted.measured.ncp, deleted.measured.ncp) == pytest.approx(1 / 9)
    assert lifted.measured.ncp == pytest.approx(3 * (2 / 5) / 9)


def test_a_sensitive_item_cannot_be_guessed_from_others() -> None:
    sets = [["wine", "cheese", "pill"]] * 3 + [["wine"]] * 6 + [["cheese"]] * 6 + [["bread", "wine"]] * 4
    baskets = Baskets.from_sets(sets)
    tree = Hierarchy.from_nested({"*": {"x": ["wine", "cheese", "bread"], "y": ["pill"]}})
    assert surest_guess(sets, "pill", 2) == (3, 3)
    for method in (AprioriWithoutRoot(delete=1.0), AprioriAnonymisation(), LocalClustering()):
        release = released(baskets, tree, method, KmAnonymity(k=2, m=2), LDiversity(sensitive="pill", l=2, m=2))
        with_item, holders = surest_guess(release.published.sets(), "pill", 2)
        assert with_item * 2 <= holders
        assert sum("pill" in held for held in release.published.sets()) == 3
        assert {promise.name: promise.holds for promise in release.promises} == {"km": True, "l": True}


def test_a_sensitive_column_stays_beside_and_every_other_column_goes() -> None:
    sets = [["a", "b"], ["a", "b"], ["a"], ["a"], ["b"], ["b"]]
    beside = Table.from_rows(["who", "illness"], [(f"n{at}", "flu" if at < 2 else f"i{at % 2}") for at in range(6)])
    baskets = Baskets.from_sets(sets, beside)
    tree = Hierarchy.from_nested({"*": {"x": ["a", "b"], "y": ["c"]}})
    for method in (AprioriWithoutRoot(delete=1.0), AprioriAnonymisation(), LocalClustering()):
        release = released(baskets, tree, method, KmAnonymity(k=2, m=2), LDiversity(sensitive="illness", l=2, m=2))
        assert release.published.beside.names == ("illness",)
        values = [str(text) for text in release.published.beside.column("illness").texts()]
        held = release.published.sets()
        for some in plain_supports(held, 2):
            assert len({value for value, each in zip(values, held, strict=True) if some <= set(each)}) >= 2


def test_what_cannot_be_diverse_is_refused() -> None:
    baskets = Baskets.from_sets([["a", "pill"]] * 4)
    tree = Hierarchy.from_nested({"*": ["a", "b"]})
    for method in (AprioriAnonymisation(), LocalClustering()):
        with pytest.raises(Infeasible):
            released(baskets, tree, method, LDiversity(sensitive="pill", l=2, m=1))
    with pytest.raises(BadParameter, match="neither a column nor an item"):
        released(baskets, tree, AprioriAnonymisation(), LDiversity(sensitive="wine", l=2, m=1))
    with pytest.raises(BadParameter, match="Nothing is named"):
        released(baskets, tree, AprioriAnonymisation(), LDiversity(l=2, m=1))


def test_promises_can_be_combined() -> None:
    release = released(FOUR, FOUR_TREE, LocalClustering(), KAnonymity(k=2), KmAnonymity(k=2, m=3))
    assert [promise.holds for promise in release.promises] == [True, True]


@pytest.mark.parametrize("kind", list(ITEM_HIERARCHIES), ids=lambda kind: str(kind.name))
def test_an_automatic_tree_has_every_item_and_groups_of_the_size_asked_for(kind: type) -> None:
    baskets = Baskets.from_sets([[f"i{at}", f"i{at * 7 % 20}", "Group 1-1"] for at in range(20)])
    tree = build_tree(kind(fan_out=3), baskets, SILENT)
    assert sorted(tree.leaf_labels) == sorted(baskets.items)
    assert max(len(tree.children(node)) for node in range(len(tree))) <= 3
    inner = [label for node, label in enumerate(tree.labels) if not tree.is_leaf[node]]
    assert not any(item in label for label in inner for item in baskets.items if item.startswith("i"))


def test_items_found_together_are_neighbours() -> None:
    baskets = Baskets.from_sets([["bread", "butter"]] * 9 + [["beer", "crisps"]] * 8 + [["bread", "beer"]])
    order = ITEM_HIERARCHIES.get("co-occurrence")(fan_out=2).order(baskets, SILENT)  # type: ignore[call-arg]
    assert order == ["bread", "butter", "beer", "crisps"]


def test_the_tournament_ranks_trees_by_what_they_lose(shared_data: Path) -> None:
    baskets, tree = groceries(shared_data)
    project = Project(goals=(KmAnonymity(),), algorithm=AprioriAnonymisation(), hierarchies={ITEMS: tree})
    found = compare_hierarchies(baskets, project, fan_outs=(5,))
    assert [each.ncp for each in found] == sorted(each.ncp for each in found)
    own = next(each for each in found if each.fan_out == 0)
    assert round(own.ncp, 5) == 0.07601
    by_frequency = next(each for each in found if str(each.title) == "By frequency")
    assert by_frequency.ncp < 0.0155


def test_rules_publish_the_next_month_as_the_last(tmp_path: Path) -> None:
    month = Baskets.from_sets([["a1", "b1"], ["a2", "b1"], ["a1", "b2"], ["a2", "b2"]] * 3 + [["a1"]])
    tree = Hierarchy.from_nested({"*": {"A": ["a1", "a2"], "B": ["b1", "b2"]}})
    first = released(month, tree, AprioriWithoutRoot(delete=0.0), KmAnonymity(k=4, m=2))
    write_rules(rules_of(first), tmp_path / "rules.csv")
    rules = read_rules(tmp_path / "rules.csv")
    assert set(rules.groups) == {"a1", "a2", "b1", "b2"}
    later = Baskets.from_sets([*month.sets()[::-1], ["a1", "new"]])
    project = Project(goals=(KmAnonymity(k=4, m=2),), algorithm=RuleReplay(delete=0.1))
    second = run(project, {TABLE: later, RULES: rules})
    assert set(second.published.items) == set(first.published.items)
    assert second.measured.deleted == 1
    with pytest.raises(Infeasible):
        run(replace(project, algorithm=RuleReplay(delete=0.0)), {TABLE: later, RULES: rules})


def test_rules_are_refused_where_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no rules"):
        rules_of(released(FOUR, FOUR_TREE, LocalClustering(), KAnonymity(k=2)))
    (tmp_path / "rules.csv").write_text("a,b,c\n1,2,3\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="holds no rules"):
        read_rules(tmp_path / "rules.csv")


def test_an_item_without_a_place_in_the_tree_is_named() -> None:
    with pytest.raises(BadHierarchy, match="no place in the tree"):
        released(
            Baskets.from_sets([["a", "z"]]),
            Hierarchy.from_nested({"*": ["a", "b"]}),
            AprioriAnonymisation(),
            KmAnonymity(),
        )


def test_usefulness_is_perfect_where_nothing_changed_and_worse_where_it_did() -> None:
    baskets = Baskets.from_sets([["bread", "butter"]] * 6 + [["bread"]] * 4 + [["butter", "milk"]] * 3)
    tree = Hierarchy.from_nested({"*": {"x": ["bread", "butter"], "y": ["milk"]}})
    same = measure_utility(
        released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=1, m=2)), baskets, confidence=0.5
    )
    assert same.mean_error == 0
    assert [(rule.one, rule.other, rule.before, rule.after) for rule in same.rules] == [
        ("milk", "butter", 1.0, 1.0),
        ("butter", "bread", 6 / 9, 6 / 9),
        ("bread", "butter", 0.6, 0.6),
    ]
    assert same.kept == len(same.rules)
    coarse = measure_utility(
        released(baskets, tree, AprioriAnonymisation(), KmAnonymity(k=4, m=2)), baskets, confidence=0.5
    )
    assert coarse.mean_error > 0.1


def test_usefulness_knows_what_is_sensitive_and_what_became_a_group_in_some_baskets() -> None:
    baskets = Baskets.from_sets([["wine", "pill"]] * 3 + [["wine"]] * 6 + [["cheese"]] * 6)
    tree = Hierarchy.from_nested({"*": {"x": ["wine", "cheese"], "y": ["pill"]}})
    same = released(
        baskets, tree, AprioriAnonymisation(), KmAnonymity(k=2, m=2), LDiversity(sensitive="pill", l=2, m=2)
    )
    assert measure_utility(same, baskets).mean_error == 0
    found = measure_utility(released(FOUR, FOUR_TREE, LocalClustering(way="generalise"), KAnonymity(k=2)), FOUR)
    assert {each.items: each.after for each in found.sets} == {
        ("Aspirin",): 1, ("Beer",): 2, ("Diapers",): 2, ("Milk",): 2, ("Aspirin", "Milk"): 1, ("Beer", "Diapers"): 2,
    }  # fmt: skip


@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=5), min_size=1, max_size=15), st.integers(1, 3))
def test_the_attack_finds_whom_a_plain_count_finds(sets: list[list[str]], m: int) -> None:
    baskets = Baskets.from_sets(sets)
    found = exposure(baskets, m)
    for k in (2, 3, 5):
        assert found.exposed(k) == len(exposed_baskets(sets, k, m))
        assert [each.exposed(k) for each in exposures(baskets, m)] == [
            len(exposed_baskets(sets, k, n + 1)) for n in range(m)
        ]
    counts = plain_supports(sets, m)
    listed = rare_itemsets(baskets, m, below=2)
    assert {frozenset(each.items) for each in listed} == {some for some, count in counts.items() if count == 1}
    assert all(set(each.items) <= set(baskets.held(each.basket)) for each in listed)


def test_three_known_items_are_tried_unless_baskets_are_too_large() -> None:
    assert max_known_items(FOUR) == 3
    assert max_known_items(Baskets.from_sets([[f"i{at}" for at in range(400)]])) == 2


def test_a_sweep_is_known_again_by_what_varied() -> None:
    project = Project(goals=(KmAnonymity(),), algorithm=AprioriWithoutRoot())
    varied = [each.project for each in sweep_parameter(project, numeric_parameters(project)[0], (2, 5))]
    assert varied_parameter(varied) == ("k", [2.0, 5.0])
    assert varied_parameter([project, project]) is None
    assert varied_parameter([*varied, replace(project, algorithm=AprioriAnonymisation())]) is None
    assert varied_parameter([*varied, replace(project, algorithm=AprioriWithoutRoot(delete=0.5))]) is None
    assert varied_parameter([varied[0], replace(varied[1], hierarchies={ITEMS: FOUR_TREE})]) is None


def test_the_attack_can_be_about_one_item() -> None:
    listed = rare_itemsets(FOUR, 2, below=2, containing="pregnan")
    assert {each.items for each in listed} == {(TEST,), ("Aspirin", TEST), ("Milk", TEST)}
    assert {each.basket for each in listed} == {0}


def test_a_sweep_varies_promises_and_method() -> None:
    project = Project(goals=(KmAnonymity(),), algorithm=AprioriWithoutRoot())
    assert [(name, param.name) for name, param in numeric_parameters(project)] == [
        ("km", "k"),
        ("km", "m"),
        ("aa-r", "delete"),
    ]
    attempts = sweep_parameter(project, numeric_parameters(project)[2], (0.0, 0.05))
    assert [attempt.project.algorithm for attempt in attempts] == [
        AprioriWithoutRoot(delete=0.0),
        AprioriWithoutRoot(delete=0.05),
    ]
