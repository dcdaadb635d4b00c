"""Steps between the file and the table: what each does, that it is counted, kept and named without a value."""

import json
from pathlib import Path

import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.microdata.masking.cleaning import MergeSpellings, ReplaceValues, ToMissing
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import KeepRows, TakeSample
from anonymizer_gui.engine.rooms.microdata.masking.steps import apply_steps, step_changes, steps_of, with_steps
from anonymizer_gui.engine.storage.sources import Source

ROWS = [["10", "Berlin"], ["20", "berlin"], ["999", "Berlni"], *([["30", "Berlin"]] * 20)]
TABLE = Table.from_rows(["age", "city"], ROWS)


def done(*steps: Step) -> tuple[Table, list[tuple[int, int]]]:
    table, source = apply_steps(TABLE, with_steps(Source("t.csv"), steps))
    return table, [(cells, rows) for _, cells, rows, *_ in step_changes(source)]


def test_rows_are_kept_by_all_conditions() -> None:
    table, counts = done(KeepRows("age>=20 and city!=Berlni"))
    assert table.n_rows == 21
    assert counts == [(0, 2)]


def test_a_condition_that_no_row_meets_is_refused() -> None:
    with pytest.raises(BadParameter, match="No row"):
        done(KeepRows("age<0"))


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_the_order() -> None:
    one, counts = done(TakeSample(0.5, seed=3))
    other, _ = done(TakeSample(0.5, seed=3))
    assert one.n_rows == 12
    assert counts == [(0, 11)]
    assert one.column("city").texts().tolist() == other.column("city").texts().tolist()
    picks = {tuple(done(TakeSample(0.3, seed=seed))[0].column("age").texts().tolist()) for seed in range(1, 21)}
    assert len(picks) > 1


def test_values_are_replaced_whole_or_inside() -> None:
    table, counts = done(ReplaceValues("city", "Berlni", "Berlin"), ReplaceValues("city", "Ber", "", inside=True))
    assert set(table.column("city").labels) == {"lin", "berlin"}
    assert counts == [(1, 0), (22, 0)]


def test_what_is_replaced_by_nothing_is_missing() -> None:
    table, _ = done(ReplaceValues("age", "999", ""))
    assert MISSING in table.column("age").labels


def test_values_become_missing() -> None:
    table, counts = done(ToMissing("age", ("999", "10", "not there")))
    assert table.column("age").texts().tolist().count(MISSING) == 2
    assert counts == [(2, 0)]


def test_spellings_take_the_most_frequent_form_and_slips_only_when_asked() -> None:
    assert set(done(MergeSpellings("city"))[0].column("city").labels) == {"Berlin", "Berlni"}
    table, counts = done(MergeSpellings("city", slips=True))
    assert set(table.column("city").labels) == {"Berlin"}
    assert counts == [(2, 0)]


def test_a_word_that_is_not_rare_is_no_slip() -> None:
    rows = [["angina"]] * 30 + [["angine"]] * 10
    table = MergeSpellings("ill", slips=True).apply(Table.from_rows(["ill"], rows), ".").table
    assert set(table.column("ill").labels) == {"angina", "angine"}


@pytest.mark.parametrize("values", [(), ("",)])
def test_nothing_to_take_for_missing_is_refused(values: tuple[str, ...]) -> None:
    with pytest.raises(BadParameter, match="no value to take for missing"):
        done(ToMissing("age", values))


@pytest.mark.parametrize(
    "step", [ToMissing("gone", ("1",)), MergeSpellings("gone"), ReplaceValues("gone", "a", "b"), KeepRows("gone=1")]
)
def test_a_step_about_no_column_is_refused(step: Step) -> None:
    with pytest.raises(BadParameter, match="gone"):
        done(step)


@pytest.mark.parametrize("steps", [7, [7], [{}], [{"name": "keep", "parameters": {"no": 1}}], [{"name": "x"}],
                                   [{"name": "keep", "parameters": {}, "cells": "many"}]])  # fmt: skip
def test_steps_nobody_understands_give_a_sentence(steps: object) -> None:
    with pytest.raises(BadParameter):
        steps_of(Source("t.csv", options={"steps": steps}))


def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    rows = "".join(f"{20 + at % 20},{'m' if at % 2 else 'M'},{'flu' if at % 3 else 'HIV'}\n" for at in range(80))
    path.write_text("age,sex,illness\n999,Zork,flu\n" + rows, encoding="utf-8")
    return path


def test_a_project_prepares_its_table_whenever_it_is_opened(tmp_path: Path) -> None:
    room = room_of("microdata")
    steps = (KeepRows("age<999"), MergeSpellings("sex"))
    read = room.read("table", with_steps(Source(str(people(tmp_path))), steps), SILENT)
    assert read.data.n_rows == 80
    assert any("1 row left out" in note for note in read.notes)
    save_project(room.begin(read.source, read.data, SILENT).project, tmp_path / "p.anon", ())
    opened = anonymizer.open(tmp_path / "p.anon")
    assert opened.files["table"].n_rows == 80
    assert steps_of(opened.project.source) == steps
    assert not opened.changed


def test_the_certificate_counts_the_steps_and_names_no_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    call = ["anonymize", str(people(tmp_path)), "--qi", "age,sex", "--sa", "illness", "--k", "2", "-o", str(out)]
    steps = ["--prepare", "replace", "column=sex", "find=Zork", "put=m", "--prepare", "merge", "column=sex"]
    assert main([*call, *steps, "--prepare", "keep", "condition=age<999"]) == 0
    assert "Replace “Zork” by “m” in “sex”: 1 cell changed." in capsys.readouterr().err
    certificate = (tmp_path / "out.csv.release.json").read_text(encoding="utf-8")
    told = json.loads(certificate)["prepared"]
    assert [entry["changed"] for entry in told] == ["1 cell changed", "40 cells changed", "1 row left out"]
    assert "Zork" not in certificate
    assert "999" not in json.dumps(told)
    assert "Values of “sex” were replaced" in (tmp_path / "out.csv.report.html").read_text(encoding="utf-8")
    assert main(["verify", str(out)]) == 0


@pytest.mark.parametrize("words", [["keep"], ["keep", "condition"], ["shake", "a=b"], ["sample", "share=2"]])
def test_a_step_that_is_wrong_stops_the_command(words: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    call = ["anonymize", str(people(tmp_path)), "--qi", "age,sex", "--k", "2", "-o", str(out), "--agree", "illness"]
    assert main([*call, "--prepare", *words]) == 2
    assert not out.exists()
