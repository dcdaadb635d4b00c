"""Cancelling any job, at its start or in the middle, leaves the document as it was and nothing on the disk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.rooms.microdata.utility_page import UtilityPage
from anonymizer_gui.workspace import jobs
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job
from tests.engine.rooms.microdata.making import hospital_table
from tests.ui.rooms.microdata.protect_documents import hospital_document

Work = Callable[[Document, QtBot, Path], None]


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


def stopping(
    started: list[Job],
    looks: int,
    report: Callable[[float, str], None],
    is_cancelled: Callable[[], bool],
    is_enough: Callable[[], bool],
) -> Progress:
    """Give the job that was started last a progress that cancels it after it was asked so many times."""
    job, left = started[-1], looks

    def asked() -> bool:
        nonlocal left
        left -= 1
        if left < 0 and job.title != "Check the release":  # what is checked first must be there to be exported
            job.cancel()
        return is_cancelled()

    return Progress(report, asked, is_enough)


@pytest.mark.parametrize("looks", [0, 2, 6])
@pytest.mark.parametrize("work", [run, try_all, open_table, set_population, export, attack, measure_utility])
def test_a_cancelled_job_leaves_everything_as_it_was(
    work: Work, looks: int, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    write_table(hospital_table(), tmp_path / "other.csv")
    document = hospital_document()
    document.run()
    before = document.project, document.table, document.population, document.releases, document.selected
    stopped: list[Job] = []
    monkeypatch.setattr(jobs, "Progress", lambda *given: stopping(stopped, looks, *given))
    for runner in (document.jobs, document.drawing):
        runner.started.connect(stopped.append)
    work(document, qtbot, tmp_path)
    assert any(job.is_cancelled for job in stopped)
    after = document.project, document.table, document.population, document.releases, document.selected
    assert all(now is then for now, then in zip(after[:3], before[:3], strict=True))
    assert after[3:] == before[3:]
    assert list((tmp_path / "out").iterdir()) == []
    assert document.messages.open == ()
    assert document.undo_stack.isClean()
    assert (document.is_dirty, document.finished.earlier) == (bool(document.releases), ())
    document.close()
