"""The Protect page: every algorithm tried, and a range of values swept."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.rooms.microdata import resource_estimate
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import KKm
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.rooms.microdata.protect.batch_runs import GoalSweepDialog
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.workspace.document import Document
from tests.ui.rooms.microdata.protect_documents import made_pages, type_into

Make = Callable[..., tuple[ProtectPage, Document]]


@pytest.fixture
def page_of(qtbot: QtBot) -> Iterator[Make]:
    """Make the page over a small hospital."""
    yield from made_pages(qtbot, ProtectPage, run=False)


def test_too_little_memory_for_many_runs_is_told_once_and_can_be_tried_anyway(
    page_of: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource_estimate, "free_memory", lambda: 1000)
    page, document = page_of()
    page.run()
    plain = document.messages.open[0]
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    (message,) = document.messages.open
    assert (message.text, message.hint) == (plain.text, plain.hint)
    assert document.releases == ()
    title, take = message.actions[0]
    assert title == "Run Anyway"
    take()
    assert len(document.releases) > 1


def test_try_all_makes_a_release_with_every_algorithm(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    names = [release.project.algorithm.name for release in document.releases if release.project.algorithm]
    assert {"bottom-up", "mondrian", "top-down"} <= set(names)
    assert "levels" not in names


def test_try_all_takes_the_best_by_the_objective_that_is_asked_for(page_of: Make, qtbot: QtBot) -> None:
    """What cannot follow it is tried by the loss and ranked with the others."""
    page, document = page_of()
    document.edit("Ask for discernibility", algorithm=BottomUp(objective="discernibility"))
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    assert document.messages.open[-1].text.endswith("is best by Discernibility and is selected.")
    assert document.selected is not None
    sizes = [classes_of(release.table, ("age", "zip")).sizes for release in document.releases]
    costs = {release.id: int((each**2).sum()) for release, each in zip(document.releases, sizes, strict=True)}
    assert costs[document.selected.id] == min(costs.values())
    assert "local-suppression" in [release.project.algorithm.name for release in document.releases]


@pytest.mark.parametrize(
    ("name", "aim"), [("best-loss", "Loss (LM)"), ("local-suppression", "Emptied cells"), ("top-down", "")]
)
def test_the_form_says_what_an_algorithm_makes_small_that_follows_no_objective(
    page_of: Make, name: str, aim: str
) -> None:
    page, document = page_of()
    document.edit("Choose", algorithm=ALGORITHMS.get(name)())
    label = page.findChild(QLabel, "aim")
    assert label is not None
    assert label.isVisibleTo(page) == bool(aim)
    assert aim in label.text()


def test_an_objective_stays_when_another_algorithm_is_chosen(page_of: Make) -> None:
    page, document = page_of()
    document.edit("Ask", algorithm=BottomUp(objective="entropy"))
    box = page.findChild(QComboBox, "algorithm")
    assert box is not None
    box.activated.emit(box.findData("top-down"))
    assert document.project.algorithm.objective_asked() == ("entropy", "")


def test_what_was_tried_together_is_up_to_date_until_the_settings_change(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    assert [document.finished.is_stale(release) for release in document.releases] == [False] * len(document.releases)
    assert page.stale.label.text() == "The figures are of “Best loss”."
    document.finished.use_settings_of(document.selected, "Use these settings")
    assert not page.stale.isVisible()
    assert [document.finished.is_stale(release) for release in document.releases] == [False] * len(document.releases)
    document.edit("Allow suppression", suppression=0.1)
    assert all(document.finished.is_stale(release) for release in document.releases)


def test_a_sweep_makes_a_release_for_each_value_and_tells_what_failed(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(goals=(KAnonymity(k=5),))
    qtbot.mouseClick(page.sweep_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(GoalSweepDialog)
    assert dialog is not None
    assert dialog.values.text() == "2, 3, 5, 10, 20, 50"
    type_into(qtbot, dialog.values, "2, 10, 50")
    dialog.accept()
    assert [release.name for release in document.releases] == [
        "Bottom-up (full-domain), k = 2",
        "Bottom-up (full-domain), k = 10",
    ]
    assert "1 run could not reach" in document.messages.open[-1].text


def test_after_a_sweep_the_release_nearest_to_the_settings_is_selected(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of(goals=(KAnonymity(k=5),))
    qtbot.mouseClick(page.sweep_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(GoalSweepDialog)
    assert dialog is not None
    type_into(qtbot, dialog.values, "2, 4, 10, 20")
    dialog.accept()
    assert len(document.releases) == 4
    assert document.selected is not None
    assert document.selected.project.goals == (KAnonymity(k=4),)
    assert "k = 4” is nearest to your settings" in document.messages.open[-1].text


def test_what_a_sweep_varies_is_said_in_the_language_of_the_window(qtbot: QtBot, qapp: QApplication) -> None:
    i18n.install_language(qapp, "de")
    try:
        dialog = GoalSweepDialog((KKm(k=3, rows=40),))
        qtbot.addWidget(dialog)
        assert [dialog.what.itemText(row).partition(": ")[2] for row in range(3)] == ["k", "m", "Zeilen je Klasse"]
    finally:
        i18n.install_language(qapp, "en")


def test_a_sweep_over_a_wrong_value_cannot_be_started(page_of: Make, qtbot: QtBot) -> None:
    page, _ = page_of()
    qtbot.mouseClick(page.sweep_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(GoalSweepDialog)
    assert dialog is not None
    type_into(qtbot, dialog.values, "2, x")
    assert dialog.note.isVisible()
    dialog.accept()
    assert dialog.isVisible()
    dialog.reject()


def test_try_all_selects_what_loses_least_and_says_so(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    assert document.selected is not None
    losses = [release.measured.lm for release in document.releases if release.measured.lm is not None]
    assert document.selected.measured.lm == min(losses)
    assert f"“{document.selected.name}” loses least" in document.messages.open[-1].text


def test_try_all_runs_nothing_twice(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    names = [release.project.algorithm.name for release in document.releases if release.project.algorithm]
    assert len(names) == len(set(names)) > 1
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    assert len(document.releases) == len(names)
    assert document.selected is not None
    assert document.messages.open[-1].text.startswith(f"Nothing new to try. “{document.selected.name}” loses least")


def test_try_all_says_how_many_runs_are_to_come(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    titles: list[str] = []
    document.jobs.started.connect(lambda job: titles.append(job.title))
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    count = len(document.releases)
    ends = [title[-len(f"({count} of {count})") :] for title in titles if " of " in title]
    assert ends == [f"({place} of {count})" for place in range(1, count + 1)]


def test_the_same_run_twice_gets_a_name_of_its_own(page_of: Make, qtbot: QtBot) -> None:
    page, document = page_of()
    for _ in range(3):
        qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    names = [release.name for release in document.releases]
    assert names == [names[0], f"{names[0]} (2)", f"{names[0]} (3)"]


def test_a_run_that_takes_hours_is_not_started_unasked(page_of: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    page, document = page_of()
    document.edit("Cluster", algorithm=ALGORITHMS.get("cluster")())
    monkeypatch.setattr(resource_estimate, "MAX_SECONDS", 1e-9)
    page.run()
    assert document.releases == ()
    assert "Clustering will take about" in document.messages.open[-1].text
    dict(document.messages.open[-1].actions)["Run Anyway"]()
    assert len(document.releases) == 1
