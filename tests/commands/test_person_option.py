"""The commands count people where a column says whom a row is about."""

import json
from pathlib import Path

import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.io import read_table, write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.projects.project_file import save_project
from tests.engine.rooms.microdata.making import hospital_project
from tests.engine.rooms.microdata.test_people import visits as hospital_visits

ROWS = ["id,age,ill", *(f"p{number // 3},{20 + number // 6},{'abc'[number % 3]}" for number in range(24))]


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text("\n".join(ROWS) + "\n", "utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_measure_counts_people(visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["measure", str(visits), "--qi", "age", "--sa", "ill", "--json"]
    assert main(call) == 0
    found = told(capsys)
    assert [found["k"], found["people"]] == [6, None]
    assert main([*call, "--person", "id", "--k", "2", "--risks"]) == 0
    found = told(capsys)
    assert [found["k"], found["people"], found["l"]["distinct"]] == [2, 8, 1]  # type: ignore[index]
    assert found["risks"]["prosecutor"]["people"] == 8  # type: ignore[index]
    assert main([*call, "--person", "id", "--k", "3"]) == 1


def test_measure_says_people(visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(visits), "--qi", "age", "--person", "id", "--k", "2"]) == 0
    text = capsys.readouterr().out
    assert "at least 2 people" in text
    assert "alone in a class" in text


def test_a_person_column_has_no_other_role(visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(visits), "--qi", "age", "--sa", "ill", "--person", "ill"]) == 2
    assert "named twice" in capsys.readouterr().err
    out = str(visits.with_name("out.csv"))
    assert main(["anonymize", str(visits), "--qi", "age", "--person", "age", "--k", "2", "-o", out]) == 2
    assert "two roles" in capsys.readouterr().err


def test_run_follows_the_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(hospital_visits(2), tmp_path / "visits.csv")
    source = read_source(str(tmp_path / "visits.csv"))[2]
    save_project(hospital_project(source=source, person="name"), tmp_path / "visits.anon")
    assert main(["run", str(tmp_path / "visits.anon"), "-o", str(tmp_path / "out.csv"), "--json"]) == 0
    assert told(capsys)["people"] == 20


def test_anonymize_counts_people(visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.csv"
    call = ["anonymize", str(visits), "--qi", "age", "--sa", "ill", "--k", "3", "-o", str(out), "--json"]
    assert main([*call, "--person", "id"]) == 0
    found = told(capsys)
    assert found["people"] == 8
    assert int(str(found["k"])) >= 3
    assert read_table(out)[0].names == ("age", "ill")
    assert main(["verify", str(out)]) == 0
    assert "whom a row is about" in capsys.readouterr().err
