"""Work in the background: results, errors, cancelling and closing."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.workspace.jobs import Job, JobRunner, JobState
from anonymizer_gui.workspace.messages import Messages, Severity
from tests.patience import WAIT_S


@pytest.fixture
def messages(qtbot: QtBot) -> Messages:
    return Messages()


@pytest.fixture
def jobs(messages: Messages) -> Iterator[JobRunner]:
    runner = JobRunner(messages)
    yield runner
    runner.close()


def until_cancelled(started: threading.Event, progress: Progress) -> None:
    """Work until somebody asks to stop."""
    started.set()
    waiting = threading.Event()
    while True:
        progress(0.5, "Working")
        waiting.wait(0.005)


def test_a_result_arrives_on_the_thread_of_the_window(qtbot: QtBot, jobs: JobRunner) -> None:
    seen = []

    def work(number: int, progress: Progress) -> tuple[int, threading.Thread]:
        return number + 1, threading.current_thread()

    with qtbot.waitSignal(jobs.finished):
        jobs.start("Add", work, 41, on_done=lambda result: seen.append((result, threading.current_thread())))
    (result, worker), receiver = seen[0]
    assert result == 42
    assert worker is not threading.main_thread()
    assert receiver is threading.main_thread()


def test_an_error_of_ours_becomes_its_sentence(qtbot: QtBot, jobs: JobRunner, messages: Messages) -> None:
    def work(progress: Progress) -> None:
        raise BadParameter("k must be at least 1.", "Choose a larger k.")

    with qtbot.waitSignal(messages.posted):
        jobs.start("Fail", work)
    assert [(m.tone, m.text, m.hint) for m in messages.open] == [
        (Severity.ERROR, "k must be at least 1.", "Choose a larger k.")
    ]


def test_an_unexpected_error_is_told_without_its_text(qtbot: QtBot, jobs: JobRunner, messages: Messages) -> None:
    def work(progress: Progress) -> None:
        raise KeyError("Colin Keane 988-33-3160")

    with qtbot.waitSignal(messages.posted):
        jobs.start("Fail", work)
    told = messages.open[0]
    assert "KeyError" in told.details
    assert "test_jobs.py" in told.details
    assert "Colin" not in told.text + told.hint + told.details


def test_running_out_of_memory_has_a_sentence_of_its_own(qtbot: QtBot, jobs: JobRunner, messages: Messages) -> None:
    def work(progress: Progress) -> None:
        raise MemoryError

    with qtbot.waitSignal(messages.posted):
        jobs.start("Fail", work)
    assert "memory" in messages.open[0].text


def test_cancel_ends_a_job_and_drops_its_result(qtbot: QtBot, jobs: JobRunner) -> None:
    started = threading.Event()
    done: list[object] = []
    job = jobs.start("Long", until_cancelled, started, on_done=done.append)
    qtbot.waitUntil(started.is_set)
    with qtbot.waitSignal(jobs.finished):
        job.cancel()
    assert job.state is JobState.CANCELLED
    assert done == []


def test_a_result_that_comes_after_cancel_is_dropped(qtbot: QtBot, jobs: JobRunner) -> None:
    go = threading.Event()
    done: list[object] = []
    job = jobs.start("Deaf", lambda progress: go.wait(WAIT_S), on_done=done.append)
    with qtbot.waitSignal(jobs.finished):
        job.cancel()
        go.set()
    assert done == []


def test_a_job_with_the_same_key_replaces_the_one_before(qtbot: QtBot, jobs: JobRunner) -> None:
    started = threading.Event()
    done: list[object] = []
    jobs.start("First", until_cancelled, started, on_done=done.append, replace_key="x")
    qtbot.waitUntil(started.is_set)
    with qtbot.waitSignals([jobs.finished, jobs.finished]):
        jobs.start("Second", lambda progress: 2, on_done=done.append, replace_key="x")
    assert done == [2]


def test_progress_is_told_no_more_than_twenty_times_a_second(qtbot: QtBot, jobs: JobRunner) -> None:
    told: list[Job] = []
    jobs.progressed.connect(told.append)

    def work(progress: Progress) -> None:
        for step in range(20_000):
            progress(step / 20_000, "Counting")

    with qtbot.waitSignal(jobs.finished) as finished:
        jobs.start("Count", work)
    job = finished.args[0]
    assert 1 <= len(told) <= 2 + job.elapsed * 20
    assert job.text == "Counting"


def test_closing_waits_no_longer_than_it_was_told(qtbot: QtBot, messages: Messages) -> None:
    runner = JobRunner(messages)
    release, started = threading.Event(), threading.Event()

    def stubborn(progress: Progress) -> None:
        started.set()
        release.wait(WAIT_S)

    runner.start("Stubborn", stubborn)
    qtbot.waitUntil(started.is_set)
    assert runner.close(wait_ms=50) is False
    release.set()
    assert runner.close() is True  # a job that outlives its runner would tell somebody who is gone


def test_closing_stops_what_listens(qtbot: QtBot, messages: Messages) -> None:
    runner = JobRunner(messages)
    started = threading.Event()
    runner.start("Long", until_cancelled, started)
    qtbot.waitUntil(started.is_set)
    assert runner.close() is True


def test_inline_jobs_are_done_when_start_returns(messages: Messages) -> None:
    done: list[int] = []
    JobRunner(messages, inline=True).start("Now", lambda progress: 7, on_done=done.append)
    assert done == [7]


def test_a_result_for_a_view_that_is_gone_is_dropped(qtbot: QtBot, jobs: JobRunner) -> None:
    class View(QObject):
        def show(self, result: object) -> None:
            self.setObjectName(str(result))

    view = View()
    with qtbot.captureExceptions() as errors, qtbot.waitSignal(jobs.finished):
        jobs.start("Draw", lambda progress: 42, on_done=view.show)
        delete(view)
    assert errors == []


def test_a_job_begins_after_what_asked_for_it(qtbot: QtBot, jobs: JobRunner) -> None:
    begun = threading.Event()
    jobs.start("Begin", lambda progress: begun.set())
    assert not begun.wait(0.05)
    qtbot.waitUntil(begun.is_set)


def wait_for_its_end(job: Job) -> None:
    """Wait until the worker is done with a job, and let nothing of it arrive in this thread."""
    waiting = threading.Event()
    for _ in range(2000):
        if job.state is JobState.DONE:
            return
        waiting.wait(0.005)
    pytest.fail("the job did not end")


def test_a_job_cancelled_between_its_end_and_its_delivery_delivers_nothing(qtbot: QtBot, jobs: JobRunner) -> None:
    begun, go = threading.Event(), threading.Event()
    done: list[object] = []

    def work(progress: Progress) -> int:
        begun.set()
        go.wait(10)
        return 42

    job = jobs.start("Late", work, on_done=done.append)
    qtbot.waitUntil(begun.is_set)
    go.set()
    wait_for_its_end(job)
    with qtbot.waitSignal(jobs.finished):
        job.cancel()
    assert (job.state, job.result, done) == (JobState.CANCELLED, 42, [])
    assert jobs.active == ()


def test_a_job_cancelled_after_its_delivery_stays_done(qtbot: QtBot, jobs: JobRunner) -> None:
    done: list[object] = []
    with qtbot.waitSignal(jobs.finished):
        job = jobs.start("Early", lambda progress: 42, on_done=done.append)
    job.cancel()
    jobs.cancel_all()
    with qtbot.waitSignal(jobs.finished):
        jobs.start("Next", lambda progress: 43, on_done=done.append)
    assert job.state is JobState.DONE
    assert done == [42, 43]
