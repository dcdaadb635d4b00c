"""The log tells what was done, with times, and never a cell of a table."""

from collections.abc import Iterator

import pytest

from anonymizer_gui.ui.app import ActivityLog
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import LogBuffer
from tests.engine.rooms.microdata.making import DISEASES, hospital_project, hospital_table


@pytest.fixture
def book() -> Iterator[LogBuffer]:
    made = LogBuffer()
    made.set_level("info")
    yield made
    made.close()


@pytest.fixture
def hospital(document: Document, book: LogBuffer) -> Document:
    document.set_table(hospital_table(), hospital_project())
    ActivityLog(document, document)
    return document


def without_times(book: LogBuffer) -> list[str]:
    return [line.split("INFO  ")[1] for line in book.lines if "INFO  " in line]


def test_a_job_is_written_down_when_it_starts_and_when_it_ends(hospital: Document, book: LogBuffer) -> None:
    hospital.run()
    started, ended = without_times(book)
    assert started == "Job: Protect"
    seconds = ended.removeprefix("Job done after ").removesuffix(" s: Protect")
    assert float(seconds) >= 0


def test_a_job_that_fails_says_so(hospital: Document, book: LogBuffer) -> None:
    hospital.jobs.start("Divide", lambda progress: 1 / 0)
    assert any(line.startswith("Job failed after") for line in without_times(book))


def test_a_job_nobody_is_told_about_is_left_out(hospital: Document, book: LogBuffer) -> None:
    hospital.jobs.start("", lambda progress: None)
    assert book.lines == ()


def test_steps_and_their_undoing_are_written_down(hospital: Document, book: LogBuffer) -> None:
    hospital.edit("Allow suppression", suppression=0.1)
    hospital.undo_stack.undo()
    hospital.undo_stack.redo()
    assert without_times(book) == ["Step: Allow suppression", "Undone: Allow suppression", "Step: Allow suppression"]


def test_labels_in_the_sentence_of_a_step_are_not_written_down(hospital: Document, book: LogBuffer) -> None:
    hospital.edit(f"Rename “{DISEASES[0]}” to “{DISEASES[1]}” in disease", suppression=0.1)
    hospital.edit(f"„{DISEASES[2]}“ in disease umbenennen", suppression=0.2)
    assert without_times(book) == ["Step: Rename “…” in disease", "Step: “…” in disease umbenennen"]


def test_with_warnings_only_nothing_of_that_is_kept(hospital: Document, book: LogBuffer) -> None:
    book.set_level("warning")
    hospital.run()
    assert book.lines == ()
