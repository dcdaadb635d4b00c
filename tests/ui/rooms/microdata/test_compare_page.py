"""The Compare page: the table of releases, what can be done to one, and the trade-off."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity, EntropyLDiversity
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import pareto_front
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import ScatterPlot
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.message_strip import MessageStrip
from anonymizer_gui.workspace.batch_run import BATCH_MESSAGE
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_project
from tests.ui.rooms.microdata.compare_documents import EVERY_KIND, run_all

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> ComparePage:
    return opened(qtbot, run_all(document, *EVERY_KIND))


def opened(qtbot: QtBot, document: Document) -> ComparePage:
    page = ComparePage(document)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    return page


def column(page: ComparePage, title: str) -> int:
    model = page.releases.model
    return [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())].index(title)


def cells(page: ComparePage, title: str) -> list[str]:
    model = page.releases.model
    return [model.index(row, column(page, title)).data() for row in range(model.rowCount())]


def press(page: ComparePage, name: str, qtbot: QtBot) -> None:
    qtbot.mouseClick(page.findChild(QToolButton, name), LEFT)


def points(page: ComparePage) -> ScatterPlot:
    plot = page.trade_off.panel.chart.plot
    assert isinstance(plot, ScatterPlot)
    return plot


def test_without_a_release_the_page_leads_to_protect(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, document)
    assert ComparePage.mark(document).state is StepState.EMPTY
    with qtbot.waitSignal(page.go, check_params_cb=lambda name: name == "protect"):
        qtbot.mouseClick(page.findChild(QPushButton, "empty_state_button"), LEFT)


def test_every_release_is_a_row_with_its_measured_figures(page: ComparePage) -> None:
    measured = [release.measured for release in page.document.releases]
    assert cells(page, "k") == [str(m.k) for m in measured]
    assert cells(page, "Loss (LM)") == [f"{m.lm:.1%}" for m in measured]
    assert cells(page, "t") == [f"{m.t['emd']:.3f}" for m in measured]
    assert cells(page, "Goals") == ["k-anonymity: k = 5; distinct l-diversity: l = 2"] * 3


def test_the_query_error_comes_by_itself_on_small_tables(page: ComparePage) -> None:
    assert all(float(text.rstrip("%")) >= 0 for text in cells(page, "Query error"))
    assert not page.findChild(QToolButton, "release_measure").isVisible()


def test_on_large_tables_query_errors_wait_to_be_asked_for(
    qtbot: QtBot, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anonymizer_gui.ui.rooms.microdata.compare.page.AUTO_QUERY_ERROR_MAX_ROWS", 10)
    page = opened(qtbot, run_all(document, BottomUp()))
    assert cells(page, "Query error") == ["–"]
    press(page, "release_measure", qtbot)
    assert float(cells(page, "Query error")[0].rstrip("%")) >= 0


def test_a_clicked_row_is_the_release_all_pages_show(page: ComparePage, qtbot: QtBot) -> None:
    view = page.findChild(QTableView, "release_table")
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(page.releases.model.index(0, 0)).center())
    assert page.document.selected is page.document.releases[0]


def test_the_release_another_page_selects_is_the_selected_row(page: ComparePage) -> None:
    page.document.finished.select(page.document.releases[1])
    assert [index.row() for index in page.releases.view.selectionModel().selectedRows()] == [1]
    assert page.findChild(QComboBox, "compare_release").currentIndex() == 1


def test_the_box_above_selects_a_release_too(page: ComparePage, qtbot: QtBot) -> None:
    box = page.findChild(QComboBox, "compare_release")
    qtbot.keyClick(box, Qt.Key.Key_Home)
    assert page.document.selected is page.document.releases[0]


def test_a_release_of_other_settings_is_dimmed_and_labelled(page: ComparePage) -> None:
    assert cells(page, "State") == ["Settings changed", "Settings changed", "Up to date"]
    assert page.releases.model.index(0, 0).data(Qt.ItemDataRole.ForegroundRole) == theme.color("muted")
    page.document.edit("Ask for more", goals=(KAnonymity(k=9),))
    assert cells(page, "State") == ["Settings changed"] * 3
    assert page.stale.isVisible()
    assert page.releases.model.release_at(2).name in page.stale.label.text()
    assert ComparePage.mark(page.document).state is StepState.STALE


def test_a_release_is_renamed_in_its_row(page: ComparePage, qtbot: QtBot) -> None:
    press(page, "release_rename", qtbot)
    editor = page.releases.view.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "For the ministry")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.document.releases[2].name == "For the ministry")
    assert cells(page, "Name")[2] == "For the ministry"


def test_a_name_of_blanks_is_not_taken(page: ComparePage) -> None:
    assert not page.releases.model.setData(page.releases.model.index(0, 0), "  ")
    assert page.document.releases[0].name == cells(page, "Name")[0] != ""


def test_a_pinned_release_stands_first_however_the_table_is_sorted(page: ComparePage, qtbot: QtBot) -> None:
    worst = max(page.document.releases, key=lambda release: release.measured.lm or 0)
    page.document.finished.select(worst)
    press(page, "release_pin", qtbot)
    page.releases.view.sortByColumn(column(page, "Loss (LM)"), Qt.SortOrder.AscendingOrder)
    losses = [float(text.rstrip("%")) for text in cells(page, "Loss (LM)")]
    assert losses[0] == max(losses)
    assert losses[1:] == sorted(losses[1:])
    press(page, "release_pin", qtbot)
    assert not page.document.finished.is_pinned(worst)


def test_sorting_by_a_head_keeps_the_selected_release(page: ComparePage) -> None:
    chosen = page.document.selected
    for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
        page.releases.view.sortByColumn(column(page, "Loss (LM)"), order)
        rows = page.releases.view.selectionModel().selectedRows()
        assert [page.releases.model.release_at(index.row()) for index in rows] == [chosen]
    assert page.document.selected is chosen


def test_a_deleted_release_can_be_brought_back(page: ComparePage, qtbot: QtBot) -> None:
    gone = page.document.selected
    press(page, "release_delete", qtbot)
    assert gone not in page.document.releases
    assert page.releases.model.rowCount() == 2
    page.document.messages.open[-1].actions[0][1]()
    assert page.document.selected is gone


def test_all_but_the_pinned_releases_can_be_deleted_at_once(page: ComparePage, qtbot: QtBot) -> None:
    kept = page.document.releases[1]
    page.document.finished.pin(kept)
    press(page, "release_clear", qtbot)
    assert page.document.releases == (kept,)


def test_the_menu_of_a_row_has_what_applies(page: ComparePage) -> None:
    titles = [action.text().partition("\t")[0] for action in page.releases.menu().actions()]
    assert titles == ["Pin", "Rename", "Delete"]


def test_the_keys_of_the_table_work_in_the_window(
    document: Document, make_window: Callable[[Document], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(run_all(document, *EVERY_KIND))
    page = window.show_page("compare")
    assert isinstance(page, ComparePage)
    window.activateWindow()
    page.releases.view.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is page.releases.view)
    qtbot.keyClick(page.releases.view, Qt.Key.Key_P)
    assert document.selected is not None
    assert document.finished.is_pinned(document.selected)
    qtbot.keyClick(page.releases.view, Qt.Key.Key_Delete)
    assert len(document.releases) == 2
    qtbot.keyClick(page.releases.view, Qt.Key.Key_F2)
    assert page.releases.view.findChild(QLineEdit) is not None


def test_the_trade_off_marks_the_releases_none_beats(page: ComparePage) -> None:
    plot = points(page)
    measured = [release.measured for release in page.document.releases]
    assert list(plot.xs) == [m.risk.highest for m in measured]
    assert list(plot.ys) == [m.lm for m in measured]
    assert plot.front == pareto_front(plot.xs, plot.ys)
    assert plot.dimmed == [0, 1]
    assert plot.names[plot.front[0]] in page.trade_off.words.text()


@pytest.mark.parametrize(("title", "name"), [("k", "k"), ("t", "t")])
def test_the_axes_of_the_trade_off_can_be_chosen(page: ComparePage, title: str, name: str) -> None:
    page.findChild(QComboBox, "trade_off_across").setCurrentText(title)
    page.findChild(QComboBox, "trade_off_up").setCurrentText("Query error")
    plot = points(page)
    assert (plot.x, plot.y) == (title, "Query error")
    assert [f"{x:.3f}" if name == "t" else f"{x:.0f}" for x in plot.xs] == cells(page, title)
    assert [f"{y:.1%}" for y in plot.ys] == cells(page, "Query error")


def test_releases_of_one_risk_are_shown_where_they_differ(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, run_all(document, BottomUp(), goals=(KAnonymity(k=5),)))
    made = document.releases[0]
    risk = replace(made.measured.risk, average=made.measured.risk.average / 2)
    document.finished.add(replace(made, id="other", name="Wider", measured=replace(made.measured, risk=risk)))
    assert {release.measured.risk.highest for release in document.releases} == {0.2}
    assert points(page).x == "Average risk"
    assert points(page).xs == [0.2, 0.1]
    words = page.findChild(QLabel, "trade_off_words").text()
    assert "All have the same highest risk" in words
    page.findChild(QComboBox, "trade_off_across").setCurrentText("Highest risk")
    assert points(page).x == "Highest risk"
    page.releases.delete_selected()
    assert points(page).x == "Highest risk"


def test_risk_and_loss_stand_before_the_figures_of_many_sensitive_columns(qtbot: QtBot, document: Document) -> None:
    schema = hospital_project().schema.with_roles({"ward": Role.SA, "name": Role.SA})
    page = opened(qtbot, run_all(document, BottomUp(), goals=(KAnonymity(k=5),), schema=schema))
    first_l = column(page, "l: disease")
    assert max(column(page, title) for title in ("k", "Highest risk", "Loss (LM)", "Query error")) < first_l
    view = page.releases.view
    for title in ("Highest risk", "Loss (LM)"):
        right = view.columnViewportPosition(column(page, title)) + view.columnWidth(column(page, title))
        assert right <= view.viewport().width()


def test_a_release_tried_beside_the_settings_is_not_called_up_to_date(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, run_all(document, BottomUp()))
    beside = replace(document.releases[0].project, goals=(KAnonymity(k=7),))
    document.finished.add(
        replace(document.releases[0], id="other", name="k = 7", project=beside), tried_from=document.project
    )
    assert cells(page, "State") == ["Up to date", "Tried beside"]


def test_a_point_chosen_by_keys_selects_its_release(page: ComparePage, qtbot: QtBot) -> None:
    chart = page.trade_off.panel.chart
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert page.document.selected is page.document.releases[0]
    assert points(page).chosen == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"goals": (KAnonymity(k=5),), "schema": hospital_project().schema.with_roles({"disease": Role.OTHER})},
        {"schema": hospital_project().schema.with_roles({"zip": Role.OTHER})},
        {"hierarchies": {}},
    ],
    ids=["nothing sensitive", "one quasi-identifier", "no hierarchies"],
)
def test_every_tab_copes_with_unusual_releases(qtbot: QtBot, document: Document, changes: dict[str, object]) -> None:
    page = opened(qtbot, run_all(document, *EVERY_KIND, **changes))
    for release in document.releases:
        document.finished.select(release)
        for tab in (1, 2, 0):
            page.tabs.setCurrentIndex(tab)
        assert page.side.classes.model.rowCount() == release.measured.classes
    assert len(document.releases) == 3
    assert not document.messages.open


def test_the_model_of_releases_keeps_the_rules_of_models(page: ComparePage, qtmodeltester: object) -> None:
    qtmodeltester.check(page.releases.model)  # type: ignore[attr-defined]


def two_sensitive() -> dict[str, object]:
    schema = hospital_project().schema.with_roles({"ward": Role.SA})
    goals = (KAnonymity(k=5), DistinctLDiversity(l=2, column="disease"), EntropyLDiversity(l=1.1, column="ward"))
    return {"schema": schema, "goals": goals}


def test_l_and_t_stand_once_for_each_sensitive_column(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, run_all(document, BottomUp(), **two_sensitive()))
    (release,) = document.releases
    for name in ("disease", "ward"):
        measured = release.measured.per_sensitive[name]
        assert cells(page, f"l: {name}") == [str(measured["l"]["distinct"])]
        assert cells(page, f"t: {name}") == [f"{measured['t']['emd']:.3f}"]


def test_the_head_of_l_names_its_sensitive_column(page: ComparePage) -> None:
    tip = Qt.ItemDataRole.ToolTipRole
    assert "“disease”" in page.releases.model.headerData(column(page, "l"), Qt.Orientation.Horizontal, tip)


def test_a_goal_no_other_column_shows_has_a_column_of_its_own(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, run_all(document, BottomUp(), **two_sensitive()))
    found = {model.name: measured for model, measured in document.releases[0].measured.goals}["entropy-l"]
    assert cells(page, "entropy l-diversity: ward") == [f"{found.value:.3g}"]
    index = page.releases.model.index(0, column(page, "entropy l-diversity: ward"))
    assert f"reached {found.value:.3g}" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_the_order_stays_at_its_column_when_columns_come_before_it(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, run_all(document, *EVERY_KIND))
    page.releases.view.sortByColumn(column(page, "Loss (LM)"), Qt.SortOrder.DescendingOrder)
    document.edit("Protect the ward too", **two_sensitive())
    document.run()
    assert page.releases.view.horizontalHeader().sortIndicatorSection() == column(page, "Loss (LM)")
    losses = [float(text.rstrip("%")) for text in cells(page, "Loss (LM)")]
    assert losses == sorted(losses, reverse=True)


def test_who_looks_at_the_page_sees_no_button_that_leads_here(qtbot: QtBot, document: Document) -> None:
    run_all(document, BottomUp())
    under = QWidget()
    qtbot.addWidget(under)
    bar = MessageStrip(document.messages, under)
    document.messages.success("Two releases were made.", actions=[("Compare", lambda: None)], key=BATCH_MESSAGE)
    assert [button.text() for button in bar.findChildren(QPushButton)].count("Compare") == 1
    opened(qtbot, document)
    (strip,) = bar.strips()
    assert "Two releases were made." in strip.text.text()
    assert "Compare" not in [button.text() for button in strip.findChildren(QPushButton)]
    document.messages.success("Three releases were made.", actions=[("Compare", lambda: None)], key=BATCH_MESSAGE)
    (strip,) = bar.strips()
    assert "Compare" not in [button.text() for button in strip.findChildren(QPushButton)]


def test_the_box_of_releases_shows_a_long_name_in_full(page: ComparePage, qtbot: QtBot) -> None:
    name = "Top-down for the ministry, second try"
    page.document.finished.rename(page.document.releases[2], name)
    box = page.findChild(QComboBox, "compare_release")
    qtbot.waitUntil(lambda: box.width() >= box.fontMetrics().horizontalAdvance(name))
    assert name in box.toolTip()


def test_without_any_release_left_the_status_bar_names_none(page: ComparePage) -> None:
    told: list[str] = []
    page.status.connect(told.append)
    for release in page.document.releases:
        page.document.finished.remove(release)
    assert told[-1] == ""


def test_with_one_release_it_is_said_how_to_get_others(qtbot: QtBot, document: Document) -> None:
    page = opened(qtbot, run_all(document, BottomUp()))
    assert "There is one release so far" in page.trade_off.words.text()
