"""Runs and measurements on an engine from the command line."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet
import pytest

from anonymizer_gui import cli
from anonymizer_gui.engine.projects.project_file import load_project, save_project
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.masking.cleaning import ToMissing
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import KeepRows, TakeSample
from anonymizer_gui.engine.rooms.microdata.masking.steps import with_steps
from tests.conftest import ROOT

SAMPLES = ROOT / "resources" / "samples"


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a sample project that runs in no time: what is looked at here is the same for every algorithm."""
    path = tmp_path_factory.mktemp("project") / "hospital.anon"
    save_project(replace(load_project(SAMPLES / "hospital.anon"), algorithm=ALGORITHMS.get("mondrian")()), path)
    return path


def test_a_project_runs_on_duckdb_as_in_memory(
    hospital: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for extra in (["--engine", "duckdb", "--memory", "500MB", "--spill", str(tmp_path)], []):
        target = tmp_path / f"out{len(told)}.parquet"
        assert cli.main(["run", str(hospital), "--output", str(target), "--json", *extra]) == 0
        told.append(json.loads(capsys.readouterr().out))
        assert cli.main(["verify", str(target)]) == 0
        capsys.readouterr()
    there, here = told
    assert there["engine"]["engine"] == "DuckDB"
    assert {name: there[name] for name in ("k", "l", "t", "lm", "classes", "rows", "suppressed", "md")} == {
        name: here[name] for name in ("k", "l", "t", "lm", "classes", "rows", "suppressed", "md")
    }
    rows = [sorted(zip(*_cells(tmp_path / f"out{at}.parquet"), strict=True), key=str) for at in (0, 1)]
    assert rows[0] == rows[1]
    assert not list(tmp_path.glob("anonymizer-spill*"))


def _cells(path: Path) -> list[list[str]]:
    return list(pyarrow.parquet.read_table(path).to_pydict().values())


def test_a_folder_is_left_to_duckdb_and_that_is_said(
    hospital: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "part.csv").write_bytes((SAMPLES / "hospital.csv").read_bytes())
    target = tmp_path / "out.csv"
    assert cli.main(["run", str(hospital), "--input", str(folder), "-o", str(target)]) == 0
    said = capsys.readouterr()
    assert "read by DuckDB" in said.err
    assert cli.main(["verify", str(target)]) == 0
    assert "the source" not in capsys.readouterr().err  # it is there as it was
    (folder / "part.csv").write_bytes((SAMPLES / "hospital.csv").read_bytes() + b"\n")
    assert cli.main(["verify", str(target)]) == 0
    assert "the source “parts”, which is not there as it was" in capsys.readouterr().err
    assert cli.main(["measure", str(folder), "--qi", "age"]) == 0
    assert "read by DuckDB" in capsys.readouterr().err
    assert cli.main(["measure", str(folder), "--qi", "age", "--risks"]) == 2
    assert "memory holds" in capsys.readouterr().err


def test_the_table_of_a_duckdb_file_is_named(
    hospital: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "two.duckdb")) as connection:
        connection.execute("CREATE TABLE visits AS SELECT 1 AS n")
        connection.execute(f"CREATE TABLE stays AS FROM read_csv('{SAMPLES / 'hospital.csv'}', all_varchar=true)")
    call = ["run", str(hospital), "--input", str(tmp_path / "two.duckdb"), "-o", str(tmp_path / "out.csv")]
    assert cli.main(call) == 2
    assert "Choose one of: stays, visits." in capsys.readouterr().err
    assert cli.main([*call, "--read", "part=stays"]) == 0
    assert (tmp_path / "out.csv").exists()


def test_a_table_that_memory_would_hardly_hold_is_left_to_duckdb_and_that_is_said(
    hospital: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anonymizer_gui.engine.scale.engine_choice.free_memory", lambda: 100)
    call = ["run", str(hospital), "-o", str(tmp_path / "out.csv"), "--json"]
    assert cli.main(call) == 0
    said = capsys.readouterr()
    assert "DuckDB is used" in said.err
    assert json.loads(said.out)["engine"]["engine"] == "DuckDB"


@pytest.mark.parametrize("holder", ["duckdb", "memory"])
def test_who_holds_the_table_is_kept_in_the_project(
    hospital: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], holder: str
) -> None:
    project = load_project(hospital)
    source = replace(project.source, options={**project.source.options, "engine": holder})
    save_project(project.with_sources({"table": source}), tmp_path / "held.anon")
    assert cli.main(["run", str(tmp_path / "held.anon"), "-o", str(tmp_path / "out.csv"), "--json"]) == 0
    assert ("engine" in json.loads(capsys.readouterr().out)) is (holder == "duckdb")


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        (["--engine", "oracle"], "There is no engine"),
        (["--engine", "duckdb", "--memory", "lots"], "no size of memory"),
        (["--engine", "duckdb", "--input", "gone.parquet"], "nothing called"),
        (["--input", "x.csv"], "--input is for runs on an engine"),
        (["--read", "part=x"], "--read is for runs on an engine"),
        (["--engine", "duckdb", "--output", "s3://bucket/out.parquet"], "written on this computer"),
        (["--table", "s3://bucket/people"], "Only a cluster reads"),
        (["--engine", "duckdb", "--mapping", "map.csv", "--key", "k.key"], "no mapping"),
    ],
)
def test_wrong_calls_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extra: list[str], sentence: str
) -> None:
    code = cli.main(["run", str(SAMPLES / "hospital.anon"), "-o", str(tmp_path / "out.csv"), *extra])
    assert code == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_an_engine_writes_no_workbook_and_not_over_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = str(SAMPLES / "hospital.anon")
    assert cli.main(["run", project, "-o", str(tmp_path / "out.xlsx"), "--engine", "duckdb"]) == 2
    assert "does not write" in capsys.readouterr().err
    table = tmp_path / "table.csv"
    table.write_bytes((SAMPLES / "hospital.csv").read_bytes())
    call = ["run", project, "-o", str(table), "--engine", "duckdb", "--input", str(table)]
    assert cli.main(call) == 2
    assert table.read_bytes() == (SAMPLES / "hospital.csv").read_bytes()


def test_a_table_is_measured_by_an_engine_as_in_memory(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["measure", str(SAMPLES / "hospital.csv"), "--qi", "age,sex", "--sa", "diagnosis", "--k", "1", "--json"]
    told = []
    for extra in ([], ["--engine", "duckdb"]):
        assert cli.main([*call, *extra]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert cli.main([*call, "--engine", "duckdb", "--risks"]) == 2


def test_counts_with_noise_are_asked_of_an_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = [
        "statistics",
        str(SAMPLES / "hospital.csv"),
        "-o",
        str(tmp_path / "out.csv"),
        "--engine",
        "duckdb",
        "--json",
    ]
    assert cli.main([*call, "--ask", "count", "--ask", "histogram sex female,male", "--epsilon", "10"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert abs(told["answers"][0]["value"] - 2000) < 50
    assert cli.main([*call, "--ask", "mean age 0 100"]) == 2
    assert "needs every row" in capsys.readouterr().err


def test_people_are_measured_by_an_engine_as_in_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"p{n // 3},{20 + n % 2},{'ab'[n % 5 == 0]}" for n in range(60)]
    (tmp_path / "visits.csv").write_text("\n".join(["who,age,ill", *lines, ",20,a"]) + "\n", encoding="utf-8")
    call = ["measure", str(tmp_path / "visits.csv"), "--qi", "age", "--sa", "ill", "--person", "who", "--json"]
    told = []
    for extra in ([], ["--engine", "duckdb"]):
        assert cli.main([*call, *extra]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0]["people"] == 20
    assert cli.main([*call[:-2], "nobody", "--engine", "duckdb"]) == 2
    assert "no column" in capsys.readouterr().err


def test_steps_of_preparation_are_done_by_an_engine_or_refused_in_one_sentence(
    hospital: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = load_project(hospital)
    told = []
    for steps in ((ToMissing("sex", ("male",)), KeepRows("age>=40")), (TakeSample(0.5, seed=3),)):
        save_project(project.with_sources({"table": with_steps(project.source, steps)}), tmp_path / "stepped.anon")
        for extra in ([], ["--engine", "duckdb"]):
            call = ["run", str(tmp_path / "stepped.anon"), "-o", str(tmp_path / "out.csv"), "--json", *extra]
            told.append((cli.main(call), capsys.readouterr()))
    assert [code for code, _ in told] == [0, 0, 0, 2]
    here, there = (json.loads(said.out) for _, said in told[:2])
    assert (here["rows"], here["k"], here["lm"]) == (there["rows"], there["k"], there["lm"])
    assert here["rows"] < 2000
    assert "Take a sample” takes the rows of the table one by one" in told[3][1].err


def test_a_table_with_sets_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = load_project(SAMPLES / "pharmacy.anon")
    save_project(project.with_sources({"table": with_steps(project.source, ())}), tmp_path / "sets.anon")
    call = ["run", str(tmp_path / "sets.anon"), "-o", str(tmp_path / "out.csv"), "--engine", "duckdb"]
    assert cli.main(call) == 2
    assert "sets of items" in capsys.readouterr().err
    assert cli.main([*call, "--offers"]) == 2
    assert "no ways out to offer" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_no_other_room_is_left_to_an_engine_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anonymizer_gui.engine.scale.engine_choice.free_memory", lambda: 1)
    call = ["run", str(SAMPLES / "market.anon"), "-o", str(tmp_path / "out.csv")]
    cli.main(call)
    assert "DuckDB" not in capsys.readouterr().err
    assert cli.main([*call, "--engine", "duckdb"]) == 2
    assert "Only tables of people" in capsys.readouterr().err
