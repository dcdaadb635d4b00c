"""The pages of baskets: empty, with data, with a release, in German and in the dark; and what people do on them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriWithoutRoot, Deletion
from anonymizer_gui.engine.rooms.baskets.algorithms.clustering import LocalClustering
from anonymizer_gui.engine.rooms.baskets.release import rules_of, write_rules
from anonymizer_gui.engine.rooms.baskets.sweep import numeric_parameters, sweep_parameter
from anonymizer_gui.engine.rooms.baskets.utility import view_cut
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.page import Page, StepState
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.rooms.baskets.attack_page import AttackPage
from anonymizer_gui.ui.rooms.baskets.before_after import MARKUP
from anonymizer_gui.ui.rooms.baskets.compare_page import ComparePage
from anonymizer_gui.ui.rooms.baskets.data_page import DataPage, ItemHierarchyPage, OpenBasketsDialog
from anonymizer_gui.ui.rooms.baskets.output_panel import BasketsOutputPanel
from anonymizer_gui.ui.rooms.baskets.protect_page import HierarchyComparisonDialog, ProtectPage
from anonymizer_gui.ui.widgets.text_table import TextTableModel, text_table_view
from anonymizer_gui.workspace.document import Document

Shown = Callable[[type[Page], Document], Any]


def test_a_long_table_that_is_not_seen_yet_is_not_read_as_a_whole(qtbot: QtBot) -> None:
    """To tell how wide columns must be, Qt asks a hidden view for every row: with 88,000 baskets that took seconds."""
    asked: set[int] = set()
    rows = TextTableModel(("number",), (0,))
    view = text_table_view(rows, "long", "A long table", 0)
    qtbot.addWidget(view)
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def row(at: int) -> tuple[str, ...]:
        asked.add(at)
        return (str(at),)

    rows.show_many(88_000, row)
    view.resize(400, 300)
    view.sizeHintForColumn(0)
    assert len(asked) < 1000


def test_the_tree_is_looked_at_once_and_not_again_and_again(market: Document, shown: Shown) -> None:
    started: list[str] = []
    market.jobs.started.connect(lambda job: started.append(job.title))
    shown(HierarchiesPage, market)
    for _ in range(3):
        HierarchiesPage.mark(market)
    assert max(started.count(title) for title in started) == 1
    assert market.project.schema.column("items") is market.project.schema.column("items")


def test_the_tree_counts_how_often_items_are_there(market: Document, shown: Shown) -> None:
    """A group counts a basket once for each of its items, so these are neither rows nor baskets."""
    page = shown(ItemHierarchyPage, market)
    head = page.editor.tree.hierarchy_model.headerData
    assert [head(at, Qt.Orientation.Horizontal) for at in (0, 1)] == ["Value", "Occurrences"]
    assert page.preview.model.headerData(1, Qt.Orientation.Horizontal) == "Occurrences"
    for seen in (page.editor.tree.header(), page.preview.view.horizontalHeader()):
        assert seen.sectionSize(1) >= seen.sectionSizeHint(1)
    root = page.editor.tree.hierarchy_model.index(0, 0)
    assert "occurrences" in str(root.data(Qt.ItemDataRole.ToolTipRole))


def test_the_data_page_shows_baskets_and_how_often_items_are_there(market: Document, shown: Shown) -> None:
    page = shown(DataPage, market)
    assert page.baskets.rowCount() == 1500
    assert page.items.index(0, 0).data() == "milk"
    assert DataPage.mark(market).state is StepState.DONE


def test_the_attack_comes_first_and_betrays_a_basket(market: Document, shown: Shown) -> None:
    page = shown(AttackPage, market)
    page.search.setText("pregnancy")
    assert "pregnancy test" in page.model.index(0, 0).data()
    assert "Learned about this person besides" in page.betrayed.text()
    before = page.model.rowCount()
    page.known.setValue(1)
    assert page.model.rowCount() < before
    assert not page.after.isEnabled()


def test_after_a_run_the_attack_finds_nobody(released: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(AttackPage, released)
    assert "Released as" in page.betrayed.text()
    qtbot.mouseClick(page.after, Qt.MouseButton.LeftButton)
    page.after.setChecked(True)
    assert page.model.rowCount() == 0
    assert "betrays" in page.betrayed.text()
    assert [figure.text() for figure in page.figures.findChildren(type(page.betrayed)) if "→ 0" in figure.text()]


def test_the_attack_is_drawn_by_how_many_items_are_known(released: Document, shown: Shown) -> None:
    page = shown(AttackPage, released)
    plot = page.chart.chart.plot
    assert isinstance(plot, BarPlot)
    assert list(plot.labels) == ["1 item", "2 items", "3 items"]
    before, after = plot.series["Before"], plot.series["After"]
    assert before == sorted(before)
    assert before[1] == 383 / 1500
    # Two items were promised; whoever knows three still finds somebody.
    assert (after[1], after[2] > 0) == (0, True)
    assert "AOL" in page.findChild(type(page.betrayed), "attack_story").text()


def test_protect_runs_and_says_that_it_was_counted_again(market: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(ProtectPage, market)
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert len(market.releases) == 1
    assert ProtectPage.mark(market).state is StepState.DONE
    words = [label.text() for label in page.figures.findChildren(type(page.about))]
    assert "Verified by recount: yes" in words


def test_both_solutions_of_the_four_customers_can_be_compared(four: Document, shown: Shown) -> None:
    page = shown(ProtectPage, four)
    page.runs.start([])
    for way in ("generalise", "delete"):
        four.edit("way", algorithm=LocalClustering(way=way))
        page.protect()
    compare = shown(ComparePage, four)
    assert compare.releases.rowCount() == 2
    after = compare.pairs.index(0, 1).data(MARKUP)
    assert "<s " in after
    assert "Pregnancy Test" in after
    compare.release_view.selectRow(0)
    assert four.selected is four.releases[0]
    assert "health" in compare.pairs.index(0, 2).data()
    assert "background-color" in compare.pairs.index(0, 2).data(MARKUP)


def test_the_tree_shows_the_cut_and_counts(released: Document, shown: Shown) -> None:
    tree = shown(ComparePage, released).tree.tree
    root = tree.topLevelItem(0)
    assert root.text(2) == "1,500"
    shelf = root.child(0).child(0)
    assert (shelf.text(0), shelf.text(1)) == ("bakery", "●")
    assert shelf.font(0).bold()


def test_a_tree_that_is_too_large_to_be_shown_says_so(released: Document, shown: Shown) -> None:
    tree = shown(ComparePage, released).tree
    assert "are shown" not in tree.words.text()
    tree.show_cut(view_cut(released.selected, 3))
    assert "3 of" in tree.words.text()


def test_the_cut_is_a_line_between_what_is_published_and_what_was_replaced(released: Document, shown: Shown) -> None:
    page = shown(ComparePage, released)
    page.tabs.setCurrentWidget(page.tree)
    tree = page.tree.tree
    root = tree.topLevelItem(0)
    shelf = root.child(0).child(0)
    shelf.setExpanded(True)
    places = {
        name: tree.indexFromItem(item) for name, item in (("root", root), ("at", shelf), ("below", shelf.child(0)))
    }
    line = {name: tree.line_at(place) for name, place in places.items()}
    left = {name: tree.visualRect(place).left() for name, place in places.items()}
    assert line["root"] > left["root"]
    assert line["at"] == line["below"] < left["at"] < left["below"]
    drawn = tree.viewport().grab().toImage()
    at = tree.visualRect(places["at"]).center().y()
    assert drawn.pixelColor(round(line["at"]), at) == theme.color("accent")


def test_what_was_deleted_everywhere_is_struck_through_in_the_tree(market: Document, shown: Shown) -> None:
    market.edit("delete", algorithm=AprioriWithoutRoot(delete=0.1))
    market.run()
    nodes = {node.label: node for node in view_cut(market.selected, 5000).nodes}
    gone = [label for label, node in nodes.items() if node.is_gone]
    assert gone
    assert not set(gone) & set(market.selected.published.items)
    tree = shown(ComparePage, market).tree.tree
    found = tree.findItems(gone[0], Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchExactly)[0]
    assert found.font(0).strikeOut()
    assert found.text(1) == ""


def test_releases_stand_side_by_side_or_along_what_was_varied(market: Document, shown: Shown) -> None:
    page = shown(ProtectPage, market)
    page.runs.start(sweep_parameter(market.project, numeric_parameters(market.project)[0], (2, 5, 10)))
    compare = shown(ComparePage, market)
    plot = compare.losses.chart.plot
    assert isinstance(plot, LinePlot)
    assert (list(plot.at), plot.x) == ([2.0, 5.0, 10.0], "k")
    assert plot.series["Values left"] == sorted(plot.series["Values left"], reverse=True)
    assert plot.series["Exposed"] == [0, 0, 0]
    market.edit("another method", algorithm=Deletion())
    market.run()
    bars = compare.losses.chart.plot
    assert isinstance(bars, BarPlot)
    assert len(bars.labels) == 4


def test_protect_shows_every_basket_before_and_after(four: Document, shown: Shown, qtbot: QtBot) -> None:
    page = shown(ProtectPage, four)
    assert page.nothing_yet.isVisible()
    qtbot.mouseClick(page.nothing_yet.button, Qt.MouseButton.LeftButton)
    assert page.pair_view.isVisible()
    assert "<s " in page.pairs.index(0, 1).data(MARKUP)
    assert page.pairs.index(0, 2).data() == "aspirin, milk"


def test_the_budget_of_deletions_says_at_once_what_would_be_left(market: Document, shown: Shown) -> None:
    page = shown(ProtectPage, market)
    assert page.budget.slider.isVisible()
    assert "10 of 55 values would be left: loss 0.13019, 0.13% deleted" in page.budget.words.text()
    page.budget.slider.setValue(10)
    assert market.project.algorithm == AprioriWithoutRoot(delete=0.05)
    assert "15 of 55 values would be left" in page.budget.words.text()
    assert market.releases == ()
    page.protect()
    assert market.selected.measured.values_left == 15
    market.undo_stack.undo()
    assert page.budget.slider.value() == 2
    market.edit("another method", algorithm=LocalClustering())
    assert not page.budget.slider.isVisible()
    market.edit("a budget that is too small", algorithm=Deletion(most=0.0))
    assert "would have to be deleted" in page.budget.words.text()


def test_the_tournament_offers_the_tree_that_loses_least(market: Document, qtbot: QtBot) -> None:
    dialog = HierarchyComparisonDialog(market)
    qtbot.addWidget(dialog)
    taken: list[Any] = []
    dialog.chosen.connect(taken.append)
    assert dialog.model.rowCount() == 10
    losses = [float(dialog.model.index(row, 2).data()) for row in range(3)]
    assert losses == sorted(losses)
    dialog.accept()
    assert len(taken) == 1


def test_the_open_dialog_shows_what_a_choice_makes_of_the_file(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "shop.csv"
    path.write_text("who,what\nann,milk\nann,milk\nbob,bread\n", encoding="utf-8")
    dialog = OpenBasketsDialog(document, str(path))
    qtbot.addWidget(dialog)
    assert dialog.form.value().layout == "long"
    assert dialog.model.rowCount() == 2
    assert "1 twice in a basket" in dialog.counts.text()
    dialog.accept()
    assert document.room == "baskets"
    assert document.files["table"].sets() == [("milk",), ("bread",)]


def test_rules_and_layout_are_chosen_on_the_release_page(released: Document, tmp_path: Path, shown: Shown) -> None:
    page = shown(ReleasePage, released)
    panel: BasketsOutputPanel = page.panel
    panel.write_rules(tmp_path / "rules.csv")
    assert (tmp_path / "rules.csv").read_text("utf-8").startswith("item,group\n")
    assert panel.model.rowCount() == 1500
    panel.layout_box.setCurrentIndex(panel.layout_box.findData("long"))
    panel.layout_box.activated.emit(panel.layout_box.currentIndex())
    assert released.project.layout == "long"
    assert not released.finished.is_stale(released.selected)


def test_rules_that_are_taken_are_followed(released: Document, tmp_path: Path, shown: Shown) -> None:
    write_rules(rules_of(released.selected), tmp_path / "rules.csv")
    page = shown(ProtectPage, released)
    before = released.project.algorithm
    page.take_rules(str(tmp_path / "rules.csv"))
    assert page.method.currentData() == "replay"
    page.protect()
    assert set(released.selected.published.items) <= set(released.releases[0].published.items)
    released.undo_stack.undo()
    assert (released.project.algorithm, released.project.rules) == (before, None)
