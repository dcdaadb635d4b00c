"""Whole roads through the window, clicked as a steward clicks them: how many actions they take, and where they end."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QDialog, QFileDialog, QLabel, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.ui.hierarchies.sources import FolderImportDialog
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.output_panel import ApproveColumnsDialog
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.figure_cards import FigureCard
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import Severity
from tests.engine.data.tables.court_records import IDENTIFYING, court_records
from tests.made_adult import make_adult

LEFT = Qt.MouseButton.LeftButton
MOST_ACTIONS = 12
ROWS = 2_000
"""Of Adult: the road is the same for all of them, and a run is over at once."""


class Steward:
    """Works with the window and counts: a click, a key, a command of a menu, or a file chosen is one action each."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        self.actions: list[str] = []

    def command(self, name: str) -> None:
        """Choose from a menu, or press the keys of a command."""
        assert self.window.commands.qt[name].isEnabled(), self.window.commands.reason(name)
        self.actions.append(name)
        self.window.commands.qt[name].trigger()

    def press(self, widget: QWidget, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        """Press a key."""
        self.actions.append(str(key))
        self.qtbot.keyClick(widget, key, *modifiers)

    def click(self, button: QAbstractButton) -> None:
        """Click a button that is there to be clicked."""
        assert button.isVisible()
        assert button.isEnabled(), button.toolTip()
        self.actions.append(button.text())
        self.qtbot.mouseClick(button, LEFT)

    def choose_file(self, path: Path) -> None:
        """Choose in the dialog that asks for a file or folder."""
        self.qtbot.waitUntil(lambda: bool(self._open(QFileDialog)))
        (dialog,) = self._open(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        self.actions.append(dialog.windowTitle())
        dialog.fileSelected.emit(str(path))
        dialog.reject()

    def dialog(self, name: str) -> QDialog:
        """Give the dialog of a name, once it is there."""
        self.qtbot.waitUntil(lambda: any(each.objectName() == name for each in self._open(QDialog)))
        return next(each for each in self._open(QDialog) if each.objectName() == name)

    def says_that_names_leave(self, told: str) -> None:
        """See that neither the rail nor a figure of risk is green while columns leave that point to people."""
        rail, release = self.window.rail, self.window.show_page("release")
        self.qtbot.waitUntil(lambda: rail.mark("release").text == told)
        for name in ("protect", "risk", "release"):
            assert rail.mark(name).state is StepState.WARNING, name
        assert "leaves and points to people" in rail.mark("protect").text
        assert isinstance(release, ReleasePage)
        cards = {name: release.panel.figures.card(name) for name in ("k", "risk")}
        for name, card in cards.items():
            assert "(good)" not in card.accessibleName(), name
            assert "leaves, too, and points to people" in card.words.text()
        risk = self.window.show_page("risk")
        assert isinstance(risk, RiskPage)
        self.qtbot.waitUntil(lambda: bool(risk.figures.findChildren(FigureCard)))
        shown = [card for card in risk.figures.findChildren(FigureCard) if card.isVisible()]
        assert [card.accessibleName() for card in shown if "(good)" in card.accessibleName()] == []
        self.window.show_page("release")

    def _open(self, kind: type[QDialog]) -> list[QDialog]:
        return [dialog for dialog in self.window.findChildren(kind) if dialog.isVisible()]


@pytest.fixture
def steward(qtbot: QtBot, document: Document, make_window: Callable[[Document], MainWindow]) -> Iterator[Steward]:
    """Give somebody before the welcome page."""
    window = make_window(document)
    window.resize(1280, 800)
    yield Steward(qtbot, window)
    document.undo_stack.setClean()


def opened(steward: Steward, path: Path) -> DataPage:
    """Open a table as people do: choose the file, say what is to become of it, take the reading as it is."""
    steward.command("file.open")
    steward.choose_file(path)
    rooms = steward.dialog("ask_room")
    steward.click(next(b for b in rooms.findChildren(QAbstractButton) if b.objectName() == "room_microdata"))
    dialog = steward.dialog("import_dialog")
    assert isinstance(dialog, ImportTableDialog)
    steward.qtbot.waitUntil(dialog.open_button.isEnabled)
    steward.click(dialog.open_button)
    steward.qtbot.waitUntil(lambda: steward.window.document.table is not None)
    page = steward.window.pages.page("data")
    assert isinstance(page, DataPage)
    return page


def test_adult_leaves_in_twelve_actions(steward: Steward, tmp_path: Path) -> None:
    folder = make_adult(tmp_path / "adult", ROWS)
    document = steward.window.document

    page = opened(steward, folder / "adult.csv")
    view = page.home_of_shortcuts()
    assert isinstance(view, QTableView)
    steward.press(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    steward.press(view, Qt.Key.Key_Q)
    assert len(document.project.schema.names(Role.QI)) == 9
    steward.command("hierarchies.import_folder")
    steward.choose_file(folder)
    matches = steward.dialog("hierarchy_import")
    assert isinstance(matches, FolderImportDialog)
    steward.click(matches.buttons.button(matches.buttons.StandardButton.Ok))
    assert set(document.project.hierarchies) == set(document.project.schema.names(Role.QI))
    assert document.project.goals == (KAnonymity(k=5),)
    steward.command("protect.run")
    steward.qtbot.waitUntil(lambda: document.selected is not None)
    steward.command("release.export_as")
    steward.choose_file(tmp_path / "released.csv")
    steward.qtbot.waitUntil(lambda: (tmp_path / "released.csv").exists())

    assert len(steward.actions) <= MOST_ACTIONS, steward.actions
    assert verify_release(tmp_path / "released.csv").holds


def checks(page: ReleasePage) -> dict[str, bool]:
    assert page.leaving is not None
    return {check.name: check.holds for check in page.leaving.checks}


def test_court_records_are_never_all_green_while_names_or_case_numbers_leave(steward: Steward, tmp_path: Path) -> None:
    document = steward.window.document
    release = protected_records(steward, tmp_path / "records.csv")
    assert not all(checks(release).values())
    assert not release.export_button.isEnabled()
    steward.says_that_names_leave("A check is not in order")

    # Even one who agrees to all that is ticked, and then to the rest one by one, sees it said what leaves.
    agree = release.findChild(QPushButton, "agree_all")
    assert agree is not None
    steward.click(agree)
    dialog = steward.dialog("agree_dialog")
    assert isinstance(dialog, ApproveColumnsDialog)
    assert not {*IDENTIFYING, "dob", "decile_score", "c_charge_desc"} & set(dialog.ticked())
    steward.click(dialog.agree)
    steward.qtbot.waitUntil(lambda: release.leaving is not None)
    assert not checks(release)["others"]
    assert not checks(release)["identifiers"]  # names leave, whatever their column is called
    document.take(document.project.agreeing_to(document.project.undecided_columns()), "Agree to all")
    steward.qtbot.waitUntil(lambda: release.leaving is not None)
    left = checks(release)
    assert left["others"]
    assert not left["pointing"]
    assert release.leaving is not None
    (pointing,) = [check for check in release.leaving.checks if check.name == "pointing"]
    told = {finding.place for finding in pointing.findings}
    assert {"name", "first", "last", "c_case_number", "dob"} <= told
    steward.says_that_names_leave("A check should be looked at again")
    release.export(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").exists()
    steward.says_that_names_leave("Exported, though not all is in order")
    assert document.messages.open[-1].tone is Severity.WARNING
    line = release.checks.findChild(QLabel, "check_pointing")
    assert line is not None
    assert "look again" in line.text()
    assert "“c_case_number”" in line.text()


def protected_records(steward: Steward, path: Path) -> ReleasePage:
    """Go from a file of court records to its release, as somebody does who takes no column for an identifier."""
    write(court_records(300), path)
    document = steward.window.document
    page = opened(steward, path)
    page.mark_columns(Role.QI, ["sex", "age", "race"])
    document.edit("Nothing is identified", schema=forgotten(document))
    steward.command("protect.run")
    steward.qtbot.waitUntil(lambda: document.selected is not None)
    release = steward.window.show_page("release")
    assert isinstance(release, ReleasePage)
    steward.qtbot.waitUntil(lambda: release.leaving is not None)
    return release


def forgotten(document: Document) -> object:
    """Give the schema of somebody who takes every identifier for harmless."""
    return document.project.schema.with_roles(dict.fromkeys(IDENTIFYING, Role.OTHER))


def write(table: Table, path: Path) -> None:
    columns = [column.texts().tolist() for column in table.columns]
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(table.names)
        out.writerows(zip(*columns, strict=True))
