"""The releases of a document as a table: one row each, figures as the release was measured."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.rooms.microdata.compare.release_heads import (
    GOALS,
    NAME,
    NOTHING,
    STATE,
    TEXTS,
    Head,
    heads,
    promise_of,
    value_of,
    written,
)
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.settings_words import goals_in_words, parameters_in_words
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
WAITING = "…"


@plain_tooltips
class ReleaseModel(QAbstractTableModel):
    """Shows the releases, pinned ones first, otherwise in the order of a column or of their making."""

    renamed = Signal(object, str)
    """Carries a release and the name somebody typed for it."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self._document = document
        self._heads = heads()
        self._errors: Mapping[str, float | None] = {}
        self._sort_by, self._descending = -1, False
        self.shown: list[Release] = []

    @property
    def keys(self) -> list[str]:
        """The keys of the columns."""
        return [head.key for head in self._heads]

    @property
    def sorted_by(self) -> int:
        """The column the releases are sorted by, -1 when they stand in the order of their making."""
        return self._sort_by

    def refresh(self, errors: Mapping[str, float | None]) -> None:
        """Take over the releases there are; `errors` has the query error by identity of the published table."""
        self._errors = errors
        wanted = heads(self._document.releases)
        if len(self.shown) != len(self._document.releases) or wanted != self._heads:
            self.beginResetModel()
            sorted_by = self._heads[self._sort_by] if self._sort_by >= 0 else None
            self._sort_by = wanted.index(sorted_by) if sorted_by in wanted else -1
            self._heads = wanted
            self.shown = self._ordered()
            self.endResetModel()
            return
        self.layoutAboutToBeChanged.emit()
        before = [(index, self.shown[index.row()].id) for index in self.persistentIndexList()]
        self.shown = self._ordered()
        place = {release.id: row for row, release in enumerate(self.shown)}
        for index, release_id in before:
            moved = self.index(place[release_id], index.column()) if release_id in place else QModelIndex()
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
        return self._errors.get(release.id)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; releases without the figure come last."""
        self._sort_by, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.refresh(self._errors)

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the releases."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self._heads)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Let names be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == 0 else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the title of a column and what it tells."""
        if orientation == Qt.Orientation.Vertical or not 0 <= section < len(self._heads):
            return None
        head = self._heads[section]
        if role == _ROLE.TextAlignmentRole and head.key not in TEXTS:
            return _RIGHT
        return {_ROLE.DisplayRole: head.title, _ROLE.ToolTipRole: head.tip}.get(_ROLE(role))

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the text of a cell and how it looks."""
        release, head = self.shown[index.row()], self._heads[index.column()]
        key = head.key
        answers: dict[int, Callable[[], Any]] = {
            _ROLE.DisplayRole: lambda: self._text(release, head),
            _ROLE.EditRole: lambda: self._text(release, head),
            _ROLE.ToolTipRole: lambda: self._tip(release, head),
            _ROLE.TextAlignmentRole: lambda: None if key in TEXTS else _RIGHT,
            _ROLE.ForegroundRole: lambda: theme.color("muted") if self._document.finished.is_stale(release) else None,
            _ROLE.DecorationRole: lambda: self._icon(release, key),
            _ROLE.FontRole: lambda: self._font(release, key),
        }
        answer = answers.get(role)
        return answer() if answer else None

    def setData(self, index: ModelIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Ask for another name."""
        name = str(value).strip()
        if role != _ROLE.EditRole or not name or name == self.shown[index.row()].name:
            return False
        self.renamed.emit(self.shown[index.row()], name)
        return True

    def _ordered(self) -> list[Release]:
        releases = list(self._document.releases)
        if 0 <= self._sort_by < len(self._heads):
            head = self._heads[self._sort_by]
            known = [release for release in releases if self._sortable(release, head) is not None]
            unknown = [release for release in releases if self._sortable(release, head) is None]
            known.sort(key=lambda release: self._sortable(release, head), reverse=self._descending)
            releases = known + unknown
        return sorted(releases, key=lambda release: not self._document.finished.is_pinned(release))

    def _sortable(self, release: Release, head: Head) -> Any:
        if head.key in TEXTS:
            return self._text(release, head).casefold()
        value = self.error_of(release) if head.key == "query-error" else value_of(release, head)
        return None if value is None or math.isnan(value) else value

    def _text(self, release: Release, head: Head) -> str:
        if head.key in TEXTS:
            return self._words(release, head.key)
        if head.key == "query-error":
            error = self.error_of(release)
            asked = release.id in self._errors
            return written(head.key, error) if error is not None else WAITING if asked else NOTHING
        return written(head.key, value_of(release, head))

    def _words(self, release: Release, key: str) -> str:
        algorithm = release.project.algorithm
        if key == NAME:
            return release.name
        if key == GOALS:
            return goals_words(release)
        if key == STATE:
            return {"stale": tr("Settings changed"), "beside": tr("Tried beside"), "set": tr("Up to date")}[
                self._state(release)
            ]
        if algorithm is None:
            return ""
        return tr(algorithm.title) if key == "algorithm" else parameters_in_words(algorithm)

    def _tip(self, release: Release, head: Head) -> str:
        if head.key == STATE:
            return {
                "stale": tr(
                    "The settings have changed since this run; its figures are still those of its own settings."
                ),
                "beside": tr("Tried from the settings as they are now, with another algorithm or value."),
                "set": tr("Made with the settings as they are now."),
            }[self._state(release)]
        if head.key == "risk" and release.measured.k:
            return tr("1 in {size} at worst", size=release.measured.fewest)
        return self._text(release, head) if head.key in TEXTS else promise_of(release, head)

    def _icon(self, release: Release, key: str) -> Any:
        if key == NAME and self._document.finished.is_pinned(release):
            return theme.icon("pin", "accent")
        if key == STATE:
            icon, tint = {"stale": ("stale", "warn"), "beside": ("info", "info"), "set": ("check", "good")}[
                self._state(release)
            ]
            return theme.icon(icon, tint)
        return None

    def _state(self, release: Release) -> str:
        """Say how a release stands to the settings: of earlier ones, tried beside them, or made by them."""
        if self._document.finished.is_stale(release):
            return "stale"
        return "set" if self._document.finished.has_settings_of(release) else "beside"

    def _font(self, release: Release, key: str) -> QFont | None:
        if key != NAME or release is not self._document.selected:
            return None
        font = QFont()
        font.setBold(True)
        return font


def goals_words(release: Release) -> str:
    """Write the goals of a release and its suppression limit in one line."""
    goals = goals_in_words(release.project.goals) or tr("none")
    limit = release.project.suppression
    return tr("{goals}; suppress up to {share}", goals=goals, share=format_percent(limit)) if limit else goals
