"""The page of models: three ways side by side, a synthetic table beside its original, clusters on simulated points."""

import functools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.statistics.benches.generalisation_vs_dp import Task, TaskComparison, compare_ways
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.ui.charts.plots import BarPlot, HeatmapPlot
from anonymizer_gui.ui.page import Page
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.statistics import models_page
from anonymizer_gui.ui.rooms.statistics.charts import ClusterPlot, LearningCurvePlot, LossCurvePlot, TaskComparisonPlot
from anonymizer_gui.ui.rooms.statistics.models_page import ModelsPage
from anonymizer_gui.ui.rooms.statistics.output_panel import AnswersOutputPanel
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document

ASKED = (
    "synthetic sex=F|M age=20..79/6 ward=north|south",
    "k-means 2 age 20 80",
    "learn sex=F|M age=20..79/6 with epochs=2 rate=0.2",
)
Shown = Callable[[type[Page], Document], Page]


@pytest.fixture
def modelled(begun: Document) -> Document:
    """Give a plan that asks for everything that is more than numbers."""
    begun.edit(
        "Ask", questions=tuple(map(parse_question, ASKED)), rows=60, delta=Fraction(1, 10**6), epsilon=Fraction(3)
    )
    return begun


@functools.cache
def compared(task: Task, seed: int) -> TaskComparison:
    """Compare once for all tests."""
    return compare_ways(task, seed)


@pytest.fixture
def page(modelled: Document, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> ModelsPage:
    monkeypatch.setattr(models_page, "compare_ways", lambda task, seed, progress: compared(task, seed))
    page = shown(ModelsPage, modelled)
    assert isinstance(page, ModelsPage)
    return page


def test_three_ways_are_compared_over_two_promises(page: ModelsPage) -> None:
    plot = page.versus.chart.chart.plot
    assert isinstance(plot, TaskComparisonPlot)
    assert len(plot.ways) == 3
    assert all(len(values) == len(plot.ks) == len(plot.epsilons) for values in plot.ways.values())
    assert "different promises" in page.versus.different.label.text()
    assert "not looked at" in page.versus.about.text()
    page.versus.task.setCurrentIndex(2)
    other = page.versus.chart.chart.plot
    assert isinstance(other, TaskComparisonPlot)
    assert other.title != plot.title
    assert other.best == 0
    assert len(other.numbers()[1]) == 6


def test_clusters_are_seen_ahead_on_simulated_points(page: ModelsPage) -> None:
    page.tabs.setCurrentWidget(page.clusters)
    seen, loss = page.clusters.map.chart.plot, page.clusters.loss.chart.plot
    assert isinstance(seen, ClusterPlot)
    assert isinstance(loss, LossCurvePlot)
    assert len(seen.before) == len(seen.after) == 2
    assert loss.losses[-1] <= loss.lines["a single centre"]
    assert "seed 3" in page.clusters.about.text()


def test_a_synthetic_table_is_measured_for_those_inside_only(modelled: Document, page: ModelsPage) -> None:
    page.tabs.setCurrentWidget(page.likeness)
    assert page.likeness.empty.isVisible()
    modelled.run()
    assert not page.likeness.empty.isVisible()
    assert "Publish neither" in page.likeness.inside.label.text()
    assert page.likeness.pairs.chart.plot is not None


def test_a_synthetic_table_has_distributions_pairs_queries_and_learning(modelled: Document, page: ModelsPage) -> None:
    modelled.run()
    page.tabs.setCurrentWidget(page.likeness)
    tabs = page.likeness.tabs
    tabs.column.setCurrentText("age")
    spread, heat, learning = (panel.chart.plot for panel in (tabs.spread, tabs.heat, tabs.learning))
    assert isinstance(spread, BarPlot)
    assert spread.labels[0] == "20..29"
    assert [round(sum(shares), 6) for shares in spread.series.values()] == [1, 1]
    assert isinstance(heat, HeatmapPlot)
    assert (len(heat.rows), len(heat.columns)) == (3, 3)
    assert isinstance(learning, BarPlot)
    assert tabs.target.findText("ward") >= 0
    tabs.queries.fields["sex"].setText("F")
    tabs.queries.fields["age"].setText("20..49")
    tabs.queries.ask_button.click()
    assert tabs.queries.answers.item(0, 1).text() == "15"
    tabs.queries.fields["age"].setText("20..")
    tabs.queries.ask_button.click()
    assert "no range" in tabs.queries.note.label.text()


def test_a_synthetic_table_is_opened_as_a_project_by_one_click(
    window: MainWindow, visits: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    document = window.document
    document.open_table(visits, room="statistics")
    document.edit("Ask", questions=(parse_question(ASKED[0]),), rows=60, delta=Fraction(1, 10**6), epsilon=Fraction(3))
    document.run()
    page = window.show_page("release")
    assert isinstance(page, ReleasePage)
    assert page.panel.file_stem("visits") == "visits_synthetic"
    page.export(tmp_path / "visits_synthetic.csv")
    words, click = document.messages.open[-1].actions[-1]
    assert words == "Open as a Project"
    document.save(tmp_path / "visits.anon")
    click()
    qtbot.waitUntil(lambda: document.room == "microdata")
    assert document.table is not None
    assert document.table.names == ("sex", "age", "ward")


def test_without_clusters_the_plan_is_the_way(modelled: Document, page: ModelsPage) -> None:
    page.tabs.setCurrentWidget(page.clusters)
    modelled.edit("Ask less", questions=modelled.project.questions[:1])
    assert page.clusters.empty.isVisible()


def test_what_leaves_says_that_it_is_synthetic(modelled: Document, qtbot: QtBot) -> None:
    modelled.run()
    panel = AnswersOutputPanel(modelled)
    for widget in (panel.what, panel.figures):
        qtbot.addWidget(widget)
    panel.show_project(modelled.releases[-1])
    assert "no row is a person" in panel.banner.label.text()
    assert "JSON" in panel.banner.label.text()
    panel.table.selectRow(len(panel.model.lines) - 1)
    assert isinstance(panel.chart.chart.plot, LearningCurvePlot)
    plain = replace(modelled.releases[-1], made=())
    panel.show_project(plain)
    assert "no row is a person" not in panel.banner.label.text()
