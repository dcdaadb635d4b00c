"""Cancelling any job, at its start or in the middle, leaves the document as it was and nothing on the disk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.shapes.tables.io import write_table
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk.page import RiskPage
from anonymizer_gui.ui.rooms.microdata.utility.page import UtilityPage
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job
from tests.engine.rooms.microdata.making import hospital_table
from tests.ui.rooms.microdata.protect_documents import hospital_document

Work = Callable[[Document, QtBot, Path], None]


class StopAfter:
    """A wish to stop that is made after so many looks."""

    def __init__(self, looks: int) -> None:
        self._left = looks

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0

    def set(self) -> None:
        self._left = 0


def run(document: Document, _qtbot: QtBot, _folder: Path) -> None:
    document.run()


def try_all(document: Document, qtbot: QtBot, _folder: Path) -> None:
    page = ProtectPage(document)
    qtbot.addWidget(page)
    page.try_all()


def open_table(document: Document, _qtbot: QtBot, folder: Path) -> None:
    document.open_table(folder / "other.csv")


def set_population(document: Document, _qtbot: QtBot, folder: Path) -> None:
    document.set_population(folder / "other.csv")


def export(document: Document, qtbot: QtBot, folder: Path) -> None:
    page = ReleasePage(document)
    qtbot.addWidget(page)
    page.export(folder / "out" / "release.csv")


def attack(document: Document, qtbot: QtBot, _folder: Path) -> None:
    qtbot.addWidget(RiskPage(document))


def measure_utility(document: Document, qtbot: QtBot, _folder: Path) -> None:
    qtbot.addWidget(UtilityPage(document))


@pytest.mark.parametrize("looks", [0, 2, 6])
@pytest.mark.parametrize("work", [run, try_all, open_table, set_population, export, attack, measure_utility])
def test_a_cancelled_job_leaves_everything_as_it_was(work: Work, looks: int, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_table(hospital_table(), tmp_path / "other.csv")
    document = hospital_document()
    document.run()
    before = document.project, document.table, document.population, document.releases, document.selected
    stopped: list[Job] = []

    def stop(job: Job) -> None:
        if job.title != "Check the release":  # what is checked first must be there to be exported
            job._stop = StopAfter(looks)  # type: ignore[assignment]
            stopped.append(job)

    document.jobs.started.connect(stop)
    work(document, qtbot, tmp_path)
    assert stopped
    after = document.project, document.table, document.population, document.releases, document.selected
    assert all(now is then for now, then in zip(after[:3], before[:3], strict=True))
    assert after[3:] == before[3:]
    assert list((tmp_path / "out").iterdir()) == []
    assert document.messages.open == ()
    assert not document.is_dirty
    document.close()
