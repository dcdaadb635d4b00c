"""The Protect page: goals in groups, folded settings, an estimate beforehand, and the room of a large screen."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLabel, QLineEdit, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.rooms.microdata.algorithms.auto import Auto
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages, type_into

Make = Callable[..., tuple[ProtectPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital."""
    yield from made_pages(qtbot, ProtectPage, run=False)


def expected(page: ProtectPage) -> str:
    label = page.findChild(QLabel, "estimate")
    assert isinstance(label, QLabel)
    return label.text()


def weights_are_below(page: ProtectPage) -> bool:
    top, method = (widget.mapTo(page, QPoint()).y() for widget in (page.weights, page.method))
    return top > method + page.method.height() // 2


def test_goals_are_offered_in_words_under_what_they_are_good_for(page_of: Make) -> None:
    page, document = page_of()
    entries = page.goals.add.menu().actions()
    headings = [entry.text() for entry in entries if entry.isSeparator()]
    offered = [entry for entry in entries if not entry.isSeparator()]
    assert headings[0] == "Nobody is picked out"
    assert len(headings) == 3
    assert sorted(entry.objectName() for entry in offered) == sorted(f"add_{model.name}" for model in PRIVACY_MODELS)
    assert offered[0].text() == "k-anonymity: Every row looks like at least k - 1 others in the quasi-identifiers."
    next(entry for entry in offered if entry.objectName() == "add_t").trigger()
    assert document.project.goals[-1].name == "t"


def test_what_only_experts_change_is_folded_until_it_is_asked_for(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(algorithm=Mondrian())
    assert page.method.algorithm.isVisible()
    assert page.method.suppression.isVisible()
    assert not page.method.seed.isVisible()
    assert not page.method.uneven.isVisible()
    assert page.method.fold.text() == "More settings, 1 changed"  # the seed of the small hospital
    qtbot.mouseClick(page.method.fold, Qt.MouseButton.LeftButton)
    assert page.method.seed.isVisible()
    assert isinstance(page.method.seed, QLineEdit)
    type_into(qtbot, page.method.seed, "0")
    assert document.project.seed == 0
    assert page.method.fold.text() == "More settings"


def test_levels_by_hand_are_never_folded_away(page_of: Make) -> None:
    page, _ = page_of(algorithm=ChosenLevels())
    assert page.method.form is not None
    assert page.method.form.isVisible()


def test_an_estimate_stands_there_before_anything_is_run(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.waitUntil(lambda: "Quick estimate: Mondrian loses " in expected(page))
    first = expected(page)
    document.edit("Ask for more", goals=(KAnonymity(k=30),))
    qtbot.waitUntil(lambda: bool(expected(page)) and expected(page) != first)
    document.edit("Ask for too much", goals=(KAnonymity(k=41),))
    qtbot.waitUntil(lambda: "cannot be reached" in expected(page))
    assert document.releases == ()


def test_where_a_release_of_these_settings_is_there_no_estimate_is_made(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.waitUntil(lambda: bool(expected(page)))
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert document.selected is not None
    assert expected(page) == ""
    document.edit("Ask for more", goals=(KAnonymity(k=20),))
    qtbot.waitUntil(lambda: "Quick estimate" in expected(page))


def test_figures_of_earlier_settings_fade(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    card = page.figures.card("k")
    bright = card.palette().window().color()
    assert "(good)" in card.accessibleName()
    document.edit("Ask for more", goals=(KAnonymity(k=20),))
    assert card.palette().window().color() != bright
    assert "(of earlier settings)" in card.accessibleName()
    document.undo_stack.undo()
    assert card.palette().window().color() == bright


def test_what_green_and_amber_mean_is_said_below_the_figures(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    assert not page.colours.isVisible()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert page.colours.isVisible()
    for limit in ("k from 5 on", "risk up to 1 in 5", "loss up to 30%", "suppressed up to 2%", "above 60%"):
        assert limit in page.colours.text()


def test_a_wide_window_uses_its_room(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    cards = [card for card in page.figures.cards if card.isVisible()]
    assert len({card.y() for card in cards}) > 1
    assert weights_are_below(page)
    page.resize(1720, 970)
    qtbot.waitUntil(lambda: len({card.y() for card in cards}) == 1)
    qtbot.waitUntil(lambda: not weights_are_below(page))
    assert abs(page.method.width() - page.weights.width()) < page.width() / 8


def test_a_small_window_shows_the_whole_page_at_once(
    qtbot: QtBot, finished_document: Document, make_window: Callable[[Document], MainWindow]
) -> None:
    window = make_window(finished_document)
    window.resize(1280, 800)
    page = window.show_page("protect")
    qtbot.waitUntil(lambda: page.height() <= page.parentWidget().height())
    assert isinstance(page, ProtectPage)
    qtbot.waitUntil(lambda: page.method.fold.visibleRegion().boundingRect().height() == page.method.fold.height())


def test_a_tall_window_shows_pictures_before_and_after_the_run(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    assert not page.pictures.isVisible()
    page.resize(1720, 970)
    qtbot.waitUntil(page.pictures.isVisible)
    before = page.pictures.sizes.chart.plot
    assert before is not None
    assert before.title == "As the table is, 0 of 40 records look like no other in the quasi-identifiers"
    assert not page.pictures.loss.isVisible()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    after = page.pictures.sizes.chart.plot
    assert isinstance(after, BarPlot)
    assert list(after.series) == ["before", "after"]
    assert page.pictures.loss.isVisible()
    page.resize(1280, 700)
    qtbot.waitUntil(lambda: not page.pictures.isVisible())


def test_another_algorithm_with_more_words_gets_the_room_they_need(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(algorithm=Mondrian())
    page.resize(1100, 760)
    document.edit("Try several", algorithm=Auto())
    fold = page.method.fold
    qtbot.waitUntil(lambda: fold.visibleRegion().boundingRect().height() == fold.height())


def test_every_control_says_what_it_is(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    page.resize(1720, 970)
    qtbot.mouseClick(page.method.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.pictures.isVisible)
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QTabBar)
    controls = [widget for kind in kinds for widget in page.findChildren(kind) if widget.isVisible()]
    assert len(controls) > 15
    assert [widget.objectName() for widget in controls if not explained(widget)] == []


def explained(widget: QWidget | None) -> bool:
    """Tell whether Shift+F1 has an answer here, from the control or from what it is part of."""
    return widget is not None and (bool(widget.whatsThis()) or explained(widget.parentWidget()))
