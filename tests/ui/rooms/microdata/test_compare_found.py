"""How a release was found: the lattice and its keys, maps, trees and sizes."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QPushButton, QToolTip, QTreeView
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss, SearchCurve, SearchStep
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.lattice import Lattice
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.algorithms.top_down import TopDown
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.ui.charts.plots import BarPlot, LinePlot, RectanglePlot
from anonymizer_gui.ui.rooms.microdata.compare.lattice_view import LatticeLegend, LatticeView, node_text
from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.compare_documents import run_all

LEFT = Qt.MouseButton.LeftButton


def found(qtbot: QtBot, document: Document) -> ComparePage:
    page = ComparePage(document)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.tabs.setCurrentWidget(page.found)
    page.show()
    return page


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> ComparePage:
    return found(qtbot, run_all(document, BottomUp(), goals=(KAnonymity(k=5),)))


def lattice(page: ComparePage) -> Lattice:
    search = page.document.releases[0].recoding.search
    assert isinstance(search, Lattice)
    return search


def view(page: ComparePage) -> LatticeView:
    return page.findChild(LatticeView, "lattice")


def kinds(page: ComparePage) -> list[str]:
    return [page.found.kinds.tabText(i) for i in range(page.found.kinds.count())]


def levels(page: ComparePage) -> list[int]:
    return lattice(page).levels[view(page).current].tolist()


def test_a_bottom_up_run_shows_its_lattice_at_the_chosen_node(page: ComparePage) -> None:
    assert kinds(page) == ["Lattice", "Class Sizes", "Map of Partitions"]
    assert view(page).current == lattice(page).chosen
    assert page.findChild(QLabel, "node_title").text() == "Chosen"


def test_the_chosen_node_is_explained_in_words(page: ComparePage) -> None:
    words = page.findChild(QLabel, "found_words").text()
    assert f"{lattice(page).lm[lattice(page).chosen]:.2%}" in words
    assert "it is proven that none loses less" in words


def test_the_legend_counts_the_nodes_of_each_state(page: ComparePage) -> None:
    words = page.findChild(LatticeLegend).accessibleName()
    assert "Chosen (1)" in words
    assert "Satisfies the goals" in words


def test_the_arrow_keys_walk_to_neighbours(page: ComparePage, qtbot: QtBot) -> None:
    start = levels(page)
    qtbot.keyClick(view(page), Qt.Key.Key_Up)
    assert sum(levels(page)) == sum(start) + 1
    qtbot.keyClick(view(page), Qt.Key.Key_Right)
    qtbot.keyClick(view(page), Qt.Key.Key_Left)
    qtbot.keyClick(view(page), Qt.Key.Key_Down)
    assert sum(levels(page)) == sum(start)
    qtbot.keyClick(view(page), Qt.Key.Key_Home)
    assert levels(page) == start


def test_every_node_can_be_clicked_where_it_is_drawn(page: ComparePage, qtbot: QtBot) -> None:
    for node in range(len(lattice(page).state)):
        qtbot.mouseClick(view(page).viewport(), LEFT, pos=view(page).place_of(node))
        assert view(page).current == node


def test_the_pointer_tells_vector_loss_and_k(page: ComparePage) -> None:
    node = lattice(page).chosen
    place = view(page).place_of(node)
    QApplication.sendEvent(
        view(page).viewport(), QHelpEvent(QEvent.Type.ToolTip, place, view(page).viewport().mapToGlobal(place))
    )
    words = node_text(lattice(page), node)
    assert QToolTip.text() == words
    assert f"k = {lattice(page).k[node]}" in words
    assert f"LM {lattice(page).lm[node]:.2%}" in words
    assert "age " in words


def test_beside_the_nodes_there_is_none(page: ComparePage) -> None:
    assert view(page).node_at(QPointF(1, 1)) == -1


def test_another_node_can_be_applied(page: ComparePage, qtbot: QtBot) -> None:
    qtbot.keyClick(view(page), Qt.Key.Key_Up)
    wanted = dict(zip(lattice(page).columns, levels(page), strict=True))
    qtbot.mouseClick(page.findChild(QPushButton, "apply_node"), LEFT)
    release = page.document.selected
    assert release is not None
    assert isinstance(release.project.algorithm, ChosenLevels)
    assert dict(release.project.algorithm.levels) == wanted
    assert release.name == "By hand: " + ", ".join(f"{name} {level}" for name, level in wanted.items() if level)
    assert not page.document.finished.is_stale(release)
    assert "Take the levels" in page.document.undo_stack.undoText()


def test_levels_by_hand_are_shown_in_the_lattice_they_came_from(page: ComparePage, qtbot: QtBot) -> None:
    qtbot.keyClick(view(page), Qt.Key.Key_Up)
    wanted = levels(page)
    qtbot.keyClick(view(page), Qt.Key.Key_Return)
    assert len(page.document.releases) == 2
    assert levels(page) == wanted
    assert page.document.releases[0].name in page.findChild(QLabel, "found_words").text()


def test_a_node_that_violates_the_goals_says_so_and_changes_nothing(page: ComparePage, qtbot: QtBot) -> None:
    page.document.edit("Ask for more", goals=(KAnonymity(k=40),))
    before = page.document.project
    qtbot.mouseClick(page.findChild(QPushButton, "apply_node"), LEFT)
    assert page.document.project is before
    assert len(page.document.releases) == 1
    assert "k-anonymity" in page.document.messages.open[-1].text


def test_only_checked_nodes_can_be_drawn(page: ComparePage, qtbot: QtBot) -> None:
    unchecked = int((lattice(page).state == 0).argmax())
    assert lattice(page).state[unchecked] == 0
    box = page.findChild(QCheckBox, "lattice_only_checked")
    qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    view(page).set_current(unchecked)
    assert view(page).current != unchecked


def test_zooming_moves_nodes_apart(page: ComparePage, qtbot: QtBot) -> None:
    nodes = [node for node in range(len(lattice(page).state)) if lattice(page).levels[node].sum() == 1]

    def apart() -> int:
        return abs(view(page).place_of(nodes[0]).x() - view(page).place_of(nodes[1]).x())

    qtbot.keyClick(view(page), Qt.Key.Key_Minus)
    before = apart()
    qtbot.keyClick(view(page), Qt.Key.Key_Plus)
    assert apart() > before


def test_rows_that_may_have_any_value_stand_apart_from_the_values(qtbot: QtBot, document: Document) -> None:
    page = found(qtbot, run_all(document, Mondrian()))
    plot = page.found.map.panel.chart.plot
    assert isinstance(plot, RectanglePlot)
    (place,) = [at for at, label in plot.y_labels.items() if label == "*"]
    hidden = [box for box, words in zip(plot.boxes, plot.words, strict=True) if "zip: 1305*" in words]
    assert hidden
    assert all(bottom < place < top for _, bottom, _, top in hidden)
    assert not [box for box in hidden for at in plot.y_labels if at != place and box[1] <= at <= box[3]]
    assert "at *" in page.findChild(QLabel, "map_words").text()


def test_mondrian_shows_a_map_of_two_columns(qtbot: QtBot, document: Document) -> None:
    page = found(qtbot, run_all(document, Mondrian()))
    assert kinds(page)[0] == "Map of Partitions"
    plot = page.found.map.panel.chart.plot
    assert isinstance(plot, RectanglePlot)
    assert sum(plot.weights) == document.releases[0].table.n_rows
    page.findChild(QComboBox, "map_across").setCurrentText("zip")
    page.findChild(QComboBox, "map_up").setCurrentText("age")
    plot = page.found.map.panel.chart.plot
    assert isinstance(plot, RectanglePlot)
    assert (plot.x, plot.y) == ("zip", "age")


@pytest.mark.parametrize("algorithm", [TopDown(), Mondrian()], ids=lambda algorithm: algorithm.name)
def test_splits_are_shown_as_a_tree(
    qtbot: QtBot, document: Document, algorithm: TopDown | Mondrian, qtmodeltester: object
) -> None:
    page = found(qtbot, run_all(document, algorithm))
    kinds = page.found.kinds
    kinds.setCurrentIndex([kinds.tabText(place) for place in range(kinds.count())].index("Tree of Splits"))
    model = page.findChild(QTreeView, "split_tree").model()
    root = model.index(0, 0)
    assert (root.data(), model.index(0, 1).data()) == ("Whole table", "40")
    assert model.index(0, 2).data().startswith("split by ")
    assert model.rowCount(root) >= 2
    qtmodeltester.check(model)  # type: ignore[attr-defined]


def test_class_sizes_are_drawn_for_every_release(qtbot: QtBot, document: Document) -> None:
    page = found(qtbot, run_all(document, ChosenLevels(levels=(("age", 1), ("zip", 1)))))
    assert kinds(page) == ["Class Sizes", "Map of Partitions"]
    plot = page.found.sizes.chart.plot
    assert isinstance(plot, BarPlot)
    assert sum(plot.series["Classes"]) == document.releases[0].measured.classes


def test_renaming_a_release_leaves_the_node_that_is_looked_at(page: ComparePage, qtbot: QtBot) -> None:
    qtbot.keyClick(view(page), Qt.Key.Key_Up)
    looked_at = view(page).current
    assert page.document.selected is not None
    page.document.finished.rename(page.document.selected, "First try")
    assert view(page).current == looked_at != lattice(page).chosen


def test_a_search_by_exchanges_shows_how_its_loss_fell(qtbot: QtBot, document: Document) -> None:
    document.open_project(resource_path("samples", "hospital.anon"), as_copy=True)
    document.edit("Count rows", person="", algorithm=BestLoss(checks=60_000), goals=(KAnonymity(k=5),))
    document.run()
    page = found(qtbot, document)
    assert kinds(page) == ["Loss by Checks", "Class Sizes", "Map of Partitions"]
    plot, release = page.found.way.chart.plot, document.releases[0]
    assert isinstance(plot, LinePlot)
    assert plot.series["Loss reached"][-1] == pytest.approx(release.measured.lm, abs=1e-3)
    assert "The loss fell from" in page.found.words.text()
    assert "more checks may find less" in page.found.words.text()


def test_of_a_long_search_a_few_steps_are_drawn_and_its_end_is_told(qtbot: QtBot, document: Document) -> None:
    document.open_project(resource_path("samples", "hospital.anon"), as_copy=True)
    document.edit("Count rows", person="", algorithm=BestLoss(checks=0), goals=(KAnonymity(k=5),))
    document.run()
    made = document.releases[0]
    steps = tuple(SearchStep(100 * number, 0.5 - number / 10_000) for number in range(3000))
    long = replace(made, recoding=replace(made.recoding, search=SearchCurve(steps, 0.1, is_exhausted=True)))
    document.finished.remove(made)
    document.finished.add(long)
    page = found(qtbot, document)
    plot = page.found.way.chart.plot
    assert isinstance(plot, LinePlot)
    assert 40 < len(plot.at) < 80
    assert (plot.at[0], plot.at[-1]) == (0, steps[-1].checks)
    assert plot.series["Loss reached"][-1] == steps[-1].loss
    assert "then nothing more was found" in page.found.words.text()
