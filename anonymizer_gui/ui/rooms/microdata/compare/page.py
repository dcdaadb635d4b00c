"""The fourth step: releases beside each other, how each was found, and what became of every row."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import ChosenLevels
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import query_error
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.microdata.compare.before_after import BeforeAfterTab
from anonymizer_gui.ui.rooms.microdata.compare.release_table import ReleaseTable
from anonymizer_gui.ui.rooms.microdata.compare.search_view import SearchView
from anonymizer_gui.ui.rooms.microdata.compare.trade_off import TradeOffChart
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument, default_release_name
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.batch_run import BATCH_MESSAGE
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.messages import Message

AUTO_QUERY_ERROR_MAX_ROWS = 100_000
"""Up to so many rows query errors are computed without being asked for."""
_WIDEST_CHOICE = 26
"""The box of releases may take so many times the height of a line beside the tabs."""


class ComparePage(Page):
    """Releases, how they were found, and side by side with the original."""

    document: MicrodataDocument
    name = "compare"
    title = "Compare"
    order = 40
    icon = "compare"
    help = "microdata/compare"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many releases there are and whether the selected one fits the settings."""
        if document.selected is None:
            return StepStatus(StepState.EMPTY, tr("Run an algorithm first"))
        words = tr("{count:release|releases}", count=len(document.releases))
        if document.finished.is_stale(document.selected):
            return StepStatus(StepState.STALE, tr("{releases}; settings changed", releases=words))
        return StepStatus(StepState.DONE, words)

    def home_of_shortcuts(self) -> QWidget:
        """Let the keys of the releases work in their table."""
        return self.releases.view

    def measure_query_errors(self) -> None:
        """Ask every release that has no query error yet for it, one after the other."""
        table = self.document.table
        for release in self.document.releases:
            key = release.id
            if table is not None and self._errors.get(key) is None:
                self._errors[key] = None
                self.document.ask(
                    ("query error", key),
                    _error_of,
                    release,
                    table,
                    then=self._on_error_known,
                    title=tr("Query error of {name}", name=release.name),
                )
        self._refresh()

    def apply_levels(self, levels: tuple[tuple[str, int], ...]) -> None:
        """Make a release with the levels of a node; the project takes them over once they are known to satisfy."""
        chosen = ChosenLevels(levels=levels)
        if self.document.table is not None:
            self.document.jobs.start(
                tr("Apply the levels"),
                _with_levels,
                self.document.table,
                replace(self.document.project, algorithm=chosen),
                self.document.population,
                default_release_name(chosen),
                on_done=self._on_applied,
                replace_key="run",
            )

    def _build(self) -> None:
        self._errors: dict[str, float | None] = {}
        self.releases = ReleaseTable(self.document)
        self.trade_off = TradeOffChart(self.document)
        self.found = SearchView(self.document)
        self.side = BeforeAfterTab(self.document)
        self.tabs = name_widget(QTabWidget(documentMode=True), "compare_tabs")
        self.choice = name_widget(QComboBox(), "compare_release")
        self.stale = InlineMessage()
        self.empty = EmptyState(
            tr("There is no release to compare yet."),
            tr("Go to Protect"),
            lambda: self.go.emit("protect"),
            icon="compare",
            hint=tr("Run an algorithm first; every run is kept here, so that you can try several."),
        )
        self._lay_out()

    def _lay_out(self) -> None:
        first = name_widget(QSplitter(Qt.Orientation.Vertical), "compare_splitter")
        first.addWidget(self.releases)
        first.addWidget(self.trade_off)
        first.setStretchFactor(0, 2)
        first.setStretchFactor(1, 3)
        unit = self.fontMetrics().height()
        first.setSizes([unit * 13, unit * 17])
        first.setChildrenCollapsible(False)
        box = QWidget()
        inner = QVBoxLayout(box)
        inner.addWidget(first)
        self.tabs.addTab(box, tr("Releases"))
        self.tabs.addTab(self.found, tr("How It Was Found"))
        self.tabs.addTab(self.side, tr("Side by Side"))
        self.tabs.setCornerWidget(self._corner())
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(self.stale)
        layout.addWidget(self.tabs, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(whole)

    def _corner(self) -> QWidget:
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(tr("&Release"))
        label.setBuddy(self.choice)
        self.choice.setMinimumContentsLength(20)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.setMaximumWidth(self.fontMetrics().height() * _WIDEST_CHOICE)
        row.addWidget(label)
        row.addWidget(self.choice)
        return corner

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._show_tab)
        self.choice.activated.connect(lambda row: self.document.finished.select(self.document.releases[row]))
        self.releases.measure_asked.connect(self.measure_query_errors)
        self.found.apply_asked.connect(self.apply_levels)
        self.document.messages.posted.connect(self._on_message)

    def _show(self, changed: frozenset[str]) -> None:
        self._stack.setCurrentIndex(int(self.document.selected is not None))
        kept = {release.id for release in self.document.releases}
        self._errors = {key: error for key, error in self._errors.items() if key in kept}
        if self.document.selected is None:
            self.status.emit("")
            return
        self._show_choice(self.document.selected)
        self._refresh()
        if Change.EVERYTHING in changed:
            self.side.recolour()
        table = self.document.table
        if is_affected(changed, Change.RELEASES) and table is not None and table.n_rows <= AUTO_QUERY_ERROR_MAX_ROWS:
            self.measure_query_errors()
        self.status.emit(tr("Selected: {what}", what=self.document.selected.name))
        self._show_tab()

    def _show_choice(self, selected: Release) -> None:
        self.choice.clear()
        for release in self.document.releases:
            stale = self.document.finished.is_stale(release)
            name = tr("{name} (settings changed)", name=release.name) if stale else release.name
            self.choice.addItem(name)
            if release is selected:
                self.choice.setCurrentIndex(self.choice.count() - 1)
        self.choice.setToolTip(
            plain_text(tr("The release that all pages show: {name}", name=self.choice.currentText()))
        )
        words = tr(
            "The settings have changed since “{name}” was made. Its figures are those of its own settings.",
            name=selected.name,
        )
        self.stale.show_note("warn", words if self.document.finished.is_stale(selected) else "")

    def _refresh(self) -> None:
        self.releases.refresh(self._errors)
        self.trade_off.refresh(self._errors)

    def _show_tab(self) -> None:
        """Bring the tab in front up to date; the others wait until they are looked at."""
        release = self.document.selected
        if release is None:
            return
        if self.tabs.currentWidget() is self.found:
            self.found.show_release(release)
        elif self.tabs.currentWidget() is self.side:
            self.side.show_release(release)

    def _on_applied(self, release: Release) -> None:
        algorithm = release.project.algorithm
        levels = algorithm and algorithm.told_levels()
        words = ", ".join(f"{name} {level}" for name, level in (levels or {}).items())
        self.document.edit(tr("Take the levels {levels}", levels=words), algorithm=algorithm)
        self.document.finished.add(release)

    def _on_message(self, _message: Message) -> None:
        """Whoever sees this page needs no button that leads here."""
        if self.isVisible():
            self.document.messages.withdraw_offers(BATCH_MESSAGE)

    def _on_error_known(self, found: tuple[str, float]) -> None:
        release_id, error = found
        if release_id in self._errors:
            self._errors[release_id] = error
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Take back the button that leads here."""
        super().showEvent(event)
        self.document.messages.withdraw_offers(BATCH_MESSAGE)


def _with_levels(table: Table, project: Project, population: Table | None, name: str, progress: Progress) -> Release:
    return replace(run(table, project, progress, population), name=name)


def _error_of(release: Release, original: Table, progress: Progress) -> tuple[str, float]:
    return release.id, query_error(release, original, progress)


def _has_release(document: Document) -> bool:
    return document.selected is not None


def _action(name: str, title: str, shortcut: str, icon: str, tip: str, callback: Callable[[Any], object]) -> Action:
    return Action(
        f"compare.{name}",
        title,
        callback,
        "Protect",
        "releases",
        icon=icon,
        shortcut=shortcut,
        status_tip=tip,
        enabled=_has_release,
        reason="Run an algorithm first.",
        page="compare",
        anywhere=False,
    )


ACTIONS = (
    _action(
        "pin",
        "Pin or Unpin Release",
        "P",
        "pin",
        "Keep the selected release at the top",
        lambda page: page.releases.pin_selected(),
    ),
    _action(
        "rename",
        "Rename Release…",
        "F2",
        "edit",
        "Give the selected release another name",
        lambda page: page.releases.rename_selected(),
    ),
    _action(
        "delete",
        "Delete Release",
        "Delete",
        "delete",
        "Forget the selected release",
        lambda page: page.releases.delete_selected(),
    ),
    _action(
        "query_errors",
        "Measure Query Errors",
        "",
        "utility",
        "Ask every release the same random counts",
        lambda page: page.measure_query_errors(),
    ),
)
