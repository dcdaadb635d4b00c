"""HIV, hiv and Hiv are one sensitive value: in the search, the measurement and the recount."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata import run as walk
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.measurement import measure_table
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, TCloseness
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run

ROWS = [["a", "HIV"], ["a", "hiv"], ["a", "Hiv"], ["b", "flu"], ["b", "acne"], ["b", "Flu"]]
TREE = Hierarchy.from_nested({"*": ["a", "b"]})


def project(*goals: object, **changes: object) -> Project:
    schema = Schema((ColumnSchema("q", role=Role.QI), ColumnSchema("s", role=Role.SA)))
    made = Project(schema=schema, hierarchies={"q": TREE}, goals=goals, algorithm=BottomUp())  # type: ignore[arg-type]
    return replace(made, **changes)  # type: ignore[arg-type]


def table(rows: list[list[str]] = ROWS) -> Table:
    return Table.from_rows(("q", "s"), rows)


def test_a_class_of_one_illness_in_three_spellings_is_not_diverse(tmp_path: Path) -> None:
    assert measure_table(table(), ["q"], ["s"]).l["distinct"] == 1
    release = run(table(), project(DistinctLDiversity(l=2)))
    assert set(release.table.column("q").labels) == {"*"}
    assert set(release.table.column("s").labels) == {"HIV", "hiv", "Hiv", "flu", "Flu", "acne"}
    export(prepare_candidate(release, table(), Safeguards()), tmp_path / "out.csv")
    assert verify_release(tmp_path / "out.csv").holds


def test_a_search_that_tells_them_apart_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "merge_homographs_in", lambda table, _: table)
    with pytest.raises(PromiseBroken, match="distinct l-diversity"):
        run(table(), project(DistinctLDiversity(l=2)))


def test_a_measurement_that_tells_them_apart_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = run(table(), project(KAnonymity(k=2)))
    monkeypatch.setattr("anonymizer_gui.engine.rooms.microdata.measurement.merge_homographs_in", lambda table, _: table)
    with pytest.raises(PromiseBroken, match="Counted again"):
        export(prepare_candidate(release, table(), Safeguards()), tmp_path / "out.csv")


@pytest.mark.parametrize(
    "goal",
    [
        TCloseness(t=1.0),
        TCloseness(t=1.0, reference="input"),
        TCloseness(t=1.0, reference="own", distribution=(("hIV", 0.5), ("FLU", 0.3), ("acne", 0.2)), column="s"),
        NTCloseness(n=3, t=1.0),
    ],
    ids=["published", "input", "own", "group"],
)
def test_distances_know_no_case(goal: object, tmp_path: Path) -> None:
    release = run(table(), project(KAnonymity(k=2), goal, suppression=0.5))
    exported = export(prepare_candidate(release, table(), Safeguards()), tmp_path / "out.csv")
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    assert verify_release(tmp_path / "out.csv").holds
    assert told["numbers"]["look_alikes_count_once"]
    lower = run(table([[q, s.lower()] for q, s in ROWS]), project(KAnonymity(k=2), goal, suppression=0.5))
    assert lower.measured.goals[1][1].value == pytest.approx(release.measured.goals[1][1].value)


def test_the_checklist_names_what_looks_alike() -> None:
    release = run(table(), project(KAnonymity(k=2)))
    check = next(c for c in prepare_candidate(release, table(), Safeguards()).checks if c.name == "look-alikes")
    assert not check.holds
    assert not check.blocks
    assert any("“HIV”, “Hiv”, “hiv”" in finding.sentence for finding in check.findings)
