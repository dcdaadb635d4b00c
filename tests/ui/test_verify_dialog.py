"""Verifying a release in the window."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.release.verify_dialog import VerifyDialog
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def released(tmp_path: Path) -> Path:
    path = tmp_path / "out.csv"
    assert main(["run", str(resource_path("samples", "lecture.anon")), "-o", str(path), "--reason", "a test"]) == 0
    return path


def verified(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> VerifyDialog:
    monkeypatch.setattr(file_dialogs, "ask_file", lambda _parent, _title, then, new=False: then(str(path)))
    window.commands.qt["tools.verify"].trigger()
    dialog = window.findChild(VerifyDialog)
    assert dialog is not None
    return dialog


def test_an_untouched_release_is_what_its_certificate_says_with_its_exception(
    document: Document,
    make_window: Callable[[Document], MainWindow],
    released: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialog = verified(make_window(document), released, monkeypatch)
    assert dialog.verdict.label.text().startswith("The release is what its certificate says, but it was released")
    assert [dialog.list.item(at).text().partition(":")[0] for at in range(dialog.list.count())] == [
        "Every sensitive column protected by a goal"
    ]
    assert dialog.taken.text().startswith("Taken from the certificate, not measured: ")


def test_a_changed_cell_is_told(
    document: Document,
    make_window: Callable[[Document], MainWindow],
    released: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = released.read_text(encoding="utf-8")
    released.write_text(text.replace("Flu", "Cold", 1) if "Flu" in text else text + "x", encoding="utf-8")
    dialog = verified(make_window(document), released, monkeypatch)
    assert dialog.verdict.label.text() == "The release is not what its certificate says."
    assert dialog.list.count() > 0


def test_a_file_without_a_certificate_is_told_in_a_sentence(
    document: Document, make_window: Callable[[Document], MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n", encoding="utf-8")
    dialog = verified(make_window(document), tmp_path / "x.csv", monkeypatch)
    assert "no certificate" in dialog.verdict.label.text()
