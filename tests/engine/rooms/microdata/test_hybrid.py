"""(k, k^m)-anonymity: classes over relational and place columns, sets safe inside each, exposed rows always told."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.set_valued_cells import read_set
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import GoalsNotMet, export
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata import set_valued_attributes
from anonymizer_gui.engine.rooms.microdata.algorithms import set_valued_recoding
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.independent import sets
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import APART, TABLE, KKm
from anonymizer_gui.engine.rooms.microdata.models.presence import EstimatedKMap
from anonymizer_gui.engine.rooms.microdata.models.risk_goals import AverageRisk, PopulationUniquenessGoal, RecordsAtRisk
from anonymizer_gui.engine.rooms.microdata.policies.release_rules import ReidentificationRisk, SmallestClass
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.sweep import run_set_alternatives
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import release_figure
from tests.engine.rooms.microdata.hybrid_tables import NAMES, SCHEMA, TREE, hybrid_project, hybrid_table

CELLS = st.one_of(
    st.sets(st.sampled_from(TREE.leaf_labels)).map(lambda items: "{" + ", ".join(sorted(items)) + "}"),
    st.sampled_from(["{}", MISSING, "{milk}", "{ milk , milk }", '{"milk", butter}']),
)
PLACES = st.sampled_from(
    ["54.3, 9.0", "54.31, 9.02", "-17.5, 179.99", "-17.5, -179.99", "nan, 1.0", "91.0, 0.0", MISSING]
)


def exposed_by_hand(release: Release, k: int, m: int, *, in_classes: bool = True) -> int:
    """Count the rows that fewer than k rows fit, one after the other."""
    qis = [release.table.column(name).texts().tolist() for name in ("age", "home")]
    sets = [frozenset(read_set(text) or ()) for text in release.table.column("takes").texts().tolist()]
    keys = list(zip(*qis, strict=True)) if in_classes else [()] * len(sets)
    counts = Counter((key, some) for key, held in zip(keys, sets, strict=True) for some in _some(held, m))
    return sum(any(counts[key, some] < k for some in _some(held, m)) for key, held in zip(keys, sets, strict=True))


def _some(held: frozenset[str], m: int) -> list[tuple[str, ...]]:
    return [some for size in range(m + 1) for some in combinations(sorted(held), size)]


def leaving(table: Table, project: Project, folder: Path, reason: str = "") -> Path:
    ready = prepare_candidate(run(table, project), table, Safeguards(reason=reason))
    return export(ready, folder / "out.csv").path


def test_a_class_and_two_items_fit_at_least_k_rows() -> None:
    table = hybrid_table()
    release = run(table, hybrid_project(table))
    assert release.measured.k >= 15
    assert release.measured.exposed is not None
    assert release.measured.exposed.rows == exposed_by_hand(release, 3, 2) == 0
    assert release.promises[0].value >= 3
    assert len(set(release.table.column("takes").labels)) > 3, "something of the sets must be left"


def test_whoever_knows_items_too_is_counted_in_every_chance(tmp_path: Path) -> None:
    """A class of 15 is no comfort for those whom two items leave among 3: policies, questions, report and Compare."""
    table, slack = hybrid_table(), RuleSet("Slack", (ReidentificationRisk(0.5, 0.5), SmallestClass(2)))
    strict = RuleSet("Strict", (ReidentificationRisk(0.1, 0.1), SmallestClass(11)))
    project = replace(hybrid_project(table, KKm(3, 2, 15)), policies=(slack, strict))
    release = run(table, project)
    left = next(k for k in range(1, 99) if exposed_by_hand(release, k + 1, 2))
    assert left < 10 < 15 <= release.measured.k
    assert release_figure(release, "risk") == pytest.approx(1 / left)
    assert release_figure(release, "average-risk") is None
    out = export(prepare_candidate(release, table, Safeguards(reason="agreed")), tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    judged = [[rule["holds"] for rule in policy["found"]] for policy in told["policies"]]
    assert judged == [[True, True], [False, False]]
    questions = {question["name"]: question["figures"] for question in told["questions"]}
    assert questions["singling-out"]["fewest_with_items"] == told["numbers"]["exposed"]["fewest"] == left
    assert questions["linkability"]["highest_chance"] == pytest.approx(1 / left)
    assert "who knows up to 2 items, too" in out.report.read_text(encoding="utf-8")
    assert verify_release(out.path).holds
    told["numbers"]["exposed"]["fewest"] = 15
    told["sha256"] = certificate_digest(told)
    out.certificate.write_text(json.dumps(told), encoding="utf-8")
    assert f"numbers.exposed.fewest is {left}, the certificate says 15." in verify_release(out.path).differences


def test_of_two_goals_about_sets_the_worse_one_is_told(tmp_path: Path) -> None:
    """Whoever may know three items is left with fewer than whoever knows one, in whatever order they are asked for."""
    table = hybrid_table()
    for goals in ((KKm(3, 1, 15), KKm(3, 3, 15)), (KKm(3, 3, 15), KKm(3, 1, 15))):
        release = run(table, hybrid_project(table, *goals))
        left = [next(k for k in range(1, 99) if exposed_by_hand(release, k + 1, m)) for m in (1, 3)]
        assert left[1] < left[0]
        assert release.measured.exposed is not None
        assert (release.measured.exposed.m, release.measured.fewest) == (3, left[1])
        path = export(prepare_candidate(release, table, Safeguards()), tmp_path / "out.csv").path
        assert verify_release(path).holds


@pytest.mark.parametrize("goal", [AverageRisk(0.2), RecordsAtRisk(), EstimatedKMap(), PopulationUniquenessGoal()])
def test_goals_about_risk_that_forget_the_sets_are_refused(goal: PrivacyModel) -> None:
    table = hybrid_table()
    with pytest.raises(BadParameter, match="looks at classes alone"):
        run(table, hybrid_project(table, KKm(3, 2, 15), goal))


def test_parts_that_hold_alone_leave_most_rows_exposed() -> None:
    table = hybrid_table()
    release = run(table, hybrid_project(table, KKm(3, 2, 15, TABLE)))
    found = release.measured.exposed
    assert release.measured.holds, "classes of 15 rows and 3^2 in the whole table hold, each alone"
    assert exposed_by_hand(release, 3, 2, in_classes=False) == 0
    assert found is not None
    assert found.rows == exposed_by_hand(release, 3, 2) > 0


def test_the_pharmacy_shows_how_much_parts_alone_leave_exposed() -> None:
    opened = open_project(resource_path("samples", "pharmacy.anon"))
    shares = []
    for rows in (5, 25, 100):
        project = replace(opened.project, goals=(KKm(5, 2, rows, TABLE),), algorithm=Mondrian())
        found = run(opened.files["table"], project).measured.exposed
        assert found is not None
        shares.append(found.share)
    assert shares[0] > 0.9, "nearly everybody in classes of k rows"
    assert shares[1] > 0.75
    assert shares == sorted(shares, reverse=True)


def test_exposed_rows_keep_a_release_from_leaving_without_a_reason(tmp_path: Path) -> None:
    table = hybrid_table()
    project = hybrid_project(table, KKm(3, 2, 15, TABLE))
    with pytest.raises(GoalsNotMet, match="exposed"):
        leaving(table, project, tmp_path)
    assert verify_release(leaving(table, project, tmp_path, "The sets are public.")).holds


def test_losses_are_those_of_places_and_items() -> None:
    table = hybrid_table()
    release = run(table, hybrid_project(table))
    lost = release.measured.loss.lm_columns
    before = [read_set(text) or () for text in table.column("takes").texts().tolist()]
    after = [read_set(text) or () for text in release.table.column("takes").texts().tolist()]
    group = {"butter": "dairy", "milk": "dairy", "whey": "dairy", "rye": "bread", "wheat": "bread"}
    sizes = {"dairy": 3 / 6, "bread": 2 / 6}
    costs = [
        0.0 if item in held else sizes[group[item]] if group.get(item) in held else 1.0
        for row, held in zip(release.rows.tolist(), after, strict=True)
        for item in before[row]
    ]
    assert lost["takes"] == pytest.approx(sum(costs) / len(costs))
    assert 0 < (lost["home"] or 0) < 1
    assert release.measured.lm == pytest.approx(sum(value or 0 for value in lost.values()) / 3)


@pytest.mark.parametrize(("where", "suppression"), [("classes", 0.0), (APART, 0.0), ("classes", 0.2)])
def test_the_loss_of_sets_is_added_up_again_from_the_file(where: str, suppression: float, tmp_path: Path) -> None:
    table = hybrid_table()
    project = replace(hybrid_project(table, KKm(3, 2, 15, where)), suppression=suppression, weights={"takes": 3.0})
    release = run(table, project)
    path = export(prepare_candidate(release, table, Safeguards()), tmp_path / "out.csv").path
    found = verify_release(path)
    assert found.holds
    assert found.numbers["lm"] == pytest.approx(release.measured.lm)
    assert not [each for each in found.unchecked if "LM" in each]


def test_a_loss_of_sets_that_is_not_that_of_the_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = hybrid_table()
    monkeypatch.setattr(set_valued_attributes, "_set_loss", lambda *known: 0.0)
    path = leaving(table, hybrid_project(table), tmp_path)
    assert any("lm is" in each for each in verify_release(path).differences)


def test_two_unlinked_files_share_neither_rows_nor_order(tmp_path: Path) -> None:
    table = hybrid_table()
    path = leaving(table, hybrid_project(table, KKm(3, 2, 15, APART)), tmp_path)
    beside = tmp_path / "out_sets.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    sets_head, *sets = beside.read_text(encoding="utf-8").splitlines()
    assert (head, sets_head) == ("age,home,ward", "takes")
    assert len(rows) == len(sets) == table.n_rows
    assert sets == sorted(sets, key=lambda text: text.strip('"'))
    assert verify_release(path).holds
    beside.write_text("\n".join([sets_head, *sets[:-1], "{whey}"]) + "\n", encoding="utf-8")
    told = " ".join(verify_release(path).differences)
    assert "out_sets.csv" in told
    assert "“takes” has changed" in told


def test_the_order_of_the_table_tells_nothing_of_sets_that_leave_unlinked() -> None:
    table = hybrid_table()
    project = hybrid_project(table, KKm(3, 2, 15, APART))
    release = run(table, project)
    mixed = release.table.column("takes").take(np.random.default_rng(1).permutation(release.table.n_rows))
    columns = tuple(mixed if column.name == "takes" else column for column in release.table.columns)
    other = replace(release, table=Table(columns, release.table.n_rows))
    one, two = (prepare_candidate(each, table, Safeguards()) for each in (release, other))
    assert [c.texts().tolist() for c in one.table.columns] == [c.texts().tolist() for c in two.table.columns]
    assert one.apart is not None
    assert two.apart is not None
    assert one.apart.columns[0].texts().tolist() == two.apart.columns[0].texts().tolist()


def test_an_algorithm_that_protects_no_set_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = hybrid_table()
    monkeypatch.setattr(
        set_valued_recoding, "_became", lambda items, ids, wanted, progress: items.tree.leaves[items.leaves]
    )
    with pytest.raises(PromiseBroken):
        run(table, hybrid_project(table))


@pytest.mark.parametrize("where", ["classes", TABLE, APART])
def test_a_measurement_that_is_blind_to_sets_releases_nothing(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = hybrid_table()
    monkeypatch.setattr(
        set_valued_recoding, "_became", lambda items, ids, wanted, progress: items.tree.leaves[items.leaves]
    )
    monkeypatch.setattr(set_valued_attributes.ItemsetCounts, "smallest", lambda self, m, in_classes: self.sizes)
    monkeypatch.setattr(
        set_valued_attributes.ItemsetCounts, "exposed", lambda self, k, m: np.zeros(len(self.class_of_row), bool)
    )
    monkeypatch.setattr(set_valued_attributes.ItemsetCounts, "exposed_apart", lambda self, k, m: 0)
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        leaving(table, hybrid_project(table, KKm(3, 2, 15, where)), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("function", ["smallest_support", "exposed_rows"])
def test_a_recount_of_sets_that_is_broken_releases_nothing(
    function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = hybrid_table()
    wrong = {"smallest_support": lambda rows, m: 1, "exposed_rows": lambda rows, k, m: {0}}
    monkeypatch.setattr(sets, function, wrong[function])
    with pytest.raises(PromiseBroken, match="Counted again from its file"):
        leaving(table, hybrid_project(table), tmp_path)


@given(
    st.lists(st.tuples(st.sampled_from(["30", "31", MISSING]), PLACES, CELLS, st.just("A")), min_size=4, max_size=25),
    st.sampled_from([("classes", 1), ("classes", 2), (TABLE, 2), (APART, 3)]),
)
def test_any_hybrid_table_keeps_its_promise(rows: list[tuple[str, ...]], ask: tuple[str, int]) -> None:
    where, m = ask
    table = Table.from_rows(NAMES, rows)
    release = run(table, hybrid_project(table, KKm(2, m, 4, where)))
    assert release.measured.holds
    if where == "classes":
        assert exposed_by_hand(release, 2, m) == 0
    prepare_candidate(release, table, Safeguards())


def test_huge_sets_and_many_items_are_protected(tmp_path: Path) -> None:
    items = [f"i{number}" for number in range(150)]
    rows = [("30", "54.3, 9.0", "{" + ", ".join(items[at:]) + "}", "A") for at in range(8)]
    table = Table.from_rows(NAMES, rows)
    project = replace(hybrid_project(table, KKm(3, 2, 4)), hierarchies={"takes": _flat(items)})
    assert verify_release(leaving(table, project, tmp_path)).holds


def _flat(items: list[str]) -> Hierarchy:
    return Hierarchy(["*", *items], [-1, *([0] * len(items))])


def test_two_columns_of_sets_are_protected_together(tmp_path: Path) -> None:
    table = hybrid_table()
    other = hybrid_table(seed=8).column("takes")
    both = Table((*table.columns, replace(other, name="buys")), table.n_rows)
    schema = Schema((*SCHEMA.columns, ColumnSchema("buys", ColumnType.SET, "{,}", Role.QI)))
    project = hybrid_project(both, KKm(3, 2, 15), schema=schema)
    release = run(both, replace(project, hierarchies={**project.hierarchies, "buys": TREE}))
    assert release.measured.exposed is not None
    assert release.measured.exposed.rows == 0
    export(prepare_candidate(release, both, Safeguards()), tmp_path / "out.csv")
    assert verify_release(tmp_path / "out.csv").holds


def test_sets_that_no_goal_protects_are_refused() -> None:
    table = hybrid_table()
    with pytest.raises(BadParameter, match="No goal protects the sets of “takes”"):
        run(table, hybrid_project(table, KAnonymity(5)))


def test_people_with_several_rows_are_refused() -> None:
    table = hybrid_table()
    named = Table((*table.columns, Column.from_texts("id", ["P1", "P2"] * 60)), table.n_rows)
    schema = Schema((*SCHEMA.columns, ColumnSchema("id", role=Role.EI)))
    with pytest.raises(BadParameter, match="several rows"):
        run(named, replace(hybrid_project(named, KKm(2, 1, 2), schema=schema), person="id"))


def test_sets_beside_earlier_releases_are_told_to_be_open(tmp_path: Path) -> None:
    table = hybrid_table()
    named = Table((*table.columns, Column.from_texts("id", [f"P{at}" for at in range(table.n_rows)])), table.n_rows)
    schema = Schema((*SCHEMA.columns, ColumnSchema("id", role=Role.EI)))
    release = run(named, hybrid_project(named, schema=schema))
    safeguards = Safeguards(key=bytes(32), ledger=ReleaseLedger(tmp_path / "ledger.sqlite"), reason="seen")
    export(prepare_candidate(release, named, safeguards), tmp_path / "first.csv")
    told = [check for check in prepare_candidate(release, named, safeguards).checks if check.name == "sets-beside"]
    assert [check.holds for check in told] == [False]


def test_a_table_that_an_engine_counted_is_refused() -> None:
    table = hybrid_table()
    times = np.ones(table.n_rows, dtype=np.int64)
    counted = Table(tuple(replace(column, times=times) for column in table.columns), table.n_rows)
    with pytest.raises(BadParameter, match="counted elsewhere"):
        run(counted, hybrid_project(table), try_anyway=True)


def test_every_way_out_is_tried_and_told_with_its_loss() -> None:
    table = hybrid_table()
    ways = run_set_alternatives(table, hybrid_project(table, KKm(3, 2, 10)), None, SILENT)
    inside, larger, *_, alone = ways
    by_goal = {(way.project.goals[0].m, way.project.goals[0].where): way for way in ways}  # type: ignore[attr-defined]
    assert alone.exposed is not None
    assert alone.exposed.rows > 0
    assert all(way.exposed.rows == 0 for way in ways[:-1] if way.exposed is not None)
    assert (larger.of_sets or 0) <= (inside.of_sets or 0)
    assert (by_goal[1, "classes"].of_sets or 0) <= (inside.of_sets or 0)
    assert (by_goal[2, APART].of_sets or 0) <= (inside.of_sets or 0)


def test_goals_beyond_the_table_say_so() -> None:
    table = hybrid_table(20)
    with pytest.raises(Infeasible):
        run(table, hybrid_project(table, KKm(3, 2, 50)))
