"""Everything around the pages follows the room of the document: rail, menus, palette, help, drops, recent files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui.actions import FIRST_MENUS, LAST_MENUS
from anonymizer_gui.ui.dialogs.help_window import HelpWindow
from anonymizer_gui.ui.room_view import RoomView, all_views
from anonymizer_gui.ui.rooms.microdata.view import VIEW
from anonymizer_gui.ui.shell.command_palette import CommandPalette
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.start_page import StartPage
from anonymizer_gui.ui.shell.window_actions import ACTIONS
from anonymizer_gui.workspace.document import Document

MakeWindow = Callable[[Document], MainWindow]
every_room = pytest.mark.parametrize("view", all_views(), ids=lambda view: view.name)


def sample(view: RoomView) -> Path:
    return resource_path("samples", *view.samples[0].file.split("/"))


def menus(window: MainWindow) -> list[str]:
    return [action.text().replace("&", "") for action in window.menuBar().actions()]


def offered(window: MainWindow) -> set[str]:
    """List what the palette offers."""
    window.commands.qt["tools.palette"].trigger()
    palette = window.findChildren(CommandPalette)[-1]
    titles = {palette.list.topLevelItem(row).text(0) for row in range(palette.list.topLevelItemCount())}
    palette.reject()
    return titles


def drop(window: MainWindow, path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window.windowHandle(), QDragEnterEvent(QPoint(300, 300), *how))
    QApplication.sendEvent(window.windowHandle(), QDropEvent(QPointF(300, 300), *how))


@every_room
def test_rail_menus_palette_and_help_are_those_of_the_room(
    view: RoomView, document: Document, make_window: MakeWindow
) -> None:
    window = make_window(document)
    window.files.open_sample(sample(view))
    assert document.room == view.name
    assert window.rail.names() == [StartPage.name, *(page.name for page in view.pages())]
    own = [menu for menu in dict.fromkeys(action.menu for action in view.actions()) if menu]
    between = [menu for menu in own if menu not in (*FIRST_MENUS, *LAST_MENUS)]
    assert menus(window) == [*FIRST_MENUS, *between, *LAST_MENUS]
    assert set(window.commands.table) == {action.id for action in (*ACTIONS, *view.actions())}
    assert offered(window) == {window.commands.qt[name].iconText() for name in window.commands.table}
    for page in (StartPage, *view.pages()):
        window.go_to(page.name)
        window.commands.qt["help.page"].trigger()
        help_window = window.findChildren(HelpWindow)[-1]
        assert (page.name, help_window.current) == (page.name, page.help)
        help_window.reject()


@every_room
def test_nothing_of_a_room_stays_behind_when_it_is_left(
    view: RoomView, document: Document, make_window: MakeWindow
) -> None:
    window = make_window(document)
    before = window.rail.names(), menus(window), set(window.commands.table)
    window.files.open_sample(sample(view))
    window.files.open_sample(sample(VIEW))
    assert (window.rail.names(), menus(window), set(window.commands.table)) == before
    assert window.pages.names() == before[0]


@every_room
def test_a_project_leads_to_its_room_dropped_or_from_the_recent_files(
    view: RoomView, document: Document, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window(document)
    document.open_project(sample(view), as_copy=True)
    document.save(tmp_path / "mine.anon")
    document.new()
    assert document.room == VIEW.name
    drop(window, tmp_path / "mine.anon")
    assert document.room == view.name
    document.new()
    window.recent.fill()
    next(entry for entry in window.recent.actions() if entry.text() == "mine.anon").trigger()
    assert document.room == view.name
    assert window.rail.names()[1:] == [page.name for page in view.pages()]


def test_a_file_is_taken_to_another_room(qtbot: QtBot, document: Document, make_window: MakeWindow) -> None:
    window = make_window(document)
    table = resource_path("samples", "lecture.csv")
    document.open_table(table)
    window.commands.qt["file.other_room"].trigger()
    question = window.findChild(QDialog, "ask_room")
    assert question is not None
    rooms = [button.objectName() for button in question.findChildren(QAbstractButton)]
    assert "room_statistics" in rooms
    assert "room_microdata" not in rooms
    chosen = question.findChild(QAbstractButton, "room_statistics")
    assert isinstance(chosen, QAbstractButton)
    qtbot.mouseClick(chosen, Qt.MouseButton.LeftButton)
    assert document.room == "statistics"
    assert [Path(source.path) for source in document.project.sources().values()][:1] == [table]


def test_the_welcome_offers_every_room_with_a_sentence_and_a_sample(window: MainWindow) -> None:
    page = window.show_page(StartPage.name)
    said = " ".join(label.text() for label in page.findChildren(QLabel))
    for view in all_views():
        assert view.summary.replace("’", "&#x27;") in said
        for each in view.samples:
            assert page.findChild(QAbstractButton, f"sample_{each.name}") is not None
