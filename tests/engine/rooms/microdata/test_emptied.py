"""Rows with nothing left are counted beside the suppressed ones, by measurement and recount alike."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import Infeasible, PromiseBroken
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import load_project, save_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.report import number_text
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, measure_table
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_release


def two_columns(**changes: object) -> tuple[Project, Table]:
    """Four rows that agree and two that agree with nobody: local recoding leaves nothing of them."""
    schema = Schema((ColumnSchema("a", role=Role.QI), ColumnSchema("b", role=Role.QI)))
    trees = {name: Hierarchy.from_nested({"everything": ["1", "2", "3"]}) for name in "ab"}
    project = Project(schema=schema, hierarchies=trees, goals=(KAnonymity(k=2),), algorithm=BestLoss())
    rows = [["1", "1"]] * 4 + [["2", "3"], ["3", "2"]]
    return replace(project, **changes), Table.from_rows(("a", "b"), rows)  # type: ignore[arg-type]


def test_rows_with_the_root_everywhere_are_counted(tmp_path: Path) -> None:
    project, table = two_columns()
    release = run(table, project)
    assert (release.suppressed, release.measured.emptied) == (0, 2)
    assert release.to_json()["emptied"] == 2
    exported = export(prepare_candidate(release, table, Safeguards()), tmp_path / "out.csv")
    told = json.loads(exported.certificate.read_text(encoding="utf-8"))
    assert told["numbers"]["emptied"] == 2
    assert "2 of 6 published records" in told["suppression"]
    assert verify_release(tmp_path / "out.csv").holds


def test_another_count_than_the_recount_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, table = two_columns()
    release = run(table, project)
    monkeypatch.setattr("anonymizer_gui.engine.rooms.microdata.measurement.count_emptied_rows", lambda *_: 0)
    leaving = prepare_candidate(release, table, Safeguards())
    with pytest.raises(PromiseBroken, match="rows with nothing left is 2"):
        export(leaving, tmp_path / "out.csv")


def test_another_largest_share_than_the_recount_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release, table = hospital_release()
    monkeypatch.setattr("anonymizer_gui.engine.rooms.microdata.measurement._most_alike", lambda *_: 0.1)
    with pytest.raises(PromiseBroken, match="largest share of one value of “disease”"):
        export(prepare_candidate(release, table, Safeguards()), tmp_path / "out.csv")


@pytest.mark.parametrize(("limit", "may"), [(0.33, False), (0.34, True)])
def test_the_limit_covers_them_where_asked_for(limit: float, may: bool) -> None:
    project, table = two_columns(limit_covers_emptied=True, suppression=limit)
    if may:
        release = run(table, project)
        assert release.suppressed + release.measured.emptied == 2
        return
    with pytest.raises(Infeasible, match=r"2 of 6 rows would be left out or keep nothing .*33.00%") as error:
        run(table, project)
    assert "33.34%" in error.value.hint


def test_rows_as_stars_count_once_against_the_limit() -> None:
    rows = [["1", "1"]] * 8 + [["2", "3"]] * 2
    publishing = Publishing(suppressed_as_stars=True)
    project, _ = two_columns(algorithm=BottomUp(), suppression=0.2, limit_covers_emptied=True, publishing=publishing)
    release = run(Table.from_rows(("a", "b"), rows), replace(project, goals=(KAnonymity(k=2),)))
    assert release.measured.rows == 10


def test_the_choice_is_kept_with_the_project(tmp_path: Path) -> None:
    project, _ = two_columns(limit_covers_emptied=True)
    save_project(project, tmp_path / "p.anon")
    assert load_project(tmp_path / "p.anon").limit_covers_emptied


def test_nothing_but_left_out_rows_is_no_release() -> None:
    rows = [["1", "1"], ["2", "2"], ["3", "3"]]
    project, _ = two_columns(algorithm=BottomUp(), suppression=1.0, bounds={"a": (0, 0), "b": (0, 0)})
    with pytest.raises(Infeasible, match="Every row would have to be left out"):
        run(Table.from_rows(("a", "b"), rows), project)


def test_an_empty_table_keeps_no_promise() -> None:
    project, _ = two_columns()
    empty = Table.from_rows(("a", "b"), [])
    goals = prepare_candidate(run(empty, project), empty, Safeguards()).checks[0]
    assert not goals.holds
    assert "no rows" in goals.sentence


def test_a_star_in_the_middle_is_a_group_like_any_other() -> None:
    tree = Hierarchy.from_nested({"all": {"*": ["1", "2"], "x": ["3", "4"]}})
    original = Table.from_rows(("a",), [["1"], ["2"], ["3"], ["4"]])
    published = Table.from_rows(("a",), [["*"], ["*"], ["x"], ["x"]])
    found = measure_table(
        published,
        ["a"],
        [],
        background=MeasurementContext(hierarchies={"a": tree}, original=original, rows=np.arange(4)),
    )
    assert found.md == 4  # one level each
    assert found.emptied == 0


def test_ends_of_ranges_without_a_hierarchy_are_told() -> None:
    schema = Schema((ColumnSchema("age", ColumnType.INTEGER, role=Role.QI),))
    method = Mondrian(labels=(("age", "range"),))
    project = Project(schema=schema, goals=(KAnonymity(k=2),), algorithm=method)
    table = Table.from_rows(("age",), [[str(age)] for age in (20, 21, 30, 31)])
    assert "“age” end at values that somebody" in run(table, project).notes[0]
    tree = Hierarchy.from_nested({"*": [str(age) for age in range(20, 40)]})
    assert not run(table, replace(project, hierarchies={"age": tree})).notes


def test_large_losses_are_written_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert number_text(20123.4) == "20,123"
    assert number_text(0.12345) == "0.1235"
    table = tmp_path / "t.csv"
    table.write_text("a\n" + "*\n" * 300_000, encoding="utf-8")
    (tmp_path / "a.txt").write_text("1,*\n2,*\n", encoding="utf-8")
    assert main(["measure", str(table), "--qi", "a", "--hierarchies", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "LM in all             300,000\n" in said
    assert "nothing left          300,000\n" in said
