"""What the report tells readers: levels, labels, summaries, what was tried; and nothing that is not published."""

import csv
import json
import math
import statistics
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.certificate import certificate_digest
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.algorithms.auto import Auto
from anonymizer_gui.engine.rooms.microdata.independent.recount import recount_column
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.rooms.microdata.release import codebook
from anonymizer_gui.engine.rooms.microdata.release import codebook as summary_module
from anonymizer_gui.engine.rooms.microdata.release.codebook import QUANTILES, summarise_column
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from tests.engine.rooms.microdata.making import hospital_release

ZIPS = Hierarchy.from_nested({"*": {"1305*": ["13050", "13051", "13052", "13053", "13059"]}})
"""13059 is nobody's: the hierarchy knows more than the table."""


def exported(folder: Path, **changes: object) -> ExportResult:
    release, table = hospital_release(**changes)
    return export(prepare_candidate(release, table, Safeguards()), folder / "out.csv")


def told_in(path: Path) -> dict[str, Json]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def pairs_in(folder: Path) -> list[list[str]]:
    with (folder / "out.csv.labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def test_levels_and_labels_are_those_of_the_file(tmp_path: Path) -> None:
    out = exported(tmp_path)
    with out.path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = told_in(out.certificate)["levels"]
    assert told["age"]["levels"] is not None
    for name in ("age", "zip"):
        assert dict(told[name]["labels"]) == {
            label: sum(row[name] == label for row in rows) for label in {row[name] for row in rows}
        }
    assert "Levels and labels that were chosen" in out.report.read_text(encoding="utf-8")


def test_what_was_tried_and_what_auto_took_is_told(tmp_path: Path) -> None:
    out = exported(tmp_path, algorithm=Auto())
    told = told_in(out.certificate)
    lms = {entry["algorithm"]: entry["lm"] for entry in told["tried"]}
    assert len(lms) > 2
    assert lms[told["made_by"]] == min(lm for lm in lms.values() if lm is not None)
    page = out.report.read_text(encoding="utf-8")
    assert "What was tried" in page
    assert f"Made by {told['made_by']}" not in " ".join(told["warnings"])


def test_the_file_of_labels_names_values_of_public_columns_only(tmp_path: Path) -> None:
    trees = {**hospital_release()[0].project.hierarchies, "zip": ZIPS}
    publishing = Publishing(labels_file=True, public_values=("zip",))
    out = exported(tmp_path, hierarchies=trees, publishing=publishing)
    pairs = pairs_in(tmp_path)
    assert {value for column, _, _, value in pairs if column == "age"} == {""}
    shown = {label for column, label, _, _ in pairs if column == "zip"}
    assert {(label, value) for column, label, _, value in pairs if column == "zip"} >= {
        (label, "13059") for label in shown if label in ("1305*", "*")
    }
    assert "out.csv.labels.csv" in told_in(out.certificate)["release"]["others"]
    assert verify_release(out.path).holds


def test_no_value_stands_behind_a_label_unless_it_is_public(tmp_path: Path) -> None:
    exported(tmp_path, publishing=Publishing(labels_file=True))
    assert {value for _, _, _, value in pairs_in(tmp_path)} == {""}


def test_a_file_of_labels_that_tells_too_much_is_not_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codebook, "label_lines", lambda table, project, public: [("zip", "1305*", 40, "13050")])
    with pytest.raises(PromiseBroken, match="zip"):
        exported(tmp_path, publishing=Publishing(labels_file=True))
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_labels_tells_how_frequent_every_published_value_is(tmp_path: Path) -> None:
    out = exported(tmp_path, publishing=Publishing(labels_file=True))
    with out.path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = {(column, label): int(records) for column, label, records, _ in pairs_in(tmp_path)}
    assert told == Counter((name, row[name]) for row in rows for name in rows[0])


def test_the_inside_copy_has_the_numbers_before_and_the_house_may_have_the_values(tmp_path: Path) -> None:
    release, table = hospital_release()
    leaving = prepare_candidate(release, table, Safeguards())
    out = export(leaving, tmp_path / "out.csv")
    inside, told = told_in(out.inside), told_in(out.certificate)
    assert set(inside["summary_before"]) == set(told["summary"]) == {"age", "zip", "disease", "ward"}
    assert inside["summary_before"]["age"]["mean"] == pytest.approx(23.5)
    assert not any(entry["frequent"] for entry in inside["summary_before"].values())
    assert "13050" not in json.dumps(told)
    codebook.write_private_codebook(leaving, tmp_path / "house.json")
    house = told_in(tmp_path / "house.json")
    assert set(house["labels"]["zip"]) == {"13050", "13051", "13052", "13053"}
    assert dict(house["summary"]["zip"]["before"]["frequent"])["13050"] == 10
    assert (tmp_path / "house.json").stat().st_mode & 0o077 == 0


def test_a_mean_of_a_few_cells_that_were_not_generalised_is_not_told(tmp_path: Path) -> None:
    told = told_in(exported(tmp_path).certificate)["summary"]["age"]
    assert (told["numbers"], told["mean"]) == (0, None)


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 3)), min_size=1, max_size=40))
def test_both_ways_of_summing_up_agree(numbers: list[float]) -> None:
    texts = [f"{number:.3f}" for number in numbers] + ["unknown"]
    told, column = summarise_column(Column.from_texts("x", texts), "."), Column.from_texts("x", texts)
    counts = dict(zip(column.labels, column.counts().tolist(), strict=True))
    again = recount_column(counts, ".", QUANTILES)
    assert told.numbers == again["numbers"] == len(numbers)
    assert told.mean == pytest.approx(statistics.fmean(numbers), abs=1e-6)
    assert told.mean == pytest.approx(again["mean"], abs=1e-6)
    assert told.sd == pytest.approx(again["sd"], abs=1e-6)
    assert told.quantiles == pytest.approx(again["quantiles"], abs=1e-6)
    assert told.quantiles[2] == pytest.approx(statistics.median(numbers), abs=1e-6)


def change(out: ExportResult, edit: Callable[[dict[str, Json]], None]) -> None:
    told = told_in(out.certificate)
    edit(told)
    told["sha256"] = certificate_digest(told)
    out.certificate.write_text(json.dumps(told), encoding="utf-8")


def test_a_summary_that_was_changed_is_found(tmp_path: Path) -> None:
    out = exported(tmp_path)
    change(out, lambda told: told["summary"]["disease"].update(distinct=9))
    assert any("disease" in sentence for sentence in verify_release(out.path).differences)


def test_a_wrong_summary_is_not_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = summary_module.summarise_columns

    def wrong(*args: Json) -> Json:
        return {name: summarise_column(Column.from_texts(name, ["1"])) for name in real(*args)}

    monkeypatch.setattr(summary_module, "summarise_columns", wrong)
    with pytest.raises(PromiseBroken, match="summary"):
        exported(tmp_path)


def test_decimal_commas_are_read_in_both_ways() -> None:
    column = Column.from_texts("x", ["1,5", "2,5", "1.5"])
    assert summarise_column(column, ",").mean == 2.0
    assert recount_column({"1,5": 1, "2,5": 1, "1.5": 1}, ",", QUANTILES)["mean"] == 2.0
    assert math.isclose(float(np.std([1.5, 2.5], ddof=1)), summarise_column(column, ",").sd or 0)


def test_names_and_labels_that_a_spreadsheet_would_run_have_their_labels_told(tmp_path: Path) -> None:
    path, target = tmp_path / "odd.csv", tmp_path / "out.csv"
    cells = ["=1+1", "+x", "@x", "-2"]
    path.write_text("=a,s\n" + "".join(f"{cells[i % 4]},{i % 2}\n" for i in range(16)), encoding="utf-8")
    call = ["anonymize", str(path), "--qi", "=a", "--sa", "s", "--k", "2", "--label-file", "-o", str(target)]
    assert main([*call, "--algorithm", "mondrian"]) == 0
    lines = (tmp_path / "out.csv.labels.csv").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split(",")[:2] for line in lines[1:] if "a" in line) == [
        ["'=a", "'+x"], ["'=a", "'=1+1"], ["'=a", "'@x"], ["'=a", "-2"]
    ]  # fmt: skip
    assert main(["verify", str(target)]) == 0
