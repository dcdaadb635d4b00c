"""The command line and the script that are shown run, and give the bytes of the export."""

import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.projects.opening import is_from_database
from anonymizer_gui.engine.projects.project_file import load_project, save_project
from anonymizer_gui.engine.releases.export import export, export_command, export_script
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.signing import make_signing_key
from anonymizer_gui.engine.releases.verification import RequiredSigner, verify_release
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run as anonymize
from tests.engine.rooms.microdata.making import NAMES, hospital_project, hospital_rows, hospital_table

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved project, and the export the window would make of it."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    write_table(hospital_table(), folder / "it's.csv")
    table, _, source = read_source(str(folder / "it's.csv"))
    project = replace(hospital_project(), source=source)
    save_project(project, folder / "p.anon")
    export(prepare_candidate(anonymize(table, project), table, Safeguards()), folder / "window.csv")
    return folder / "p.anon"


def run(words: list[str]) -> None:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_command_line_gives_the_same_bytes(saved: Path) -> None:
    words = shlex.split(export_command(saved, saved.with_name("line.csv")))
    assert words[0] == "anonymizer-gui"
    run(["-m", "anonymizer_gui", *words[1:]])
    assert saved.with_name("line.csv").read_bytes() == saved.with_name("window.csv").read_bytes()


def test_names_and_reasons_that_begin_with_a_dash_are_no_options(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved.parent)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    saved.rename(saved.with_name("-p.anon"))
    words = shlex.split(export_command(Path("-p.anon"), Path("-line.csv"), reason="-urgent"))
    run(["-m", "anonymizer_gui", *words[1:]])
    assert Path("-line.csv").read_bytes() == Path("window.csv").read_bytes()


def test_the_script_gives_the_same_bytes(saved: Path) -> None:
    script = saved.with_name("release.py")
    script.write_text(export_script(saved, saved.with_name("script.csv")), encoding="utf-8")
    run([str(script)])
    assert saved.with_name("script.csv").read_bytes() == saved.with_name("window.csv").read_bytes()


def test_a_call_and_a_script_sign_with_the_key_in_use(saved: Path) -> None:
    public = make_signing_key(saved.with_name("my signing.pem")).public
    script = saved.with_name("release.py")
    for name, text in (("line", export_command), ("script", export_script)):
        output = saved.with_name(f"{name}.csv")
        made = text(saved, output, sign=str(saved.with_name("my signing.pem")))
        script.write_text(made, encoding="utf-8")
        run(["-m", "anonymizer_gui", *shlex.split(made)[1:]] if name == "line" else [str(script)])
        assert verify_release(output, wanted=RequiredSigner(public, is_required=True)).holds


def test_the_database_a_project_is_about_is_called_up(saved: Path) -> None:
    place = saved.with_name("people.db")
    with closing(sqlite3.connect(place)) as database, database:
        database.execute(f"CREATE TABLE people ({', '.join(NAMES)})")
        database.executemany(f"INSERT INTO people VALUES ({', '.join('?' * len(NAMES))})", hospital_rows(40))
    save_project(replace(hospital_project(), source=read_source(f"sqlite:///{place}")[2]), saved)
    script = saved.with_name("release.py")
    for name, text in (("line", export_command), ("script", export_script)):
        made = text(saved, saved.with_name(f"{name}.csv"), allow_database=is_from_database(load_project(saved)))
        script.write_text(made, encoding="utf-8")
        run(["-m", "anonymizer_gui", *shlex.split(made)[1:]] if name == "line" else [str(script)])
    assert saved.with_name("line.csv").read_bytes() == saved.with_name("script.csv").read_bytes()
    assert not is_from_database(hospital_project())


def test_key_ledger_and_reason_are_part_of_the_call(tmp_path: Path) -> None:
    files = tmp_path / 'p"""\'.anon', tmp_path / "o.csv", "my key", "it's public", "l.sqlite", "s.pem"
    words = shlex.split(export_command(*files))
    assert words[-8:] == ["--key", "my key", "--ledger", "l.sqlite", "--sign", "s.pem", "--reason", "it's public"]
    script = export_script(*files)
    compile(script, "release.py", "exec")
    assert "'my key'" in script
    assert "'l.sqlite'" in script
    assert "'s.pem'" in script
    assert "it's public" in script
