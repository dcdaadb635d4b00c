"""A cancelled job of the Compare page leaves everything as it was, and can be asked for again."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_project, hospital_table
from tests.patience import WAIT_S


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[ComparePage]:
    document = Document()
    project, table = hospital_project(algorithm=BottomUp()), hospital_table()
    document.set_table(table, project)
    document.finished.add(run(table, project))
    page = ComparePage(document)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: not document.jobs.active)
    yield page
    document.close()


def cancel_next(page: ComparePage, qtbot: QtBot, tab: int) -> None:
    """Bring a tab to the front while the worker is busy, and cancel what it asked for."""
    go_on = threading.Event()

    def busy(progress: Progress) -> None:
        go_on.wait(WAIT_S)

    jobs = page.document.jobs
    jobs.start("Busy", busy)
    page.tabs.setCurrentIndex(tab)
    assert len(jobs.active) > 1
    jobs.cancel_all()
    go_on.set()
    qtbot.waitUntil(lambda: not jobs.active)


def test_tables_cancelled_on_their_way_come_when_the_tab_is_shown_again(page: ComparePage, qtbot: QtBot) -> None:
    cancel_next(page, qtbot, 2)
    assert page.side.after.rowCount() == 0
    page.tabs.setCurrentIndex(0)
    page.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: page.side.after.rowCount() == 40 and page.side.classes.model.rowCount() > 0)


def test_a_lattice_cancelled_on_its_way_comes_when_the_tab_is_shown_again(page: ComparePage, qtbot: QtBot) -> None:
    cancel_next(page, qtbot, 1)
    assert page.found.lattice.view.current == -1
    page.tabs.setCurrentIndex(0)
    page.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.found.lattice.view.current >= 0)


def test_cancelling_leaves_releases_and_project_as_they_were(page: ComparePage, qtbot: QtBot) -> None:
    before = (page.document.releases, page.document.selected, page.document.project)
    cancel_next(page, qtbot, 2)
    assert (page.document.releases, page.document.selected, page.document.project) == before
