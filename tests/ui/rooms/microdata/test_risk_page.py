"""The Risk page: figures before and after, and attacks that name how many people they hit."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.widgets.accessibility import breakable
from anonymizer_gui.workspace.document import Document
from tests.engine.rooms.microdata.making import hospital_table
from tests.ui.rooms.microdata.protect_documents import made_pages

Make = Callable[..., tuple[RiskPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital that was protected."""
    yield from made_pages(qtbot, RiskPage)


def row_of(page: RiskPage, name: str) -> list[str]:
    row = list(page.bench.risks).index(name)
    return [page.bench.list.item(row, column).text() for column in range(4)]


def test_the_figures_are_those_of_the_release_and_of_the_table_before(page_of: Make) -> None:
    page, document = page_of()
    assert document.selected is not None
    after = document.selected.measured.k
    assert page.figures.card("risk").text.text().replace("\N{NO-BREAK SPACE}", " ") == f"1 in 5 → 1 in {after}"
    assert page.figures.card("unique").text.text() == "0 → 0"


def test_the_chart_counts_every_record_before_and_after(page_of: Make) -> None:
    page, _ = page_of()
    plot = page.chart.chart.plot
    assert isinstance(plot, BarPlot)
    assert [sum(values) for values in plot.series.values()] == [40, 40]


def test_every_registered_attack_stands_on_the_bench(page_of: Make) -> None:
    page, _ = page_of()
    assert list(page.bench.risks) == RISKS.names()
    assert row_of(page, "homogeneity") == ["Homogeneity attack", "40", "0", "40"]


def test_an_attack_that_needs_more_says_what(page_of: Make) -> None:
    page, _ = page_of()
    page.bench.choose("linkage")
    assert "needs a second table" in page.bench.answer.text()
    assert row_of(page, "linkage")[1:] == ["–", "–", "–"]


def test_linkage_with_a_second_table_counts_the_people_it_finds(page_of: Make, tmp_path: Path) -> None:
    page, _ = page_of()
    write_table(hospital_table().select(["name", "age", "zip"]), tmp_path / "voters.csv")
    page.set_outside(tmp_path / "voters.csv")
    assert page.outside_label.text() == breakable("voters.csv")
    assert row_of(page, "linkage")[2:] == ["0", "40"]


def test_linkage_tells_how_many_people_fit_one_row_two_rows_and_so_on(page_of: Make, tmp_path: Path) -> None:
    page, _ = page_of()
    write_table(hospital_table().select(["name", "age", "zip"]), tmp_path / "voters.csv")
    page.set_outside(tmp_path / "voters.csv")
    page.bench.choose("linkage")
    told = page.bench.answer.text()
    assert "Linked by: age, zip" in told
    assert "number of rows they fit: 5: 40 → 0; more: 0 → 40" in told


def test_a_changed_parameter_is_measured_again(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    page.bench.choose("background")
    first = row_of(page, "background")
    assert page.bench.form is not None
    line = page.bench.form.fields["any_values"].widget
    assert isinstance(line, QLineEdit)
    line.selectAll()
    qtbot.keyClicks(line, "3")
    assert page.bench.risks["background"].any_values == 3
    assert row_of(page, "background") != first


def test_a_population_size_gives_journalist_risk_and_a_wrong_one_is_told(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    page.tabs.setCurrentIndex(1)
    qtbot.keyClicks(page.population_size, "4000")
    qtbot.keyClick(page.population_size, Qt.Key.Key_Return)
    assert row_of(page, "journalist")[3] == "40"
    page.bench.choose("journalist")
    assert "estimate" in page.bench.answer.text()
    page.population_size.setText("few")
    qtbot.keyClick(page.population_size, Qt.Key.Key_Return)
    assert "whole number" in document.messages.open[-1].text


def test_the_worst_classes_are_listed_with_their_cells(page_of: Make) -> None:
    page, document = page_of()
    page.bench.choose("prosecutor")
    assert document.selected is not None
    heads = [page.bench.worst.horizontalHeaderItem(i).text() for i in range(page.bench.worst.columnCount())]
    assert heads == ["age", "zip", "Rows", "Value"]
    assert page.bench.worst.item(0, 0).text() in document.selected.table.column("age").labels


def test_figures_of_earlier_settings_fade_here_too(page_of: Make) -> None:
    page, document = page_of()
    card = page.figures.card("risk")
    assert "(of earlier settings)" not in card.accessibleName()
    document.edit("Allow suppression", suppression=0.1)
    assert "(of earlier settings)" in card.accessibleName()
