"""A table that an engine holds, in the window: some rows, exact figures, and a run that goes through the engine."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.room import ROOM
from anonymizer_gui.engine.scale import sampled_table
from anonymizer_gui.engine.scale.contract import REMOTE, EngineInput, find_input
from anonymizer_gui.engine.scale.duckdb_engine import DuckEngine
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.ui.rooms.microdata.data.actions import open_prepare_dialog
from anonymizer_gui.ui.rooms.microdata.data.prepare_dialog import PrepareDialog
from anonymizer_gui.ui.rooms.microdata.out_of_core import OutOfCoreDialog
from anonymizer_gui.ui.rooms.microdata.release_texts import ours
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

ROWS = 900


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of Parquet files of 900 rows, of which 100 are shown; columns of 300 values are not listed."""
    monkeypatch.setattr(sampled_table, "SHOWN_ROWS", 100)
    monkeypatch.setattr(sampled_table, "MOST_LISTED", 300)
    folder = tmp_path / "parts"
    folder.mkdir()
    for part in range(3):
        numbers = range(part * 300, part * 300 + 300)
        cells = {
            "id": [f"p{n // 2:04d}" for n in numbers],
            "age": [str(20 + n % 50) if n % 90 else None for n in numbers],
            "ill": [f"s{n % 3}" for n in numbers],
        }
        pyarrow.parquet.write_table(pa.table(cells), folder / f"{part}.parquet")
    return folder


@pytest.fixture
def held(document: Document, parts: Path) -> Document:
    """Open the folder."""
    document.open_table(parts)
    return document


def test_a_folder_is_held_by_duckdb_and_its_figures_are_of_all_rows(
    held: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(held)
    window.show_page("data")
    page = window.pages.page("data")
    assert held.table is not None
    assert (held.table.n_rows, held.table.n_whole) == (100, ROWS)
    assert page.model.rowCount() == 100
    assert "100 of 900 rows" in page.whole.held.label.text()
    page.view.select_column("age")
    assert "50 distinct values" in page.panel.facts.text()
    assert "10 missing" in page.panel.facts.text()
    page.view.select_column("id")
    assert "450 distinct values" in page.panel.facts.text()
    assert "0 rows with a value of their own" in page.panel.facts.text()
    assert [page.columns.model.data(page.columns.model.index(row, 3)) for row in range(3)] == ["450", "50", "3"]
    assert "900 rows" in window.statusBar().findChild(type(page.panel.facts), "status_size").text()


def test_a_run_goes_through_the_engine_and_never_uses_the_sample(
    held: Document, make_window: Callable[[Document], MainWindow], parts: Path
) -> None:
    held.take(held.project.with_roles({"id": Role.EI, "age": Role.QI, "ill": Role.SA}), "roles")
    with pytest.raises(BadParameter, match="held by an engine"):
        ROOM.run(held.project, held.files, SILENT)
    window = make_window(held)
    window.show_page("protect")
    page = window.pages.page("protect")
    assert page.run_button.text() == "Run Elsewhere…"
    assert not page.try_button.isEnabled()
    assert not page.sweep_button.isEnabled()
    page.run_button.click()
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, OutOfCoreDialog))
    assert dialog.table.text() == str(parts)
    assert dialog.target.text().endswith("parts_released.parquet")
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert "verified" in ours(held).messages.open[-1].text
    target = parts.with_name("parts_released.parquet")
    assert verify_release(target).holds
    assert len(pyarrow.parquet.read_table(target)) > 100


def test_hierarchies_are_made_of_all_values(held: Document, make_window: Callable[[Document], MainWindow]) -> None:
    held.take(held.project.with_roles({"age": Role.QI}), "roles")
    window = make_window(held)
    window.show_page("hierarchies")
    window.pages.page("hierarchies").propose_all.click()
    tree = held.project.hierarchies["age"]
    assert {str(20 + n) for n in range(50)} <= set(tree.labels)


def test_a_saved_project_is_held_again(held: Document, tmp_path: Path, qtbot: QtBot) -> None:
    assert held.save(tmp_path / "held.anon")
    again = Document(inline_jobs=True)
    again.open_project(tmp_path / "held.anon")
    assert again.table is not None
    assert again.table.is_sample
    assert again.table.n_whole == ROWS
    again.close()


def test_a_table_that_memory_would_hardly_hold_is_left_to_duckdb_unless_one_says_otherwise(
    document: Document, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.csv"
    path.write_text("age,ill\n" + "30,x\n" * 50, encoding="utf-8")
    monkeypatch.setattr("anonymizer_gui.engine.scale.engine_choice.free_memory", lambda: 100)
    for unticked in (False, True):
        dialog = ImportTableDialog(document, str(path))
        qtbot.addWidget(dialog)
        assert dialog.holding.box.isChecked()
        assert "DuckDB is used" in dialog.holding.why.text()
        if unticked:
            dialog.holding.box.click()
        dialog.open_button.click()
        assert document.table is not None
        assert document.table.is_sample is not unticked
    monkeypatch.undo()
    dialog = ImportTableDialog(document, str(path))
    qtbot.addWidget(dialog)
    assert not dialog.holding.box.isChecked()


class FarEngine(DuckEngine):
    """Stands for a cluster: whatever it is asked to open, it sees one folder."""

    folder = Path()
    address = "sc://far:15002"

    def __init__(self, _address: str, *_given: object) -> None:
        super().__init__([self.folder])

    def open(self, source: EngineInput, progress: Progress = SILENT) -> list[str]:
        """Open the folder."""
        assert source.kind == REMOTE
        return super().open(find_input(str(self.folder)), progress)


def test_a_table_that_only_a_cluster_sees_is_opened_through_it_and_not_called_up_unasked(
    document: Document, parts: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FarEngine, "folder", parts)
    monkeypatch.setattr(sampled_table, "open_engine", FarEngine)
    dialog = ImportTableDialog(document, "")
    qtbot.addWidget(dialog)
    assert dialog.holding.isHidden()
    dialog.source.setText("s3://bucket/people")
    assert not dialog.holding.isHidden()
    dialog.connect_button.click()
    assert "Only a cluster reads" in dialog.note.label.text()
    dialog.holding.cluster.setText("sc://far:15002")
    dialog.holding.cluster.returnPressed.emit()
    assert dialog.model.table.names == ("id", "age", "ill")
    assert "read by the cluster at sc://far:15002" in dialog.holding.why.text()
    dialog.open_button.click()
    assert document.table is not None
    assert (document.table.n_rows, document.table.n_whole) == (100, ROWS)
    assert document.table.whole("age").counts().sum() == ROWS
    elsewhere = OutOfCoreDialog(ours(document))
    qtbot.addWidget(elsewhere)
    assert (elsewhere.wish().engine, elsewhere.wish().table) == ("sc://far:15002", "s3://bucket/people")
    assert document.save(tmp_path / "far.anon")
    again = Document(inline_jobs=True)
    again.open_project(tmp_path / "far.anon")
    assert again.table is None
    again.join_table(allow_database=True)
    assert again.table is not None
    again.close()


def test_a_held_table_is_prepared_by_the_engine(held: Document, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    open_prepare_dialog(held, parent)
    dialog = parent.findChild(PrepareDialog, "prepare_dialog")
    offered = {dialog.kind.itemData(at) for at in range(dialog.kind.count())}
    assert {"keep", "replace", "bins"} <= offered
    assert not {"sample", "noise", "swap"} & offered
    dialog.kind.setCurrentIndex(dialog.kind.findData("keep"))
    dialog.form().fields["condition"].widget.setText("age>=60")
    dialog.add.click()
    left = sum(20 + n % 50 >= 60 for n in range(ROWS) if n % 90)
    assert f"{left} rows" in dialog.summary.text()
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert held.table is not None
    assert held.table.n_whole == left
    assert set(held.table.whole("age").labels) == {str(age) for age in range(60, 70)}
