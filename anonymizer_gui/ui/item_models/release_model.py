"""The releases of a document as a table: one row each, figures as the release was measured."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from anonymizer_gui.engine.release import Release
from anonymizer_gui.engine.views.trade_off import figure, goals_in_short, parameters_in_short
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import decimal, percent, tr, whole
from anonymizer_gui.workspace.document import Document

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
NAME, GOALS, STATE = "name", "goals", "state"
_TEXTS = (NAME, GOALS, STATE, "algorithm", "parameters")
WAITING, NOT_ASKED = "…", "–"


@dataclass(frozen=True, slots=True)
class Head:
    """A column: its key, title, and what it tells."""

    key: str
    title: str
    tip: str


def heads() -> list[Head]:
    """List the columns in the order they stand."""
    return [
        Head(NAME, tr("Name"), tr("Press F2 to rename a release")),
        Head(GOALS, tr("Goals"), tr("What had to hold when the release was made")),
        Head(STATE, tr("State"), tr("Whether the settings have changed since the run")),
        Head("k", "k", tr("Rows in the smallest class; more is safer")),
        Head("l", "l", tr("Fewest different sensitive values in a class; more is safer")),
        Head("t", "t", tr("Largest distance of a class from the whole table; less is safer")),
        Head("risk", tr("Highest risk"), tr("Chance to pick out the person in the smallest class")),
        Head("lm", "LM", tr("Share of its domain the average cell covers; less is more useful")),
        Head("query-error", tr("Query error"), tr("How wrong a typical count is when asked of the release")),
        Head("suppressed", tr("Suppressed"), tr("Rows left out or published as *")),
        Head("classes", tr("Classes"), tr("Number of equivalence classes")),
        Head("md", "MD", tr("Levels climbed, summed over all cells; less is more useful")),
        Head("seconds", tr("Seconds"), tr("Time to make and measure the release")),
        Head("algorithm", tr("Algorithm"), tr("How the release was made")),
        Head("parameters", tr("Parameters"), tr("Parameters of the algorithm that differ from the usual ones")),
    ]


class ReleaseModel(QAbstractTableModel):
    """Shows the releases, pinned ones first, otherwise in the order of a column or of their making."""

    renamed = Signal(object, str)
    """Carries a release and the name somebody typed for it."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._heads = heads()
        self._errors: Mapping[int, float | None] = {}
        self._sort_by, self._descending = -1, False
        self.shown: list[Release] = []

    @property
    def keys(self) -> list[str]:
        """The keys of the columns."""
        return [head.key for head in self._heads]

    def refresh(self, errors: Mapping[int, float | None]) -> None:
        """Take over the releases there are; `errors` has the query error by identity of the published table."""
        self._errors = errors
        if len(self.shown) != len(self._document.releases):
            self.beginResetModel()
            self.shown = self._ordered()
            self.endResetModel()
            return
        self.layoutAboutToBeChanged.emit()
        before = [(index, self.shown[index.row()].table) for index in self.persistentIndexList()]
        self.shown = self._ordered()
        place = {id(release.table): row for row, release in enumerate(self.shown)}
        for index, table in before:
            moved = self.index(place[id(table)], index.column()) if id(table) in place else QModelIndex()
            self.changePersistentIndex(index, moved)
        self.layoutChanged.emit()

    def release_at(self, row: int) -> Release:
        """Give the release of a row."""
        return self.shown[row]

    def row_of(self, release: Release | None) -> int:
        """Give the row of a release, -1 when it is not there."""
        return next((row for row, shown in enumerate(self.shown) if shown is release), -1)

    def error_of(self, release: Release) -> float | None:
        """Give the query error of a release once it is known."""
        return self._errors.get(id(release.table))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; releases without the figure come last."""
        self._sort_by, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.refresh(self._errors)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the releases."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._heads)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let names be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == 0 else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the title of a column and what it tells."""
        if orientation == Qt.Orientation.Vertical or not 0 <= section < len(self._heads):
            return None
        head = self._heads[section]
        if role == _ROLE.TextAlignmentRole and head.key not in _TEXTS:
            return _RIGHT
        return {_ROLE.DisplayRole: head.title, _ROLE.ToolTipRole: head.tip}.get(_ROLE(role))

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        """Give the text of a cell and how it looks."""
        release, key = self.shown[index.row()], self._heads[index.column()].key
        answers: dict[int, Callable[[], Any]] = {
            _ROLE.DisplayRole: lambda: self._text(release, key),
            _ROLE.EditRole: lambda: self._text(release, key),
            _ROLE.ToolTipRole: lambda: self._tip(release, key),
            _ROLE.TextAlignmentRole: lambda: None if key in _TEXTS else _RIGHT,
            _ROLE.ForegroundRole: lambda: theme.color("muted") if self._document.is_stale(release) else None,
            _ROLE.DecorationRole: lambda: self._icon(release, key),
            _ROLE.FontRole: lambda: self._font(release, key),
        }
        answer = answers.get(role)
        return answer() if answer else None

    def setData(self, index: Index, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Ask for another name."""
        name = str(value).strip()
        if role != _ROLE.EditRole or not name or name == self.shown[index.row()].name:
            return False
        self.renamed.emit(self.shown[index.row()], name)
        return True

    def _ordered(self) -> list[Release]:
        releases = list(self._document.releases)
        if 0 <= self._sort_by < len(self._heads):
            key = self._heads[self._sort_by].key
            known = [release for release in releases if self._sortable(release, key) is not None]
            unknown = [release for release in releases if self._sortable(release, key) is None]
            known.sort(key=lambda release: self._sortable(release, key), reverse=self._descending)
            releases = known + unknown
        return sorted(releases, key=lambda release: not self._document.is_pinned(release))

    def _sortable(self, release: Release, key: str) -> Any:
        if key in _TEXTS:
            return self._text(release, key).casefold()
        value = self.error_of(release) if key == "query-error" else figure(release, key)
        return None if value is None or math.isnan(value) else value

    def _text(self, release: Release, key: str) -> str:
        if key in _TEXTS:
            return self._words(release, key)
        if key == "query-error":
            error = self.error_of(release)
            asked = id(release.table) in self._errors
            return written(key, error) if error is not None else WAITING if asked else NOT_ASKED
        return written(key, figure(release, key))

    def _words(self, release: Release, key: str) -> str:
        algorithm = release.project.algorithm
        if key == NAME:
            return release.name
        if key == GOALS:
            return goals_words(release)
        if key == STATE:
            return tr("Settings changed") if self._document.is_stale(release) else tr("Up to date")
        if algorithm is None:
            return ""
        return tr(algorithm.title) if key == "algorithm" else parameters_in_short(algorithm)

    def _tip(self, release: Release, key: str) -> str:
        if key == STATE:
            stale = self._document.is_stale(release)
            words = tr("The settings have changed since this run; its figures are still those of its own settings.")
            return words if stale else tr("Made with the settings as they are now.")
        if key == "risk" and release.measured.k:
            return tr("1 in {size} at worst", size=release.measured.k)
        return self._text(release, key) if key in _TEXTS else ""

    def _icon(self, release: Release, key: str) -> Any:
        if key == NAME and self._document.is_pinned(release):
            return theme.icon("pin", "accent")
        if key == STATE:
            return theme.icon("stale", "warn") if self._document.is_stale(release) else theme.icon("check", "good")
        return None

    def _font(self, release: Release, key: str) -> QFont | None:
        if key != NAME or release is not self._document.selected:
            return None
        font = QFont()
        font.setBold(True)
        return font


def goals_words(release: Release) -> str:
    """Write the goals of a release and its suppression limit in one line."""
    goals = goals_in_short(release.project.goals) or tr("none")
    limit = release.project.suppression
    return tr("{goals}; suppress up to {share}", goals=goals, share=percent(limit)) if limit else goals


def written(key: str, value: float | None) -> str:
    """Write a figure for people; a dash where there is none."""
    if value is None or math.isnan(value):
        return NOT_ASKED
    if key in ("risk", "average-risk"):
        return percent(value)
    if key in ("lm", "t", "query-error"):
        return decimal(value, 3)
    return decimal(value, 2) if key == "seconds" else whole(value)
