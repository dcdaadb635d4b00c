"""The document: edits that can be undone, tables and projects that open, releases that stay."""

import json
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import Severity


def told(document: Document) -> list[frozenset[str]]:
    """Collect what the document tells from now on."""
    names: list[frozenset[str]] = []
    document.changed.connect(names.append)
    return names


def test_a_document_that_is_closed_holds_no_step(document: Document) -> None:
    document.edit("Name it", name="x")
    assert document.undo_stack.count() == 1
    told: list[object] = []
    document.undo_stack.indexChanged.connect(told.append)
    document.close()
    assert document.undo_stack.count() == 0
    assert told == []


def test_an_edit_can_be_undone_and_redone(document: Document) -> None:
    before = document.project
    document.edit("Name it", name="Study")
    document.undo_stack.undo()
    assert document.project is before
    document.undo_stack.redo()
    assert document.project.name == "Study"


def test_an_edit_tells_what_changed_and_that_it_is_not_saved(document: Document) -> None:
    names = told(document)
    document.edit("Name it", name="Study")
    assert frozenset({"name"}) in names
    assert frozenset({"dirty"}) in names
    assert document.is_dirty


def test_an_edit_that_changes_nothing_is_no_step(document: Document) -> None:
    document.edit("Nothing", name="", seed=0)
    assert document.undo_stack.count() == 0


def test_the_menu_and_the_history_say_what_was_done(document: Document) -> None:
    document.edit("Name it", name="Study")
    assert document.undo_stack.undoText() == "Name it"
    assert document.undo_stack.text(0).endswith("  Name it")


def test_typing_into_one_field_is_one_step(document: Document) -> None:
    for text in ("S", "St", "Study"):
        document.edit(f"Name it {text}", merge_key="name", name=text)
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Name it Study"
    document.undo_stack.undo()
    assert document.project.name == ""


def test_typing_back_to_the_start_leaves_no_step(document: Document) -> None:
    document.edit("Name it", merge_key="name", name="S")
    document.edit("Name it", merge_key="name", name="")
    assert document.undo_stack.count() == 0


def test_steps_of_different_fields_stay_apart(document: Document) -> None:
    document.edit("Name it", merge_key="name", name="S")
    document.edit("Set the seed", merge_key="seed", seed=3)
    assert document.undo_stack.count() == 2


def test_a_table_opens_with_types_and_without_roles(document: Document, table_path: Path) -> None:
    document.open_table(table_path)
    assert document.table is not None
    assert document.table.names == ("name", "age", "zip")
    assert {column.role for column in document.project.schema.columns} == {Role.OTHER}
    assert document.project.schema.column("age").type.value == "integer"
    assert document.project.schema.column("zip").type.value == "category"
    assert not document.is_dirty


def test_a_table_that_cannot_be_read_leaves_everything_as_it_was(document: Document, table_path: Path) -> None:
    document.open_table(table_path)
    before = document.project
    document.open_table(table_path.with_name("missing.csv"))
    assert document.project is before
    assert [message.tone for message in document.messages.open] == [Severity.ERROR]


def test_a_project_comes_back_with_its_table(document: Document, table_path: Path, tmp_path: Path) -> None:
    document.open_table(table_path)
    document.edit("Mark", schema=document.project.schema.with_roles({"age": Role.QI}))
    saved = document.project
    assert document.save(tmp_path / "p.anon")
    document.new()
    assert document.table is None
    document.open_project(tmp_path / "p.anon")
    assert document.project == saved
    assert document.table is not None
    assert document.path == (tmp_path / "p.anon").resolve()
    assert not document.is_dirty


def test_saving_makes_the_project_clean_and_undo_makes_it_dirty_again(document: Document, tmp_path: Path) -> None:
    document.edit("Name it", name="Study")
    document.save(tmp_path / "p.anon")
    assert not document.is_dirty
    document.undo_stack.undo()
    assert document.is_dirty


def test_a_save_that_fails_is_told_and_keeps_the_changes_unsaved(document: Document, tmp_path: Path) -> None:
    document.edit("Name it", name="Study")
    assert document.save(tmp_path / "no such folder" / "p.anon") is False
    assert document.is_dirty
    assert "could not be written" in document.messages.open[0].text


def test_a_project_whose_table_is_gone_opens_and_says_so(document: Document, table_path: Path, tmp_path: Path) -> None:
    document.open_table(table_path)
    document.save(tmp_path / "p.anon")
    table_path.unlink()
    opened: list[object] = []
    document.opened.connect(opened.append)
    document.open_project(tmp_path / "p.anon")
    assert document.table is None
    assert document.project.schema.columns
    assert "people.csv" in opened[0].obstacle.message  # type: ignore[attr-defined]


def test_a_table_that_moved_is_joined_again(document: Document, table_path: Path, tmp_path: Path) -> None:
    document.open_table(table_path)
    document.edit("Mark", schema=document.project.schema.with_roles({"age": Role.QI}))
    document.save(tmp_path / "p.anon")
    moved = table_path.rename(tmp_path / "moved.csv")
    document.open_project(tmp_path / "p.anon")
    document.join_table(moved)
    assert document.table is not None
    assert document.project.schema.names(Role.QI) == ("age",)
    assert document.path == (tmp_path / "p.anon").resolve()
    assert document.is_dirty


def test_steps_that_are_not_saved_stay_when_the_table_is_joined(
    document: Document, table_path: Path, tmp_path: Path
) -> None:
    document.open_table(table_path)
    document.save(tmp_path / "p.anon")
    document.edit("Name it", name="Not saved yet")
    document.join_table(table_path)
    assert document.project.name == "Not saved yet"
    assert document.is_dirty


def test_a_table_with_other_columns_is_not_joined(document: Document, table_path: Path, tmp_path: Path) -> None:
    document.open_table(table_path)
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    document.join_table(other)
    assert document.table is not None
    assert document.table.names == ("name", "age", "zip")
    assert "no column “name”" in document.messages.open[0].text


def test_a_table_that_changed_since_is_told(document: Document, table_path: Path, tmp_path: Path) -> None:
    document.open_table(table_path)
    document.save(tmp_path / "p.anon")
    table_path.write_text("name,age,zip\nBob,1,2\n")
    opened: list[object] = []
    document.opened.connect(opened.append)
    document.open_project(tmp_path / "p.anon")
    assert opened[0].changed  # type: ignore[attr-defined]


def test_a_database_named_by_a_project_is_not_called_up_unasked(document: Document, tmp_path: Path) -> None:
    base = tmp_path / "trap.db"
    entries = {
        "format": "anonymizer project",
        "version": 1,
        "source": {"path": f"sqlite:///{base}", "sha256": "", "options": {}},
    }
    (tmp_path / "p.anon").write_text(json.dumps(entries))
    document.open_project(tmp_path / "p.anon")
    assert document.project.source is not None
    assert document.table is None
    assert not base.exists()


def test_a_run_is_appended_and_selected(document: Document) -> None:
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.run()
    document.run()
    assert len(document.releases) == 2
    assert document.selected is document.releases[1]
    assert document.undo_stack.count() == 0
    assert document.is_dirty  # what the project keeps of them is not saved yet


def test_a_release_gets_stale_and_fresh_again(document: Document) -> None:
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.run()
    release = document.releases[0]
    assert not document.finished.is_stale(release)
    document.edit("Allow suppression", suppression=0.1)
    assert document.finished.is_stale(release)
    document.undo_stack.undo()
    assert not document.finished.is_stale(release)


def test_releases_are_named_pinned_and_removed(document: Document) -> None:
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.run()
    document.run()
    document.finished.pin(document.releases[0])
    document.finished.rename(document.releases[0], "For the ministry")
    assert document.releases[0].name == "For the ministry"
    assert [document.finished.is_pinned(release) for release in document.releases] == [True, False]
    document.finished.remove(document.releases[1])
    assert document.selected is document.releases[0]


def test_opening_something_else_forgets_steps_and_releases(document: Document, table_path: Path) -> None:
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.run()
    document.edit("Name it", name="x")
    document.open_table(table_path)
    assert document.releases == ()
    assert document.undo_stack.count() == 0


def test_a_sample_has_no_file_of_its_own(document: Document) -> None:
    document.open_project(resource_path("samples", "hospital.anon"), as_copy=True)
    assert document.path is None


@pytest.mark.parametrize("name", ["hospital", "lecture", "census"])
def test_a_sample_opens_ready_to_protect(document: Document, name: str) -> None:
    document.open_project(resource_path("samples", f"{name}.anon"), as_copy=True)
    assert document.messages.open == ()
    project = document.project
    assert document.table is not None
    assert set(project.schema.names(Role.QI)) <= set(project.hierarchies)
    assert project.goals
    assert project.algorithm is not None


def test_an_answer_is_computed_once_while_its_inputs_stay(document: Document, table_path: Path) -> None:
    document.open_table(table_path)
    calls: list[object] = []

    def count(table: object, progress: object) -> int:
        calls.append(table)
        return len(calls)

    answers: list[int] = []
    document.ask("count", count, document.table, then=answers.append)
    document.ask("count", count, document.table, then=answers.append)
    assert answers == [1, 1]
    document.open_table(table_path)
    document.ask("count", count, document.table, then=answers.append)
    assert answers == [1, 1, 2]


def test_an_answer_that_fails_is_asked_again(document: Document) -> None:
    outcomes = [ValueError("secret"), 5]

    def work(progress: object) -> int:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    answers: list[int] = []
    document.ask("x", work, then=answers.append)
    document.ask("x", work, then=answers.append)
    assert answers == [5]


def test_a_second_window_on_the_same_project_is_told_who_has_it(document: Document, tmp_path: Path) -> None:
    document.edit("Name it", name="x")
    document.save(tmp_path / "p.anon")
    other = Document(inline_jobs=True)
    other.open_project(tmp_path / "p.anon")
    assert other.holder != ""
    document.new()
    other.open_project(tmp_path / "p.anon")
    assert other.holder == ""
    other.close()
    assert not list(tmp_path.glob("*.lock"))


def test_the_population_is_read_as_a_step(document: Document, table_path: Path) -> None:
    document.open_table(table_path)
    document.set_population(table_path)
    assert document.population is not None
    assert document.project.population is not None
    document.undo_stack.undo()
    assert document.population is None
    document.undo_stack.redo()
    assert document.population is not None
    assert replace(document.project.population, options={}).path == str(table_path.resolve())


def test_a_cancelled_answer_is_computed_when_asked_again(qtbot: QtBot) -> None:
    document = Document()
    go, started = threading.Event(), threading.Event()

    def work(progress: Progress) -> int:
        started.set()
        while not go.is_set():
            progress(0.5)
            go.wait(0.01)
        return 7

    answers: list[int] = []
    document.ask("x", work, then=answers.append)
    qtbot.waitUntil(started.is_set)
    with qtbot.waitSignal(document.jobs.finished):
        document.jobs.cancel_all()
    go.set()
    with qtbot.waitSignal(document.jobs.finished):
        document.ask("x", work, then=answers.append)
    assert answers == [7]
    document.close()


def test_opening_something_else_stops_what_runs_on_the_table_before(qtbot: QtBot) -> None:
    document = Document()
    started, pause = threading.Event(), threading.Event()

    def work(progress: Progress) -> None:
        started.set()
        while True:
            progress(0.5)
            pause.wait(0.01)

    job = document.jobs.start("Protect", work, on_done=document.finished.add)
    qtbot.waitUntil(started.is_set)
    with qtbot.waitSignal(document.jobs.finished):
        document.new()
    assert job.is_cancelled
    assert document.releases == ()
    document.close()


def test_the_key_stays_chosen_when_the_table_is_found_at_another_place(document: Document, tmp_path: Path) -> None:
    table = shutil.copy(resource_path("samples", "lecture.csv"), tmp_path / "moved.csv")
    document.open_project(resource_path("samples", "lecture.anon"), as_copy=True)
    document.set_safeguards(key_file="key", ledger_file="ledger")
    document.join_table(table)
    assert (document.safeguards.key_file, document.safeguards.ledger_file) == ("key", "ledger")
    document.new()
    assert document.safeguards.key_file == ""
