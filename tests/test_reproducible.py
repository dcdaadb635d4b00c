"""The same project gives the same bytes in any process: other hash seed, language, time zone, folder and threads."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.io.read_write import read_source
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.project import Publishing
from anonymizer_gui.engine.storage.keys import make_key
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards
from anonymizer_gui.workspace.export_jobs import check_candidate, export_release
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

ROOT = Path(__file__).resolve().parent.parent
NAMES = [f"{algorithm}{suffix}" for algorithm in ALGORITHMS.names() for suffix in (".csv", ".xlsx", ".parquet")]
RUN_ALL = """
import sys
from anonymizer_gui.cli import main
folder, out, *names = sys.argv[1:]
for name in names:
    project = f"{folder}/{name.rpartition('.')[0]}.anon"
    assert main(["run", project, "-o", f"{out}/{name}", "--key", f"{folder}/key"]) == 0
"""
PLACES: list[Mapping[str, str]] = [
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Pacific/Kiritimati", "OMP_NUM_THREADS": "1"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "America/New_York"},
]


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a project for every algorithm, with pseudonyms, about one table; run all of them in every place."""
    tmp_path = tmp_path_factory.mktemp("projects")
    write_table(hospital_table(120), tmp_path / "hospital.csv")
    source = read_source(str(tmp_path / "hospital.csv"))[2]
    make_key(tmp_path / "key")
    publishing = Publishing(pseudonyms=(("name", "numbered"),))
    for name in ALGORITHMS.names():
        project = hospital_project(source=source, algorithm=ALGORITHMS.get(name)(), publishing=publishing)
        save_project(project, tmp_path / f"{name}.anon")
    for number in range(len(PLACES)):
        run_elsewhere(tmp_path, number)
    return tmp_path


def run_elsewhere(projects: Path, number: int) -> None:
    """Run everything in a process of its own."""
    out = projects / f"out {number}"
    out.mkdir()
    environment = {**os.environ, **PLACES[number], "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", RUN_ALL, str(projects), str(out), *NAMES]
    subprocess.run(words, cwd=out, env=environment, check=True, capture_output=True)


@pytest.mark.parametrize("name", NAMES)
def test_two_processes_give_the_same_bytes(projects: Path, name: str) -> None:
    assert (projects / "out 0" / name).read_bytes() == (projects / "out 1" / name).read_bytes()


def test_the_window_gives_the_bytes_of_the_command_line(qtbot: QtBot, projects: Path) -> None:
    document = Document(inline_jobs=True)
    for algorithm in ALGORITHMS.names():
        document.open_project(projects / f"{algorithm}.anon")
        document.run()
        release = document.selected
        assert release is not None
        safeguards = ExportSafeguards(key_file=str(projects / "key"))
        prepared = check_candidate(release, document.files, safeguards, SILENT)
        for name in (name for name in NAMES if name.rpartition(".")[0] == algorithm):
            export_release(prepared, projects / name, ExportSafeguards(), None, SILENT)
            assert (projects / name).read_bytes() == (projects / "out 0" / name).read_bytes(), name
    document.close()


def test_certificates_differ_in_the_time_and_the_secret_of_the_inside_copy_only(projects: Path) -> None:
    told = []
    for number in range(len(PLACES)):
        certificate = json.loads((projects / f"out {number}" / "mondrian.csv.release.json").read_text(encoding="utf-8"))
        for changing in ("created", "documents"):  # the report says when it was made
            certificate["release"].pop(changing)
        for changing in ("sha256", "inside"):
            certificate.pop(changing)
        told.append(certificate)
    assert told[0] == told[1]
