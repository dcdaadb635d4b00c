"""What the program writes for itself holds no cell of the table: projects, recovery, log, settings, reports, PDF."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.rooms.microdata.recipes import save_recipe
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards
from anonymizer_gui.workspace.export_jobs import check_candidate, export_release
from anonymizer_gui.workspace.jobs import crash_report, post_error
from anonymizer_gui.workspace.messages import LogBuffer
from anonymizer_gui.workspace.recovery import Recovery
from anonymizer_gui.workspace.settings import Settings
from tests.canaries import (
    PEOPLE,
    RARE_DISEASE,
    RARE_WARD,
    RARE_ZIP,
    SUPPRESSED,
    UNUSED,
    canary_project,
    canary_table,
    found_in,
)

OTHER_CELLS = (*PEOPLE, RARE_DISEASE, RARE_WARD, "Asthma", "Cancer", "-W1")
"""Every sort of cell that no hierarchy names."""


@pytest.fixture
def recovery(tmp_path: Path) -> Recovery:
    """Give what keeps unsaved changes, in a folder of its own."""
    return Recovery(tmp_path / "recovery")


@pytest.fixture
def worked_on(qtbot: QtBot, recovery: Recovery, tmp_path: Path) -> Iterator[Document]:
    """Give a document that was opened, decided on, and protected once."""
    write_table(canary_table(), tmp_path / "people.csv")
    document = Document(inline_jobs=True, recovery=recovery)
    document.open_table(tmp_path / "people.csv")
    decided = canary_project()
    names = ("schema", "hierarchies", "goals", "algorithm", "suppression", "bounds", "acknowledged")
    document.edit("Decide", **{name: getattr(decided, name) for name in names})
    document.run()
    assert document.selected is not None
    yield document
    document.close()


def test_a_project_holds_the_values_of_its_hierarchies_and_no_other_cell(worked_on: Document, tmp_path: Path) -> None:
    path = tmp_path / "p.anon"
    assert worked_on.save(path)
    assert found_in([path], OTHER_CELLS) == []
    assert found_in([path], [RARE_ZIP]) == [f"{RARE_ZIP} in p.anon"]


def test_a_project_without_hierarchies_holds_no_cell(worked_on: Document, tmp_path: Path) -> None:
    worked_on.edit("Forget the hierarchies", hierarchies={})
    worked_on.save(tmp_path / "p.anon")
    assert found_in([tmp_path / "p.anon"], [*OTHER_CELLS, *SUPPRESSED, "13050"]) == []


def test_a_column_that_becomes_an_identifier_takes_its_hierarchy_out_of_the_file_but_not_out_of_undo(
    worked_on: Document, recovery: Recovery, tmp_path: Path
) -> None:
    tree = worked_on.project.hierarchies["zip"]
    worked_on.edit("Mark zip", schema=worked_on.project.schema.with_roles({"zip": Role.EI}))
    recovery.flush()
    autosave = list((tmp_path / "recovery").glob("*.json"))
    assert len(autosave) == 1
    assert found_in(autosave, [*OTHER_CELLS, *SUPPRESSED, "13050"]) == []
    worked_on.save(tmp_path / "p.anon")
    assert found_in([tmp_path / "p.anon"], [*OTHER_CELLS, *SUPPRESSED, "13050"]) == []
    worked_on.undo_stack.undo()
    assert worked_on.project.hierarchies["zip"] == tree


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_what_holds_hierarchies_is_its_owners_alone(worked_on: Document, recovery: Recovery, tmp_path: Path) -> None:
    recovery.flush()
    autosave = list((tmp_path / "recovery").glob("*.json"))
    assert len(autosave) == 1
    assert [path.stat().st_mode & 0o077 for path in (tmp_path / "recovery", *autosave)] == [0, 0]
    worked_on.save(tmp_path / "p.anon")
    save_recipe(worked_on, tmp_path / "r.anon")
    assert [(tmp_path / name).stat().st_mode & 0o077 for name in ("p.anon", "r.anon")] == [0, 0]


def test_the_recovery_file_holds_what_the_project_holds(
    worked_on: Document, recovery: Recovery, tmp_path: Path
) -> None:
    worked_on.edit("Name it", name="unsaved")
    recovery.flush()
    files = [path for path in (tmp_path / "recovery").iterdir() if path.is_file()]
    assert any(path.suffix == ".json" for path in files)
    assert found_in(files, OTHER_CELLS) == []


def test_what_is_remembered_between_runs_holds_no_cell(worked_on: Document, own_settings: Path, tmp_path: Path) -> None:
    settings = Settings(own_settings / "preferences.json")
    settings.add_recent(tmp_path / "people.csv")
    worked_on.save(tmp_path / "p.anon")
    files = [path for path in own_settings.rglob("*") if path.is_file()]
    assert files
    assert found_in(files, [*OTHER_CELLS, *SUPPRESSED]) == []


def test_log_and_messages_of_a_run_that_fails_hold_no_cell(worked_on: Document) -> None:
    book = LogBuffer()
    lacking = {**worked_on.project.hierarchies, "zip": Hierarchy.from_nested({"*": ["13050", "13051", UNUSED]})}
    worked_on.edit("Lose a value", hierarchies=lacking)
    worked_on.run()
    worked_on.edit("Ask for too much", hierarchies=canary_project().hierarchies, suppression=0.0)
    worked_on.run()
    try:
        raise ValueError(f"cannot place {RARE_ZIP} of {PEOPLE[0]}")
    except ValueError as error:
        post_error(worked_on.messages, error)
    told = [f"{m.text} {m.hint} {m.details}" for m in worked_on.messages.open]
    book.close()
    assert len(told) == 3
    assert len(book.lines) >= 3
    assert not [line for line in (*told, *book.lines) if any(value in line for value in (*OTHER_CELLS, *SUPPRESSED))]


def test_a_crash_report_holds_no_cell() -> None:
    try:
        try:
            {}[PEOPLE[0]]
        except KeyError as error:
            raise ValueError(RARE_ZIP) from error
    except ValueError as error:
        report = crash_report(error)
    assert "KeyError" in report
    assert not [value for value in (*PEOPLE, *SUPPRESSED) if value in report]


def test_the_printed_report_holds_no_hidden_value(worked_on: Document, tmp_path: Path) -> None:
    release = worked_on.selected
    assert release is not None
    out = tmp_path / "out"
    out.mkdir()
    named = replace(release, project=replace(release.project, acknowledged=("ward",)))
    export_release(
        check_candidate(named, worked_on.files, ExportSafeguards(), SILENT),
        out / "release.csv",
        ExportSafeguards(),
        None,
        SILENT,
    )
    pdf = out / "release.csv.report.pdf"
    assert pdf.is_file()
    assert found_in(out.iterdir(), [*PEOPLE, *SUPPRESSED, UNUSED]) == []
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
        assert "Release report" in text
        assert not [value for value in (*PEOPLE, *SUPPRESSED, UNUSED) if value in text]
