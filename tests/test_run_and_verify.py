"""The commands `run` and `verify`, as a user types them."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.releases.verification import verify_release
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A saved project with its table beside it."""
    write_table(hospital_table(), tmp_path / "hospital.csv")
    source = read_source(str(tmp_path / "hospital.csv"))[2]
    save_project(replace(hospital_project(), source=source), tmp_path / "hospital.anon")
    return tmp_path / "hospital.anon"


def test_a_project_runs_and_its_release_verifies(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = project.with_name("release.csv")
    assert main(["run", str(project), "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["k"] >= 5
    assert set(told["seconds"]) == {"read", "anonymize", "verify", "write"}
    assert main(["verify", str(out)]) == 0
    assert "is what its certificate says" in capsys.readouterr().out


def test_two_runs_give_the_same_bytes(project: Path) -> None:
    one, two = project.with_name("one.csv"), project.with_name("two.csv")
    assert main(["run", str(project), "-o", str(one)]) == main(["run", str(project), "-o", str(two)]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_a_changed_release_does_not_verify(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = project.with_name("release.csv")
    main(["run", str(project), "-o", str(out)])
    out.write_text(out.read_text().replace("Flu", "Asthma", 1))
    assert main(["verify", str(out), "--json"]) == 1
    assert "The column “disease” has changed." in capsys.readouterr().out


def test_a_changed_table_is_not_run_unasked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = project.with_name("hospital.csv")
    table.write_text(table.read_text().replace("Flu", "Asthma", 1))
    out = project.with_name("release.csv")
    assert main(["run", str(project), "-o", str(out)]) == 2
    assert "has changed" in capsys.readouterr().err
    assert not out.exists()
    assert main(["run", str(project), "-o", str(out), "--other-table"]) == 0


def test_a_release_that_is_not_ready_exits_with_2_and_says_why(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write_text(project.read_text().replace('"acknowledged": [\n  "ward"\n ]', '"acknowledged": []'))
    out = project.with_name("release.csv")
    assert main(["run", str(project), "-o", str(out)]) == 2
    assert "“ward”" in capsys.readouterr().err
    assert main(["run", str(project), "-o", str(out), "--reason", "wards are public"]) == 0


def test_a_file_without_certificate_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    assert main(["verify", str(tmp_path / "x.csv")]) == 2
    assert "no certificate" in capsys.readouterr().err


def test_the_report_is_printed_without_a_window_when_asked(project: Path) -> None:
    out = project.with_name("release.csv")
    command = [sys.executable, "-m", "anonymizer_gui", "run", str(project), "-o", str(out), "--pdf"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY"))}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert out.with_name("release.csv.report.pdf").read_bytes().startswith(b"%PDF")
    assert verify_release(out).holds


def test_without_a_printer_nothing_is_released_when_a_printed_report_is_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = project.with_name("release.csv")
    assert main(["run", str(project), "-o", str(out), "--pdf"]) == 2
    assert "cannot be printed" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("name", ["hospital", "census", "lecture"])
def test_every_sample_project_runs_to_its_end_as_it_is(name: str, tmp_path: Path) -> None:
    sample = resource_path("samples", f"{name}.anon")
    assert main(["run", str(sample), "-o", str(tmp_path / "out.csv")]) == 0
    assert main(["verify", str(tmp_path / "out.csv")]) == 0


@pytest.mark.parametrize("error", [ValueError("could not place 'Patient 0000'"), MemoryError("Patient 0000")])
def test_a_fault_of_the_program_prints_places_and_no_cell(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_arguments: object, **_more: object) -> None:
        raise error

    monkeypatch.setattr("anonymizer_gui.engine.rooms.microdata.room.run", fail)
    assert main(["run", str(project), "-o", str(project.with_name("release.csv"))]) == 3
    told = capsys.readouterr().err
    assert "memory" in told or "anonymizer_gui/commands/run.py" in told
    assert "Patient" not in told
