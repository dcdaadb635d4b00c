"""A release whose cells are not truthful says so everywhere, and its goals hold for what leaves."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, ColumnType, Role, Schema, Table
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.effects import masking_effects
from anonymizer_gui.engine.rooms.microdata.masking.global_recoding import BinNumbers, RoundNumbers
from anonymizer_gui.engine.rooms.microdata.masking.microaggregation import Microaggregation
from anonymizer_gui.engine.rooms.microdata.masking.noise_addition import AddNoise
from anonymizer_gui.engine.rooms.microdata.masking.pram import Pram
from anonymizer_gui.engine.rooms.microdata.masking.rank_swapping import SwapRanks
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import KeepRows, SyntheticRows
from anonymizer_gui.engine.rooms.microdata.masking.steps import with_steps
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, measure_utility
from anonymizer_gui.engine.storage.sources import Source
from tests.engine.rooms.microdata.making import hospital_project

ROWS = ["name,age,zip,cost", *(f"P{i:03d},{20 + i % 8},130{50 + i % 4},{100 + 7 * i}" for i in range(40))]


def released(folder: Path, *steps: Step, l: int = 0) -> tuple[Release, Table]:  # noqa: E741
    """Read a table with steps, and protect it."""
    path = folder / "costs.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    room = room_of("microdata")
    read = room.read("table", with_steps(Source(str(path)), steps), SILENT)
    ages, zips = hospital_project().hierarchies["age"], hospital_project().hierarchies["zip"]
    schema = Schema(
        (
            ColumnSchema("name", role=Role.EI),
            ColumnSchema("age", ColumnType.INTEGER, role=Role.QI),
            ColumnSchema("zip", role=Role.QI),
            ColumnSchema("cost", ColumnType.INTEGER, ".", Role.SA),
        )
    )
    goals = (KAnonymity(5), *((DistinctLDiversity(l=l),) if l else ()))
    project = Project(source=read.source, schema=schema, hierarchies={"age": ages, "zip": zips}, goals=goals)
    project = replace(project, algorithm=hospital_project().algorithm)
    return room.run(project, {"table": read.data}, SILENT), read.data


def exported(folder: Path, *steps: Step, name: str = "out.not-truthful.csv") -> ExportResult:
    release, table = released(folder, *steps)
    return export(prepare_candidate(release, table, Safeguards()), folder / name)


def test_head_report_certificate_and_name_say_not_truthful(tmp_path: Path) -> None:
    out = exported(tmp_path, AddNoise(("cost",), 0.3, seed=987654321))
    assert out.path.read_text(encoding="utf-8").splitlines()[0] == "age,zip,cost (not truthful)"
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert told["untruthful"] == ["cost"]
    assert next(c for c in told["columns"] if c["name"] == "cost")["published"].endswith("; not truthful")
    assert any("not truthful" in entry["step"] for entry in told["prepared"])
    assert "987654321" not in json.dumps(told)
    page = out.report.read_text(encoding="utf-8")
    assert "The cells of cost are not truthful" in page
    assert "takes the nearest record is right for" in page
    assert verify_release(out.path).holds


def test_a_name_that_does_not_say_so_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="not truthful") as caught:
        exported(tmp_path, AddNoise(("cost",), 0.3, seed=3), name="out.csv")
    assert "out.not-truthful.csv" in caught.value.hint
    assert not (tmp_path / "out.csv").exists()


def test_a_release_of_true_cells_says_nothing_of_it(tmp_path: Path) -> None:
    out = exported(tmp_path, name="out.csv")
    assert "truthful" not in out.path.read_text(encoding="utf-8")
    assert "Not truthful" not in out.report.read_text(encoding="utf-8")


def test_made_up_records_mark_every_column(tmp_path: Path) -> None:
    out = exported(tmp_path, SyntheticRows(0.5, seed=3))
    head, *rows = out.path.read_text(encoding="utf-8").splitlines()
    assert head == "age (not truthful),zip (not truthful),cost (not truthful)"
    assert len(rows) == 60
    assert verify_release(out.path).holds


def test_a_head_that_lost_its_mark_is_found(tmp_path: Path) -> None:
    out = exported(tmp_path, AddNoise(("cost",), 0.3, seed=3))
    out.path.write_text(out.path.read_text(encoding="utf-8").replace(" (not truthful)", ""), encoding="utf-8")
    assert verify_release(out.path).differences


def test_utility_and_linkage_look_at_the_true_values(tmp_path: Path) -> None:
    release, table = released(tmp_path, AddNoise(("cost",), 1.0, seed=3))
    masks = masking_effects(release, table)
    assert [found.column for found in masks.columns] == ["cost"]
    assert masks.columns[0].changed > 0.9
    assert masks.people == 40
    assert 0 <= masks.linked < 0.6


@pytest.mark.parametrize("step", [BinNumbers("cost", 1.5), BinNumbers("cost", 70), RoundNumbers("cost", 70)])
def test_whoever_knows_the_rule_looks_for_what_it_makes_of_a_value(step: Step, tmp_path: Path) -> None:
    release, table = released(tmp_path, step)
    shown = release.table.column("cost").texts().tolist()
    assert masking_effects(release, table).linked == pytest.approx(len(set(shown)) / len(shown))


@pytest.mark.parametrize(
    "steps",
    [
        (BinNumbers("cost", 70), Pram("cost", keep=1.0, seed=3)),
        (BinNumbers("cost", 1.5), AddNoise(("age",), 0.1, seed=3), Pram("cost", keep=1.0, seed=3)),
        (Pram("cost", keep=1.0, seed=3), BinNumbers("cost", 70)),
        (KeepRows("cost<300"), BinNumbers("cost", 70), Pram("cost", keep=1.0, seed=3)),
        (AddNoise(("cost",), 1e-9, seed=3), BinNumbers("cost", 70)),
        (BinNumbers("cost", 70), SyntheticRows(0.5, seed=3), Pram("cost", keep=1.0, seed=3)),
    ],
)
def test_ranges_are_looked_for_where_chance_follows_or_comes_first(steps: tuple[Step, ...], tmp_path: Path) -> None:
    release, table = released(tmp_path, *steps)
    shown = release.table.column("cost").texts().tolist()
    people = [text for text, row in zip(shown, release.rows.tolist(), strict=True) if row < 40]
    assert masking_effects(release, table).people == len(people)
    right = sum(1 / shown.count(text) for text in people) / len(people)
    assert masking_effects(release, table).linked == pytest.approx(right)


def test_chance_on_ranges_hides_only_whom_it_moves(tmp_path: Path) -> None:
    release, table = released(tmp_path, BinNumbers("cost", 1.5), Pram("cost", keep=0.9, seed=5))
    assert 0.5 < masking_effects(release, table).linked < 1


def test_made_up_records_are_nobody_to_be_linked(tmp_path: Path) -> None:
    release, table = released(tmp_path, BinNumbers("cost", 70), SyntheticRows(0.5, seed=3))
    assert masking_effects(release, table).people == 40
    assert masking_effects(release, table).linked < 0.2


def test_masks_of_columns_that_are_left_out_are_not_told(tmp_path: Path) -> None:
    release, table = released(tmp_path, AddNoise(("cost",), 0.3, seed=3))
    schema = release.project.schema.with_roles({"cost": Role.OTHER})
    publishing = replace(release.project.publishing, left_out=("cost",))
    kept_inside = replace(release, project=replace(release.project, schema=schema, publishing=publishing))
    masks = masking_effects(kept_inside, table)
    assert (masks.columns, masks.linked, masks.people) == ((), 0.0, 0)


def test_measures_compare_with_true_values_where_these_have_a_place(tmp_path: Path) -> None:
    swapped, table = released(tmp_path, SwapRanks(("cost",), 0.2, seed=3))
    before = compare_release(swapped, table).original.column("cost").texts().tolist()
    assert before == [str(100 + 7 * i) for i in range(40)]


@pytest.mark.parametrize("step", [AddNoise(("cost",), 0.5, seed=3), Microaggregation(("cost",), 3, within=True)])
def test_new_values_break_no_measure(step: Step, tmp_path: Path) -> None:
    release, table = released(tmp_path, step)
    results = measure_utility(
        [declared() for declared in METRICS if not declared.takes_long], compare_release(release, table), SILENT
    )
    assert not [found for found in results.values() if isinstance(found, AnonymizerError)]


def test_microaggregation_stays_inside_the_classes(tmp_path: Path) -> None:
    release, table = released(tmp_path, Microaggregation(("cost",), 3, within=True))
    raw = dict(zip(table.column("name").texts(), table.column("cost").texts(), strict=True))
    classes: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for at, row in enumerate(release.rows.tolist()):
        key = tuple(release.table.column(name).texts()[at] for name in ("age", "zip"))
        true = float(raw[table.column("name").texts()[row]])
        classes.setdefault((key[0], key[1]), []).append((true, float(release.table.column("cost").texts()[at])))
    for pairs in classes.values():
        for value in {new for _, new in pairs}:
            group = [true for true, new in pairs if new == value]
            assert len(group) >= 3
            assert sum(group) / len(group) == pytest.approx(value)
    assert any("within the classes" in note for note in release.notes)


def test_goals_are_measured_after_masks_within_classes(tmp_path: Path) -> None:
    released(tmp_path, l=3)
    with pytest.raises(Infeasible, match="within the classes"):
        released(tmp_path, Microaggregation(("cost",), 5, within=True), l=3)


def test_a_quasi_identifier_is_not_changed_within_classes(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="age"):
        released(tmp_path, Microaggregation(("age",), 3, within=True))


def test_the_command_line_refuses_before_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    call = ["anonymize", str(tmp_path / "t.csv"), "--qi", "age,zip", "--sa", "cost", "--ei", "name", "--k", "2"]
    call += ["--prepare", "noise", "columns=cost", "amount=0.3"]
    assert main([*call, "-o", str(tmp_path / "out.csv")]) == 2
    assert "out.not-truthful.csv" in capsys.readouterr().err
    assert main([*call, "-o", str(tmp_path / "out.not-truthful.csv")]) == 0
    first = (tmp_path / "out.not-truthful.csv").read_text(encoding="utf-8")
    assert main([*call, "-o", str(tmp_path / "out.not-truthful.csv")]) == 0
    again = (tmp_path / "out.not-truthful.csv").read_text(encoding="utf-8")
    assert sorted(again.splitlines()) != sorted(first.splitlines()), "noise that anybody can draw again"
