"""Answers that were cancelled can be asked for again."""

import threading

from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.workspace.document import Document


def test_an_answer_whose_job_was_cancelled_is_asked_again(qtbot: QtBot) -> None:
    document = Document()
    started, answers = threading.Event(), []

    def work(progress: Progress) -> str:
        if not started.is_set():
            started.set()
            while True:
                progress.check()
        return "found"

    document.ask("x", work, then=answers.append)
    qtbot.waitUntil(started.is_set)
    with qtbot.waitSignal(document.jobs.finished):
        document.jobs.cancel_all()
    document.ask("x", work, then=answers.append)
    qtbot.waitUntil(lambda: answers == ["found"])
    document.close()


def test_an_answer_that_was_delivered_stays_when_its_job_is_cancelled_afterwards(qtbot: QtBot) -> None:
    document = Document()
    calls: list[int] = []
    answers: list[int] = []
    jobs = []
    document.jobs.started.connect(jobs.append)

    def work(progress: Progress) -> int:
        calls.append(len(calls) + 1)
        return calls[-1]

    document.ask("x", work, then=answers.append)
    qtbot.waitUntil(lambda: answers == [1])
    for job in jobs:
        job.cancel()
    document.ask("x", work, then=answers.append)
    assert (answers, calls) == ([1, 1], [1])
    document.close()
