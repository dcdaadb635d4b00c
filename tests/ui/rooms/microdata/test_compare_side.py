"""Side by side: one order and one place for both tables, tints by loss, classes and their sensitive values."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QTableView, QToolButton
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import ChosenLevels
from anonymizer_gui.engine.rooms.microdata.masking.noise_addition import AddNoise
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import side_by_side
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.rooms.microdata.compare.before_after import BeforeAfterModel, BeforeAfterTab, loss_color
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.test_untruthful import released
from tests.ui.rooms.microdata.compare_documents import run_all

LEFT = Qt.MouseButton.LeftButton
HIGHER = ChosenLevels(levels=(("age", 1), ("zip", 1)))
LOWEST = ChosenLevels(levels=(("age", 0), ("zip", 0)))


def side(qtbot: QtBot, document: Document) -> BeforeAfterTab:
    page = ComparePage(document)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.tabs.setCurrentWidget(page.side)
    page.show()
    return page.side


@pytest.fixture
def tables(qtbot: QtBot, document: Document) -> BeforeAfterTab:
    return side(qtbot, run_all(document, HIGHER, rows=400))


@pytest.fixture
def suppressed(qtbot: QtBot, document: Document) -> BeforeAfterTab:
    return side(qtbot, run_all(document, LOWEST, rows=41, goals=(KAnonymity(k=6),), suppression=0.9))


def cells(model: BeforeAfterModel, column: str, role: int = Qt.ItemDataRole.DisplayRole) -> list[object]:
    names = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    return [model.index(row, names.index(column)).data(role) for row in range(model.rowCount())]


def click_head(view: QTableView, column: str, qtbot: QtBot) -> None:
    model, head = view.model(), view.horizontalHeader()
    names = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    place = head.rect().center()
    place.setX(head.sectionViewportPosition(names.index(column)) + 20)
    qtbot.mouseClick(head.viewport(), LEFT, pos=place)


def test_both_tables_have_the_same_rows_and_columns(tables: BeforeAfterTab) -> None:
    assert tables.before.order is tables.after.order
    assert cells(tables.before, "age")[:3] == ["20", "21", "22"]
    assert cells(tables.after, "disease") == cells(tables.before, "disease")
    assert set(cells(tables.after, "name")) == {"removed"}


def test_heads_of_perturbed_columns_say_that_they_are_not_truthful(tmp_path: Path) -> None:
    """On both sides, for what was read had its noise already; nothing of it is called unchanged."""
    release, table = released(tmp_path, AddNoise(columns=("cost",), seed=3))
    both = side_by_side(release, table)
    for model in (BeforeAfterModel(False), BeforeAfterModel(True)):
        model.set_tables(
            both, release.project.schema, np.arange(table.n_rows), untruthful_output_columns(release.project)
        )
        names = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
        assert names == ["age", "zip", "cost (not truthful)", "name"]
        tip = model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
        assert "not truthful" in tip
        assert "unchanged" not in tip


def test_scrolling_one_table_scrolls_the_other(tables: BeforeAfterTab) -> None:
    tables.left.verticalScrollBar().setValue(120)
    assert tables.right.verticalScrollBar().value() == 120
    tables.right.verticalScrollBar().setValue(7)
    assert tables.left.verticalScrollBar().value() == 7


def test_columns_keep_the_same_width(tables: BeforeAfterTab) -> None:
    tables.right.horizontalHeader().resizeSection(1, 222)
    assert tables.left.horizontalHeader().sectionSize(1) == 222


def test_a_row_selected_in_one_table_is_selected_in_the_other(tables: BeforeAfterTab, qtbot: QtBot) -> None:
    place = tables.left.visualRect(tables.before.index(4, 0)).center()
    qtbot.mouseClick(tables.left.viewport(), LEFT, pos=place)
    assert [index.row() for index in tables.right.selectionModel().selectedRows()] == [4]


def test_a_head_sorts_both_tables_up_down_and_back(tables: BeforeAfterTab, qtbot: QtBot) -> None:
    seen = []
    for _ in range(3):
        click_head(tables.left, "age", qtbot)
        assert tables.before.order is tables.after.order
        seen.append(cells(tables.before, "age"))
    assert seen[0] == sorted(seen[0], key=int)  # type: ignore[arg-type]
    assert seen[1] == seen[0][::-1]
    assert seen[2][:3] == ["20", "21", "22"]


def test_rows_can_be_sorted_by_what_was_published(suppressed: BeforeAfterTab, qtbot: QtBot) -> None:
    click_head(suppressed.right, "age", qtbot)
    found = cells(suppressed.after, "age")
    assert found[:6] == ["20"] * 6
    assert found[6:] == ["suppressed"] * 35


def test_changed_cells_are_tinted_by_what_they_lost(tables: BeforeAfterTab) -> None:
    brushes = cells(tables.after, "age", Qt.ItemDataRole.BackgroundRole)
    tips = cells(tables.after, "age", Qt.ItemDataRole.ToolTipRole)
    assert brushes[0] is not None
    assert brushes[0].color() == loss_color(0.45)  # type: ignore[attr-defined]
    assert tips[0] == "age: 20 → 20-23\nLM 42.9%"
    assert cells(tables.before, "age", Qt.ItemDataRole.BackgroundRole)[0] is None
    assert cells(tables.after, "disease", Qt.ItemDataRole.BackgroundRole)[0] is None


def test_deeper_tints_mean_more_loss() -> None:
    shades = [loss_color(loss).lightness() for loss in (0.0, 0.5, 1.0)]
    assert shades == sorted(shades, reverse=True)
    assert len(set(shades)) == 3


def test_suppressed_rows_are_marked_in_words_and_tint(suppressed: BeforeAfterTab) -> None:
    gone = next(i for i, text in enumerate(cells(suppressed.after, "age")) if text == "suppressed")
    heads = [suppressed.before.headerData(gone, Qt.Orientation.Vertical), f"✕ {gone + 1}"]
    assert heads[0] == heads[1]
    kept = cells(suppressed.after, "age").index("20")
    tints = cells(suppressed.before, "age", Qt.ItemDataRole.BackgroundRole)
    assert tints[gone] is not None
    assert tints[kept] is None
    assert "35 suppressed" in suppressed.count.text()


def test_a_class_filters_both_tables_to_its_rows(tables: BeforeAfterTab, qtbot: QtBot) -> None:
    classes = tables.classes
    place = classes.view.visualRect(classes.model.index(0, 0)).center()
    qtbot.mouseClick(classes.view.viewport(), LEFT, pos=place)
    assert classes.classes is not None
    assert tables.before.order.tolist() == classes.classes.rows_of(classes.chosen).tolist()
    assert len({(a, z) for a, z in zip(cells(tables.after, "age"), cells(tables.after, "zip"), strict=True)}) == 1
    qtbot.mouseClick(tables.findChild(QToolButton, "side_reset"), LEFT)
    assert len(tables.before.order) == 400


def test_without_the_filter_a_class_is_jumped_to(tables: BeforeAfterTab, qtbot: QtBot) -> None:
    tables.classes.only.setChecked(False)
    tables.classes.view.selectRow(1)
    assert tables.classes.classes is not None
    first = int(tables.classes.classes.rows_of(tables.classes.chosen)[0])
    assert [index.row() for index in tables.left.selectionModel().selectedRows()] == [first]
    assert len(tables.before.order) == 400


@pytest.mark.parametrize(("title", "column"), [("Smallest first", 0), ("Worst l first", 1), ("Worst t first", 2)])
def test_classes_are_listed_worst_first(tables: BeforeAfterTab, title: str, column: int) -> None:
    tables.findChild(QComboBox, "class_sort").setCurrentText(title)
    model = tables.classes.model
    figures = [float(model.index(row, column).data()) for row in range(model.rowCount())]
    assert figures == sorted(figures, reverse=column == 2)


def test_the_chart_shows_what_t_measures(tables: BeforeAfterTab) -> None:
    tables.classes.view.selectRow(0)
    plot = tables.classes.chart.chart.plot
    assert isinstance(plot, BarPlot)
    t = sum(abs(p - q) for p, q in zip(plot.series["Class"], plot.series["All published rows"], strict=True)) / 2
    assert f"t = {t:.3f}" in plot.title


def test_another_release_takes_the_place_of_the_first(tables: BeforeAfterTab) -> None:
    tables.document.edit("Take the top", algorithm=ChosenLevels())
    tables.document.run()
    assert set(cells(tables.after, "age")) == {"*"}


def test_both_models_keep_the_rules_of_models(suppressed: BeforeAfterTab, qtmodeltester: object) -> None:
    for model in (suppressed.before, suppressed.after, suppressed.classes.model):
        qtmodeltester.check(model)  # type: ignore[attr-defined]


def test_pinning_a_release_keeps_the_class_that_is_selected(tables: BeforeAfterTab) -> None:
    tables.classes.view.selectRow(0)
    shown = len(tables.before.order)
    assert tables.document.selected is not None
    tables.document.finished.pin(tables.document.selected)
    assert len(tables.before.order) == shown < 400
    assert tables.classes.chosen >= 0
