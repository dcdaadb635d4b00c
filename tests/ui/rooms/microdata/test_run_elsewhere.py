"""Run Elsewhere in the window: what is asked, what is told, and a release that is verified before it has its name."""

import shlex
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.ui.rooms.microdata.out_of_core import OutOfCoreDialog, start_out_of_core
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument, ours
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def protected(hospital_document: Document) -> MicrodataDocument:
    """Give the hospital sample, ready to run."""
    return ours(hospital_document)


@pytest.fixture
def dialog(protected: MicrodataDocument, qtbot: QtBot, tmp_path: Path) -> OutOfCoreDialog:
    """Give the dialog about it."""
    made = OutOfCoreDialog(protected)
    qtbot.addWidget(made)
    made.target.setText(str(tmp_path / "out.parquet"))
    return made


def pressed(dialog: OutOfCoreDialog, name: str) -> None:
    """Press a button of the dialog."""
    button = dialog.findChild(QPushButton, name)
    assert button is not None
    button.click()


def test_the_table_of_the_project_is_proposed_and_a_run_leaves_a_verified_release(
    dialog: OutOfCoreDialog, protected: MicrodataDocument, tmp_path: Path
) -> None:
    assert dialog.table.text().endswith("hospital.csv")
    wishes: list[object] = []
    dialog.chosen.connect(wishes.append)
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    start_out_of_core(protected, wishes[0])  # type: ignore[arg-type]
    assert "verified" in protected.messages.open[-1].text
    assert verify_release(tmp_path / "out.parquet").holds


def test_a_test_says_what_the_engine_sees(dialog: OutOfCoreDialog) -> None:
    pressed(dialog, "elsewhere_test")
    assert "2,000 rows of" in dialog.note.label.text()
    dialog.table.setText("gone.parquet")
    pressed(dialog, "elsewhere_test")
    assert "nothing called" in dialog.note.label.text()


def test_the_command_that_is_copied_does_the_same(dialog: OutOfCoreDialog) -> None:
    dialog.memory.setValue(2.5)
    pressed(dialog, "elsewhere_copy")
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:2] == ["anonymizer-gui", "run"]
    assert words[3:5] == ["--engine", "duckdb"]
    assert words[-2:] == ["--memory", "2.5GB"]
    assert dialog.table.text() in words
    assert dialog.target.text() in words


def test_a_cluster_is_told_where_raw_data_live_and_asks_for_its_address(dialog: OutOfCoreDialog) -> None:
    assert "spill folder" in dialog.where.text()
    assert not dialog.address.isEnabled()
    dialog.engine.setCurrentIndex(1)
    assert "never saved" in dialog.where.text()
    assert dialog.address.isEnabled()
    assert dialog.wish().engine.startswith("sc://")
    dialog.target.clear()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_a_name_of_another_kind_is_refused_in_one_sentence(
    dialog: OutOfCoreDialog, protected: MicrodataDocument, tmp_path: Path
) -> None:
    dialog.target.setText(str(tmp_path / "out.xlsx"))
    start_out_of_core(protected, dialog.wish())
    assert "ends in" in protected.messages.open[-1].text
    assert not list(tmp_path.iterdir())
