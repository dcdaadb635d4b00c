"""The Utility page: loss, distributions, relations, queries and learning, all measured by the engine."""

from collections.abc import Callable, Iterator

import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PySide6.QtCore import QPoint, QRect, Qt
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.thresholds import GOOD_LOSS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from anonymizer_gui.engine.rooms.microdata.views.search_trace import loss_bound_of_release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import BarPlot, HeatmapPlot, SmallMultiplesPlot
from anonymizer_gui.ui.page import StepState
from anonymizer_gui.ui.rooms.microdata.figures import format_figure
from anonymizer_gui.ui.rooms.microdata.utility_page import UtilityPage
from anonymizer_gui.ui.rooms.microdata.utility_tables import WORDS
from anonymizer_gui.ui.widgets.chart_panel import _COLOR_NAMES
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages

Make = Callable[..., tuple[UtilityPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital that was protected."""
    yield from made_pages(qtbot, UtilityPage)


def test_every_measure_is_listed_and_agrees_with_the_release(page_of: Make) -> None:
    page, document = page_of()
    assert document.selected is not None
    assert page.metrics.rowCount() == len(METRICS.names()) - 1
    assert page.metrics.value("lm") == f"{document.selected.measured.lm:.1%}"
    assert page.metrics.value("md") == format_figure(document.selected.measured.md)


def test_the_rail_is_green_only_as_far_as_the_figure_of_the_loss_is(
    page_of: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, document = page_of()
    release = document.selected
    assert release is not None
    assert (UtilityPage.mark(document).state is StepState.DONE) == (release.measured.lm <= GOOD_LOSS)
    for loss, state in ((GOOD_LOSS, StepState.DONE), (GOOD_LOSS + 0.01, StepState.WARNING), (None, StepState.READY)):
        monkeypatch.setattr(type(release.measured), "lm", property(lambda _, loss=loss: loss), raising=False)
        assert UtilityPage.mark(document).state is state, loss


def test_the_page_begins_with_three_sentences(page_of: Make) -> None:
    page, document = page_of()
    assert document.selected is not None
    assert page.tabs.currentIndex() == 0
    assert page.sentences.isVisible()
    detail, counts, missing = page.sentences.text().splitlines()
    losses = document.selected.measured.loss.lm_columns
    most = max(losses, key=lambda name: losses[name])
    assert f"keeps {1 - document.selected.measured.lm:.0%} of its detail" in detail
    assert f"“{most}” loses most ({losses[most]:.0%})" in detail
    assert "typically wrong by" in counts
    assert missing.startswith("0 of 40 rows are left out. Tables of two columns")


def test_the_page_says_how_far_from_the_best_the_release_is(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    assert document.selected is not None
    assert document.table is not None
    least = loss_bound_of_release(document.selected, document.table, None)
    assert least is not None
    assert least <= document.selected.measured.lm
    qtbot.waitUntil(page.distance.isVisible)
    assert page.distance.text().endswith(f"loses less than {least:.1%}.")


def test_every_column_stands_small_beside_the_others_and_large_when_clicked(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    assert document.selected is not None
    plot = page.all_columns.chart.plot
    assert isinstance(plot, SmallMultiplesPlot)
    assert [panel.name for panel in plot.panels] == ["age", "zip", "disease"]
    assert plot.panels[2].remark == "unchanged"
    for panel in plot.panels:
        assert sum(panel.before) == pytest.approx(1)
        assert sum(panel.after) == pytest.approx(1)
    qtbot.waitUntil(lambda: len(page.all_columns.chart.spots()) == 3)
    chart, spot = page.all_columns.chart, page.all_columns.chart.spots()[1]
    middle = QPoint(
        round((spot.left + spot.right) / 2 * chart.width()), round((spot.top + spot.bottom) / 2 * chart.height())
    )
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=middle)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Distributions"
    assert page.column.currentText() == "zip"
    assert page.spread.chart.isVisible()


def test_a_measure_stands_on_a_scale_and_says_what_it_means(page_of: Make) -> None:
    page, document = page_of()
    assert document.selected is not None
    assert page.metrics.place("lm") == pytest.approx(document.selected.measured.lm)
    precision = float(page.metrics.value("precision").rstrip("%")) / 100
    assert page.metrics.place("precision") == pytest.approx(1 - precision, abs=0.001)
    assert page.metrics.place("md") is None
    texts = [page.metrics.item(row, WORDS).text() for row in range(page.metrics.rowCount())]
    assert all(texts)
    assert "How many levels all cells together were lifted in their hierarchies. (lower is better)" in texts
    tips = [page.metrics.item(row, WORDS).toolTip() for row in range(page.metrics.rowCount())]
    assert sum("Green up to 30%" in tip for tip in tips) == sum(declared.ends is not None for declared in METRICS)


def test_a_small_change_of_two_columns_stays_pale(page_of: Make) -> None:
    page, _ = page_of()
    plot = page.heat.chart.plot
    assert isinstance(plot, HeatmapPlot)
    assert plot.full == 5
    assert "the colour is full from 5 on" in page.heat.title.text()
    pale, full = (shade_of(HeatmapPlot("", ["a"], ["b"], [[value]], full=5)) for value in (0.01, 5.0))
    ground = to_rgb(theme.color("base").name())
    assert max(abs(one - other) for one, other in zip(pale, ground, strict=True)) < 0.01
    assert max(abs(one - other) for one, other in zip(full, ground, strict=True)) > 0.3


def shade_of(plot: HeatmapPlot) -> tuple[float, ...]:
    """Draw a single field and give its colour."""
    axes = Figure().add_subplot()
    ((field, _, _),) = plot.draw(axes, {name: theme.color(name).name() for name in _COLOR_NAMES})
    return tuple(field.get_facecolor()[:3])


def test_the_loss_per_column_is_drawn_from_the_release(page_of: Make) -> None:
    page, document = page_of()
    plot = page.loss.chart.plot
    assert isinstance(plot, BarPlot)
    assert document.selected is not None
    assert dict(zip(plot.labels, plot.series["LM"], strict=True)) == document.selected.measured.loss.lm_columns


def test_another_column_shows_its_distribution(page_of: Make) -> None:
    page, _ = page_of()
    page.column.setCurrentText("disease")
    plot = page.spread.chart.plot
    assert isinstance(plot, BarPlot)
    assert set(plot.labels) == {"Flu", "Cancer", "=Heart", "Asthma"}
    before, after = plot.series.values()
    assert list(before) == pytest.approx(list(after))


def test_two_columns_show_the_change_of_every_share(page_of: Make) -> None:
    page, _ = page_of()
    page.one.setCurrentText("zip")
    page.other.setCurrentText("age")
    plot = page.heat.chart.plot
    assert isinstance(plot, HeatmapPlot)
    assert (len(plot.rows), len(plot.columns)) == (4, 8)


def test_a_typed_query_is_answered_from_both_tables(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    page.tabs.setCurrentWidget(page.queries)
    qtbot.keyClicks(page.queries.fields["age"], "20..23")
    qtbot.keyClick(page.queries.fields["age"], Qt.Key.Key_Return)
    assert [page.queries.answers.item(0, column).text() for column in range(2)] == ["age: 20..23", "20"]
    assert "random counts" in page.queries.random.text()


def test_a_query_for_a_value_that_is_not_there_is_told_at_the_field(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    page.tabs.setCurrentWidget(page.queries)
    qtbot.keyClicks(page.queries.fields["disease"], "Plague")
    qtbot.mouseClick(page.queries.ask_button, Qt.MouseButton.LeftButton)
    assert "does not have" in page.queries.note.label.text()
    assert page.queries.answers.rowCount() == 0


def test_learning_says_what_the_release_costs(page_of: Make, qtbot: QtBot) -> None:
    pytest.importorskip("sklearn", reason="the learning extra is not installed")
    page, _ = page_of()
    page.tabs.setCurrentWidget(page.learning)
    qtbot.mouseClick(page.learning.button, Qt.MouseButton.LeftButton)
    told = page.learning.note.label.text()
    assert "accuracy" in told or "rows" in told


def test_what_is_shown_of_older_settings_is_labelled(page_of: Make) -> None:
    page, document = page_of()
    document.edit("x", suppression=0.2)
    assert page.stale.isVisible()


def asked(page: UtilityPage) -> list[str]:
    return [page.queries.answers.item(row, 0).text() for row in range(page.queries.answers.rowCount())]


def test_the_same_query_asked_again_stands_once_in_the_list(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    page.tabs.setCurrentWidget(page.queries)
    field = page.queries.fields["age"]
    for text in ("20..23", "24", " 20..23"):
        field.clear()
        qtbot.keyClicks(field, text)
        qtbot.mouseClick(page.queries.ask_button, Qt.MouseButton.LeftButton)
    assert asked(page) == ["age: 20..23", "age: 24"]


def test_answers_are_those_of_the_release_that_is_shown(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    page.tabs.setCurrentWidget(page.queries)
    page.queries.fields["disease"].setText("Flu")
    for text in ("20", "24"):
        page.queries.fields["age"].setText(text)
        qtbot.mouseClick(page.queries.ask_button, Qt.MouseButton.LeftButton)
    first = [page.queries.answers.item(row, 2).text() for row in range(2)]
    document.edit("Keep the ages", bounds={"age": (0, 0)}, goals=(KAnonymity(k=2),))
    document.run()
    assert asked(page) == ["age: 24 ∧ disease: Flu", "age: 20 ∧ disease: Flu"]
    assert [page.queries.answers.item(row, 2).text() for row in range(2)] == ["5", "5"] != first


def test_what_was_learnt_from_another_release_is_not_shown(page_of: Make) -> None:
    page, document = page_of()
    page.learning.note.show_note("good", "Learning from the release costs no accuracy.")
    document.run()
    assert not page.learning.note.isVisibleTo(page.learning)


def test_the_button_to_ask_is_as_wide_as_its_word_needs(page_of: Make) -> None:
    page, _ = page_of()
    page.tabs.setCurrentWidget(page.queries)
    assert page.queries.ask_button.width() < page.queries.width() / 3


def test_all_fields_of_a_query_are_in_sight_when_there_is_room(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    page.tabs.setCurrentWidget(page.queries)
    page.resize(1400, 900)
    last = page.queries.fields["disease"]
    qtbot.waitUntil(lambda: last.visibleRegion().boundingRect().height() == last.height())
    assert page.queries.answers.height() > page.queries.height() / 3


def test_the_words_of_a_measure_are_never_cut(page_of: Make) -> None:
    table = page_of()[0].metrics
    for width in (700, 1100):
        table.resize(width, 600)
        for row in range(table.rowCount()):
            item = table.item(row, WORDS)
            assert item is not None
            room = QRect(0, 0, table.columnWidth(WORDS) - 8, 10_000)
            needed = table.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, item.text()).height()
            assert table.rowHeight(row) >= needed, item.text()
