"""The window around the pages: actions, messages, jobs, dialogs, language and theme."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui.dialogs.help_window import HelpWindow
from anonymizer_gui.ui.dialogs.preferences import PreferencesDialog, ShortcutsDialog
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.shell import job_progress
from anonymizer_gui.ui.shell.command_palette import CommandPalette
from anonymizer_gui.ui.shell.job_progress import JobProgressBar
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.start_page import StartPage
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import JobRunner
from anonymizer_gui.workspace.messages import Messages
from anonymizer_gui.workspace.settings import Settings
from tests.patience import WAIT_S


def test_a_sample_opens_in_one_click_with_roles_and_hierarchies(qtbot: QtBot, window: MainWindow) -> None:
    welcome = window.pages.page("welcome")
    qtbot.mouseClick(welcome.findChild(QPushButton, "sample_hospital"), Qt.MouseButton.LeftButton)
    assert window.pages.current_name == "data"
    assert len(window.document.project.schema.names(Role.QI)) == 6
    assert window.rail.mark("data").state is StepState.DONE
    assert window.document.messages.open == ()
    assert window.settings.preferences.recent == ()


def test_the_rail_numbers_the_steps_and_leads_to_them(qtbot: QtBot, window: MainWindow) -> None:
    assert window.rail.names()[:2] == ["welcome", "data"]
    window.rail.setFocus()
    qtbot.keyClick(window.rail, Qt.Key.Key_Down)
    assert window.pages.current_name == "data"
    assert window.rail.item(1).data(Qt.ItemDataRole.AccessibleTextRole) == "Data: not yet. Open a table"


def test_keys_go_from_step_to_step(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.qt["view.next_page"].trigger()
    assert window.pages.current_name == "data"
    window.commands.qt["view.previous_page"].trigger()
    assert window.pages.current_name == "welcome"
    window.commands.qt["view.previous_page"].trigger()
    assert window.pages.current_name == "welcome"


def test_undo_says_what_it_would_undo(window: MainWindow) -> None:
    undo = window.commands.qt["edit.undo"]
    assert not undo.isEnabled()
    assert undo.statusTip() == "There is nothing to undo."
    window.document.edit("Mark age as Sensitive", name="x")
    assert undo.isEnabled()
    assert undo.text().replace("&", "") == "Undo: Mark age as Sensitive"
    undo.trigger()
    assert window.document.project.name == ""


def test_the_history_lists_every_step(qtbot: QtBot, window: MainWindow) -> None:
    window.document.edit("First", name="1")
    window.document.edit("Second", name="2")
    window.commands.qt["view.history"].trigger()
    assert window.history.isVisible()
    view = window.history.widget()
    view.setCurrentIndex(view.model().index(1, 0))
    assert window.document.project.name == "1"
    window.commands.qt["view.copy_history"].trigger()
    assert [line.split("  ")[1] for line in QGuiApplication.clipboard().text().splitlines()] == ["First", "Second"]


def test_a_message_shows_its_details_and_goes_away(qtbot: QtBot, window: MainWindow) -> None:
    window.document.messages.error("It did not work.", "Try again.", "line 1\nline 2")
    strip = window.message_bar.strips()[0]
    assert strip.text.text() == "It did not work. Try again."
    assert not strip.details.isVisible()
    qtbot.mouseClick(strip.details_button, Qt.MouseButton.LeftButton)
    assert strip.details.isVisible()
    qtbot.mouseClick(strip.copy_button, Qt.MouseButton.LeftButton)
    assert "line 2" in QGuiApplication.clipboard().text()
    qtbot.mouseClick(strip.close_button, Qt.MouseButton.LeftButton)
    assert window.message_bar.strips() == []
    assert not window.message_bar.isVisible()


def test_a_message_offers_its_way_out(qtbot: QtBot, window: MainWindow) -> None:
    done: list[bool] = []
    window.document.messages.warning("Careful.", actions=[("Help Me", lambda: done.append(True))])
    button = next(b for b in window.message_bar.findChildren(QPushButton) if b.text() == "Help Me")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == [True]


def test_no_more_than_three_messages_are_in_sight(window: MainWindow) -> None:
    for number in range(5):
        window.document.messages.info(f"Message {number}")
    assert [strip.text.text() for strip in window.message_bar.strips()] == ["Message 4", "Message 3", "Message 2"]


def test_what_was_merely_told_goes_with_the_page_it_was_told_on(qtbot: QtBot, window: MainWindow) -> None:
    messages = window.document.messages
    messages.success("Done.", actions=[("Open", lambda: None)])
    messages.info("Good to know.")
    messages.info("Deleted.", actions=[("Bring Back", lambda: None)])
    messages.warning("Beware.")
    window.show_page("protect")
    assert len(messages.open) == 4
    window.step_page(1)
    assert [message.text for message in messages.open] == ["Deleted.", "Beware."]


def test_the_strip_appears_for_a_long_job_and_cancel_stops_it(qtbot: QtBot) -> None:
    jobs = JobRunner(Messages())
    strip = JobProgressBar(jobs)
    qtbot.addWidget(strip)
    pause = threading.Event()

    def work(progress: Progress) -> None:
        while True:
            progress(0.25, "Counting rows")
            pause.wait(0.01)

    jobs.start("Open the table", work)
    assert not strip.isVisible()
    qtbot.waitUntil(strip.isVisible)
    assert "Open the table: Counting rows" in strip.title.text()
    assert strip.bar.value() == 250
    with qtbot.waitSignal(jobs.finished):
        qtbot.mouseClick(strip.cancel, Qt.MouseButton.LeftButton)
    assert not strip.isVisible()
    jobs.close()


def test_a_job_with_a_result_may_be_ended_with_it(qtbot: QtBot) -> None:
    jobs, kept = JobRunner(Messages()), []
    strip = JobProgressBar(jobs)
    qtbot.addWidget(strip)
    pause = threading.Event()

    def work(progress: Progress) -> str:
        while not progress.enough():
            progress(0.25, "Searching")
            pause.wait(0.01)
        return "the best so far"

    jobs.start("Run", work, on_done=kept.append)
    qtbot.waitUntil(lambda: strip.isVisible() and strip.settle.isVisible())
    with qtbot.waitSignal(jobs.finished):
        qtbot.mouseClick(strip.settle, Qt.MouseButton.LeftButton)
    assert kept == ["the best so far"]
    jobs.close()


def test_a_quiet_job_does_not_show(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_progress, "APPEARS_AFTER_MS", 1)
    jobs = JobRunner(Messages())
    strip = JobProgressBar(jobs)
    qtbot.addWidget(strip)
    go = threading.Event()
    jobs.start("", lambda progress: go.wait(WAIT_S))
    qtbot.wait(30)
    assert not strip.isVisible()
    with qtbot.waitSignal(jobs.finished):
        go.set()
    jobs.close()


def test_every_action_has_a_title_a_tip_and_its_own_keys(window: MainWindow) -> None:
    table = window.commands.table
    assert [name for name, made in window.commands.qt.items() if not made.text() or not made.statusTip()] == []
    taken: dict[str, list[str]] = {}
    for name, action in table.items():
        keys = window.commands.shortcut(name).toString()
        if keys:
            taken.setdefault(keys, []).append("" if action.anywhere else action.page)
    crowded = {
        keys: homes for keys, homes in taken.items() if len(homes) > 1 and (len(set(homes)) < len(homes) or "" in homes)
    }
    assert crowded == {}


def test_every_disabled_action_has_a_reason(window: MainWindow) -> None:
    silent = [
        name for name, made in window.commands.qt.items() if not made.isEnabled() and not window.commands.reason(name)
    ]
    assert silent == []


def test_every_action_with_a_menu_is_in_it(window: MainWindow) -> None:
    shown = {action.objectName() for menu in window.menuBar().actions() for action in menu.menu().actions()}
    assert {name for name, action in window.commands.table.items() if action.menu} <= shown


def test_no_menu_gives_a_letter_twice(window: MainWindow) -> None:
    bar = window.menuBar()
    letters = [action.text()[action.text().index("&") + 1].lower() for action in bar.actions()]
    assert len(set(letters)) == len(letters)


def test_the_palette_finds_and_does(qtbot: QtBot, window: MainWindow) -> None:
    window.document.edit("Name it", name="x")
    window.commands.qt["tools.palette"].trigger()
    palette = window.findChild(CommandPalette)
    qtbot.keyClicks(palette.field, "undo")
    assert palette.list.topLevelItem(0).text(0) == "Undo: Name it"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.document.project.name == ""


def test_the_palette_says_why_something_is_not_possible(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.qt["tools.palette"].trigger()
    palette = window.findChild(CommandPalette)
    qtbot.keyClicks(palette.field, "find next")
    assert palette.list.topLevelItem(0).text(1) == "Open a table first."
    palette.reject()


def test_a_shortcut_can_be_changed_and_stays(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.qt["tools.shortcuts"].trigger()
    dialog = window.findChild(ShortcutsDialog)
    dialog.search.setText("history")
    items = [dialog.list.topLevelItem(place) for place in range(dialog.list.topLevelItemCount())]
    dialog.list.setCurrentItem(next(item for item in items if not item.isHidden()))
    dialog.keys.setKeySequence("Ctrl+O")
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    assert "Open" in dialog.note.label.text()
    dialog.keys.setKeySequence("Ctrl+Alt+H")
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    assert window.commands.qt["view.history"].shortcut().toString() == "Ctrl+Alt+H"
    assert Settings().preferences.shortcuts == {"view.history": "Ctrl+Alt+H"}
    qtbot.mouseClick(dialog.reset_button, Qt.MouseButton.LeftButton)
    assert window.commands.qt["view.history"].shortcut().toString() == "Ctrl+H"
    dialog.reject()


@pytest.mark.parametrize("page", ["welcome", "data"])
def test_help_opens_at_the_page_one_is_on(window: MainWindow, page: str) -> None:
    window.show_page(page)
    window.commands.qt["help.page"].trigger()
    shown = window.findChild(HelpWindow)
    assert shown.current == window.pages.page(page).help
    assert len(shown.page.toPlainText()) > 100
    shown.reject()


def test_the_about_box_has_versions_to_copy(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.qt["help.about"].trigger()
    dialog = window.findChild(QDialog, "about")
    qtbot.mouseClick(dialog.findChild(QPushButton, "about_copy"), Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert all(name in text for name in ("Anonymizer", "Python", "Qt", "NumPy", "pandas"))
    dialog.reject()


def test_the_log_shows_new_lines(window: MainWindow) -> None:
    window.commands.qt["help.log"].trigger()
    dialog = window.findChild(QDialog, "log")
    window.document.messages.warning("Something to note.")
    assert "Something to note." in dialog.lines.toPlainText()
    dialog.reject()


def test_preferences_take_effect_at_once(window: MainWindow) -> None:
    window.commands.qt["tools.preferences"].trigger()
    dialog = window.findChild(PreferencesDialog)
    dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
    dialog.theme.activated.emit(dialog.theme.currentIndex())
    assert window.settings.preferences.theme == "dark"
    assert window.commands.qt["view.theme_dark"].isChecked()
    window.settings.add_recent(Path("secret.anon"))
    dialog.remember.setChecked(False)
    assert window.settings.preferences.recent == ()
    dialog.reject()


def test_the_letters_of_the_roles_work_as_soon_as_a_table_is_open(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open_table(str(resource_path("samples", "lecture.csv")))
    page = window.pages.page("data")
    assert isinstance(page, DataPage)
    qtbot.waitUntil(lambda: window.focusWidget() is page.view)
    qtbot.keyClick(page.view, Qt.Key.Key_E)
    assert window.document.project.schema.columns[0].role is Role.EI


def test_the_return_key_in_the_preferences_forgets_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.settings.add_recent(tmp_path / "study.anon")
    dialog = PreferencesDialog(window.settings, window)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert window.settings.preferences.recent


def test_a_window_is_at_first_no_larger_than_the_screen(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(300, 200))
    window.reset_layout()
    assert window.size() == window.minimumSize().expandedTo(window.minimumSizeHint())


def test_a_tip_names_the_users_own_keys(qtbot: QtBot, document: Document) -> None:
    page = StartPage(document, Settings())
    qtbot.addWidget(page)
    page.set_tip({"tools.palette": "Ctrl+K"}, 0)
    assert page.tip.text() == "Tip: Press Ctrl+K to find any command by typing a few letters."


def test_the_window_fits_a_screen_of_few_points(
    document: Document, make_window: Callable[[Document], MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(768, 432))
    window = make_window(document)
    window.reset_layout()
    assert window.minimumWidth() < 768
    assert window.minimumHeight() < 432
    assert window.height() < 432


def test_quit_is_the_last_entry_of_its_menu_and_no_group_comes_twice(window: MainWindow) -> None:
    menus = [action.menu() for action in window.menuBar().actions()]
    assert menus[0].actions()[-1] is window.commands.qt["file.quit"]
    ids = {action: name for name, action in window.commands.qt.items()}
    for menu in menus:
        groups = [window.commands.table[ids[entry]].group for entry in menu.actions() if entry in ids]
        changes = [group for place, group in enumerate(groups) if place == 0 or group != groups[place - 1]]
        assert len(changes) == len(set(changes)), menu.title()
