"""What leaves: every number as it was drawn with its interval, what it cost, and what a change would cost."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.statistics.charts import AnswersPlot, CentroidPlot, NoisyMapPlot
from anonymizer_gui.ui.rooms.statistics.output_panel import ASK, HIGH, LOW, VALUE, AnswersOutputPanel, answer_rows
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def page(released: Document, shown: Callable[[type[Page], Document], Page]) -> ReleasePage:
    made = shown(ReleasePage, released)
    assert isinstance(made, ReleasePage)
    return made


def test_every_number_stands_in_the_table_with_its_interval(page: ReleasePage) -> None:
    panel, release = page.panel, page.document.selected
    assert isinstance(panel, AnswersOutputPanel)
    texts = [line.texts for line in panel.model.lines]
    assert [text[ASK] for text in texts if text[ASK]] == [answer.ask for answer in release.answers]
    count = release.answers[0]
    assert texts[0][VALUE] == f"{count.value:,}"
    assert [texts[0][LOW], texts[0][HIGH]] == [f"{count.value - 12:,}", f"{count.value + 12:,}"]


def test_a_negative_count_is_shown_as_it_is(released: Document) -> None:
    answer = replace(released.selected.answers[0], value=-7)
    assert answer_rows([answer])[0].texts[VALUE] == "-7"


def test_the_chart_has_the_bars_and_the_error_of_the_chosen_answer(page: ReleasePage) -> None:
    panel = page.panel
    assert isinstance(panel, AnswersOutputPanel)
    plot = panel.chart.chart.plot
    assert isinstance(plot, AnswersPlot)
    assert list(plot.labels) == ["F", "M"]
    assert plot.error == 12
    panel.table.selectRow(0)
    assert isinstance(panel.chart.chart.plot, AnswersPlot)
    assert len(panel.chart.chart.plot.values) == 1


def test_a_banner_says_that_any_change_is_a_new_spend(page: ReleasePage) -> None:
    assert isinstance(page.panel, AnswersOutputPanel)
    assert "new spend" in page.panel.banner.label.text()
    assert page.panel.figures.card("cost").text.text().replace("\N{NO-BREAK SPACE}", " ") == "ε 1"
    assert page.panel.figures.card("left").text.text().replace("\N{NO-BREAK SPACE}", " ") == "ε 2"


def test_the_release_is_checked_and_exported(page: ReleasePage, tmp_path: Path) -> None:
    assert page.export_button.isEnabled(), page.export_button.toolTip()
    page.export(tmp_path / "answers.csv")
    assert (tmp_path / "answers.csv").exists()
    assert "4 answers went to answers.csv" in page.document.messages.open[-1].text


def test_without_a_release_the_page_leads_to_the_plan(
    planned: Document, shown: Callable[[type[Page], Document], Page]
) -> None:
    page = shown(ReleasePage, planned)
    assert isinstance(page, ReleasePage)
    gone: list[str] = []
    page.go.connect(gone.append)
    page.empty.button.click()
    assert gone == ["plan"]


def test_a_release_leaves_as_csv_json_or_excel(page: ReleasePage) -> None:
    page.export_as()
    dialog = page.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.nameFilters() == ["CSV (*.csv)", "JSON (*.json)", "Excel (*.xlsx)"]
    dialog.reject()


def test_clusters_are_drawn_where_their_centres_are(planned: Document, shown: Callable[..., ReleasePage]) -> None:
    planned.edit("Ask", questions=(parse_question("k-means 2 age 0 100 person 0 9 with way=rounds"),), hierarchies={})
    planned.run()
    page = shown(ReleasePage, planned)
    plot = page.panel.chart.chart.plot  # type: ignore[attr-defined]
    assert isinstance(plot, CentroidPlot)
    values = [value for _, value in planned.selected.answers[0].values]
    assert plot.points == [tuple(map(float, values[:3])), tuple(map(float, values[3:]))]
    assert (plot.x, plot.y) == ("age", "person")
    assert len(plot.numbers()[1]) == 2


def test_cells_of_a_map_that_are_mostly_noise_are_told() -> None:
    from matplotlib.figure import Figure as Drawing

    labels = [f"cell {number}" for number in range(4)]
    shown = NoisyMapPlot("map", [100.0, 3.0, -2.0, 40.0], 2, (0.0, 2.0, 0.0, 2.0), labels, 10.0)
    colors = dict.fromkeys(("base", "line", "muted", "text", "grid", "series_1"), "#808080")
    drawn = shown.draw(Drawing().add_subplot(), colors)
    assert [artist.get_hatch() for artist, _words, _place in drawn] == [None, "////", "////", None]
    assert [row[2] for row in shown.numbers()[1]] == ["", "mostly noise", "mostly noise", ""]
