"""A long job that ends behind other windows is told through the system."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.ui.shell import job_progress
from anonymizer_gui.ui.shell.job_progress import DesktopNotifier
from anonymizer_gui.workspace.document import Document


def works(progress: Progress) -> None:
    progress(1.0)


def fails(progress: Progress) -> None:
    raise AnonymizerError("It did not work.")


@pytest.mark.parametrize(("work", "words"), [(works, "“Protect” is done."), (fails, "“Protect” did not work.")])
def test_a_long_job_in_the_background_is_told(
    qtbot: QtBot, document: Document, monkeypatch: pytest.MonkeyPatch, work: Callable[[Progress], None], words: str
) -> None:
    monkeypatch.setattr(job_progress, "LONG_S", 0.0)
    window = QWidget()
    qtbot.addWidget(window)
    told = DesktopNotifier(window, document.jobs)
    document.jobs.start("Protect", work)
    assert told.told == [words]


def test_short_jobs_and_those_in_sight_are_not_told(
    qtbot: QtBot, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    told = DesktopNotifier(window, document.jobs)
    document.jobs.start("Protect", works)
    monkeypatch.setattr(job_progress, "LONG_S", 0.0)
    monkeypatch.setattr(window, "isActiveWindow", lambda: True)
    document.jobs.start("Protect", works)
    document.jobs.start("", works)
    assert told.told == []
