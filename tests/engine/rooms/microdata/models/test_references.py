"""References of one's own: all values equally often, and a distribution from a file."""

import json
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter, Infeasible, PromiseBroken
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.measurement import measure_table
from anonymizer_gui.engine.rooms.microdata.models import reference_distribution
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

ROWS = [["a", "flu"], ["a", "flu"], ["a", "flu"], ["a", "gout"], ["b", "flu"], ["b", "acne"]]


def test_all_values_equally_often_is_no_matter_how_often_they_are() -> None:
    table = Table.from_rows(("q", "s"), ROWS)
    found = measure_table(table, ["q"], ["s"], goals=[TCloseness(t=0.5, reference="uniform")])
    value = found.goals[0][1].value
    assert value == pytest.approx(3 / 4 - 1 / 3)  # class a: flu 3/4 instead of 1/3
    assert "all values equally often" in found.goals[0][0].sentence()


def test_such_a_release_leaves_and_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goal, table = TCloseness(t=0.6, reference="uniform"), hospital_table()
    release = run(table, hospital_project(goals=(KAnonymity(k=2), goal)))
    export(prepare_candidate(release, table, Safeguards()), tmp_path / "out.csv")
    assert verify_release(tmp_path / "out.csv").holds
    monkeypatch.setattr(reference_distribution, "UNIFORM", "published")  # the engine forgets what it means
    monkeypatch.setattr(reference_distribution, "PUBLISHED", "uniform")
    with pytest.raises(PromiseBroken):
        export(prepare_candidate(_lopsided(), _lopsided_table(), Safeguards()), tmp_path / "other.csv")


def _lopsided_table() -> Table:
    rows = [[f"P{i}", str(20 + i % 8), f"130{50 + i % 4}", "Flu" if i % 5 else "Cancer", "W"] for i in range(40)]
    return Table.from_rows(hospital_table().names, rows)


def _lopsided():  # type: ignore[no-untyped-def]
    goal = TCloseness(t=0.45, reference="uniform")
    return run(_lopsided_table(), hospital_project(goals=(KAnonymity(k=2), goal)))


def own(*values: str) -> TCloseness:
    return TCloseness(t=0.3, reference="own", distribution=tuple((value, 1.0) for value in values))


def with_tree(*more: str) -> dict[str, Hierarchy]:
    values = sorted({*hospital_table().column("disease").texts(), *more})
    return {**hospital_project().hierarchies, "disease": Hierarchy.from_nested({"*": values})}


def test_a_misspelt_value_is_named_where_the_hierarchy_has_no_place_for_it() -> None:
    goals = (KAnonymity(k=2), own("Asthmma", "Flu"))
    with pytest.raises(BadParameter, match="names “Asthmma”, which neither “disease” nor its hierarchy has"):
        run(hospital_table(), hospital_project(goals=goals, hierarchies=with_tree()))


def test_a_misspelt_value_is_named_where_the_goal_cannot_be_reached() -> None:
    with pytest.raises(Infeasible) as caught:
        run(hospital_table(), hospital_project(goals=(KAnonymity(k=2), own("Asthmma", "Flu"))))
    assert "names “Asthmma”, which nobody has in “disease”" in caught.value.hint
    assert "What would work" in caught.value.hint


def test_a_value_that_nobody_has_may_be_in_the_distribution() -> None:
    goals = (KAnonymity(k=2), own(*sorted(set(hospital_table().column("disease").texts())), "Gout"))
    for trees in (hospital_project().hierarchies, with_tree("Gout")):
        assert run(hospital_table(), hospital_project(goals=goals, hierarchies=trees)).measured.holds


def test_a_distribution_comes_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("q,s\n" + "".join(f"{q},{s}\n" for q, s in ROWS), encoding="utf-8")
    (tmp_path / "census.csv").write_text('value,people\nflu,70\n"gout, acute",5\ngout,10\nacne,15\n', encoding="utf-8")
    call = [
        "measure",
        str(tmp_path / "t.csv"),
        "--qi",
        "q",
        "--sa",
        "s",
        "--t",
        "0.9",
        "--t-reference",
        "own",
        "--json",
    ]
    assert main([*call, "--t-distribution", f"@{tmp_path / 'census.csv'}"]) == 0
    (goal,) = json.loads(capsys.readouterr().out)["goals"]
    assert goal["parameters"]["distribution"] == [["acne", 15], ["flu", 70], ["gout", 10], ["gout, acute", 5]]
    assert goal["value"] == pytest.approx(0.35)  # class b: acne 1/2 instead of 0.15
    (tmp_path / "three.csv").write_text("a,b,c\n1,2,3\n", encoding="utf-8")
    assert main([*call, "--t-distribution", f"@{tmp_path / 'three.csv'}"]) == 2
