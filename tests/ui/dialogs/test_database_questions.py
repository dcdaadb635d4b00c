"""A database a project names is called up after a question only; its password is typed, and stands in no file."""

import json
import sqlite3
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.io import database_servers
from anonymizer_gui.engine.storage.sources import Address, PasswordNeeded, parse_address
from anonymizer_gui.ui.dialogs.database_dialogs import PasswordDialog
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

ADDRESS = "postgresql://ann@host/people"


class Rows:
    """The answer of the made-up server."""

    names = ("age", "sex")

    def __init__(self) -> None:
        self._rows = [(34, "f"), (41, "m")]

    def some(self, _most: int) -> list[tuple[object, ...]]:
        rows, self._rows = self._rows, []
        return rows


class Server:
    """A made-up server with one table."""

    title, dialect = "ann@host/people", "postgresql"

    def tables(self) -> tuple[str, ...]:
        return ("patients",)

    def table(self, _name: str) -> Rows:
        return Rows()

    query = table


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[Address]:
    """Let a made-up server in who knows the password; remember who asked."""
    addresses: list[Address] = []

    @contextmanager
    def opened_server(address: Address, *_: object) -> Iterator[Server]:
        addresses.append(address)
        if address.password != "geheim":
            raise PasswordNeeded(address)
        yield Server()

    monkeypatch.setattr(database_servers, "open_server", opened_server)
    monkeypatch.setattr(database_servers, "_TYPED", {})
    return addresses


def project_about(path: Path, source: dict[str, Any]) -> Path:
    entries = json.loads(resource_path("samples", "hospital.anon").read_text("utf-8"))
    columns = [entry for entry in entries["columns"] if entry["name"] in ("age", "sex")]
    bare = {"columns": columns, "sources": {"table": source}, "hierarchies": {}, "acknowledged": [], "bounds": {}}
    bare["person"] = ""
    path.write_text(json.dumps({**entries, **bare, "weights": {}}), encoding="utf-8")
    return path


def question() -> QMessageBox:
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    return box


def button(box: QMessageBox, text: str) -> QPushButton:
    return next(each for each in box.findChildren(QPushButton) if each.text().replace("&", "") == text)


def call_up(window: MainWindow) -> None:
    (message,) = [each for each in window.document.messages.open if each.actions]
    message.actions[0][1]()


def test_a_project_is_opened_without_calling_up_its_database(
    window: MainWindow, document: Document, tmp_path: Path, called: list[Address]
) -> None:
    document.open_project(project_about(tmp_path / "p.anon", {"path": ADDRESS, "sha256": "", "options": {}}))
    assert called == []
    assert document.table is None
    assert any("not called up unasked" in message.text for message in document.messages.open)


def test_the_question_says_where_it_leads_and_no_is_no(
    qtbot: QtBot, window: MainWindow, document: Document, tmp_path: Path, called: list[Address]
) -> None:
    options = {"query": "SELECT age, sex FROM patients -- <b>safe</b>"}
    document.open_project(project_about(tmp_path / "p.anon", {"path": ADDRESS, "sha256": "", "options": options}))
    call_up(window)
    box = question()
    assert "ann@host/people" in box.informativeText()
    assert "SELECT age, sex FROM patients" in box.informativeText()
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    assert called == []


def test_after_yes_the_password_is_asked_for_until_it_is_right(
    qtbot: QtBot, window: MainWindow, document: Document, tmp_path: Path, called: list[Address]
) -> None:
    path = project_about(tmp_path / "p.anon", {"path": ADDRESS, "sha256": "", "options": {}})
    document.open_project(path)
    call_up(window)
    qtbot.mouseClick(button(question(), "Call It Up"), Qt.MouseButton.LeftButton)
    for word in ("falsch", "geheim"):
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, PasswordDialog)
        assert dialog.field.echoMode() is dialog.field.EchoMode.Password
        qtbot.keyClicks(dialog.field, word)
        qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert document.table is not None
    assert document.table.names == ("age", "sex")
    assert {address.password for address in called} == {"", "falsch", "geheim"}
    assert document.save(path)
    assert "geheim" not in path.read_text("utf-8")
    assert document.project.sources()["table"].path == ADDRESS


def test_the_import_dialog_asks_for_the_password(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], document: Document, called: list[Address]
) -> None:
    dialog = opened("")
    dialog.source.setText(ADDRESS)
    qtbot.keyClick(dialog.source, Qt.Key.Key_Return)
    asking = QApplication.activeModalWidget()
    assert isinstance(asking, PasswordDialog)
    qtbot.keyClicks(asking.field, "geheim")
    qtbot.keyClick(asking.field, Qt.Key.Key_Return)
    assert dialog.model.table.names == ("age", "sex")
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert document.project.sources()["table"].path == ADDRESS
    assert document.project.name == "people"


def test_a_typed_password_leaves_the_screen(
    qtbot: QtBot, opened: Callable[..., ImportTableDialog], called: list[Address]
) -> None:
    dialog = opened("")
    dialog.source.setText("postgresql://ann:geheim@host/people")
    qtbot.keyClick(dialog.source, Qt.Key.Key_Return)
    assert dialog.source.text() == ADDRESS
    assert dialog.model.table.names == ("age", "sex")


def test_the_keyring_keeps_a_password_only_when_that_is_wished(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    keyring = types.ModuleType("keyring")
    keyring.set_password = lambda _service, _account, word: kept.append(word)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setattr(database_servers, "_TYPED", {})
    for is_wished in (False, True):
        dialog = PasswordDialog(parse_address(ADDRESS), window)
        dialog.show()
        dialog.remember.setChecked(is_wished)
        dialog.field.setText("geheim")
        dialog.accept()
        assert kept == (["geheim"] if is_wished else [])
        dialog.deleteLater()
    monkeypatch.setitem(sys.modules, "keyring", None)
    dialog = PasswordDialog(parse_address(ADDRESS), window)
    dialog.show()
    assert not dialog.remember.isVisible()
    dialog.close()


def test_the_dialog_tells_the_encoding_and_its_doubt(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("имя;город\nИван;Москва\nМария;Санкт-Петербург\n".encode("koi8-r"))
    dialog = opened(tmp_path / "t.csv")
    assert "Cyrillic (KOI8-R)" in dialog.note.label.text()


def test_a_damaged_file_leaves_the_window_alive(opened: Callable[..., ImportTableDialog], tmp_path: Path) -> None:
    """The library breaks on it; the sentence stands in the dialog, and the next file opens."""
    (tmp_path / "t.db").write_bytes(b"SQLite format 3\0" + bytes(500))
    dialog = opened(tmp_path / "t.db")
    assert "damaged" in dialog.note.label.text()
    with sqlite3.connect(tmp_path / "good.db") as base:
        base.execute("CREATE TABLE t (a)")
    base.close()
    dialog.source.setText(str(tmp_path / "good.db"))
    dialog.source.returnPressed.emit()
    assert dialog.model.table.names == ("a",)
