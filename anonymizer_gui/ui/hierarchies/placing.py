"""Gives values of the tray their places in the tree: under the selected group, beside similar ones, under “Other”."""

from functools import partial

from PySide6.QtCore import QObject

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.hierarchy.fit import suggest_places
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.hierarchies import commands as does
from anonymizer_gui.ui.hierarchies.editor import HierarchyEditor
from anonymizer_gui.ui.hierarchies.tray import HierarchyTray
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document


class HierarchyPlacing(QObject):
    """Does what the buttons of the tray say; each is one step that can be undone."""

    def __init__(self, document: Document, editor: HierarchyEditor, tray: HierarchyTray) -> None:
        super().__init__(tray)
        self._document, self._editor, self._tray = document, editor, tray
        tray.place.clicked.connect(self.under_selected)
        tray.suggest.clicked.connect(self.beside_similar)
        tray.other.clicked.connect(self.under_other)

    def under_selected(self) -> None:
        """Put the values selected in the tray into the group selected in the tree."""
        values = self._tray.selected()
        if values:
            self._editor.apply(lambda at: does.place(at, values, does.target_group(at)))

    def under_other(self) -> None:
        """Put values into a group of their own."""
        values = self._tray.selected()
        if values:
            self._editor.apply(lambda at: does.place_under_other(at, values))

    def beside_similar(self) -> None:
        """Put values where the most similar labels are; comparing many takes a while."""
        at, values = self._editor.selection(), self._tray.selected()
        if at is not None and values:
            self._document.jobs.start(
                tr("Look for similar labels"),
                _suggest,
                values,
                at.hierarchy,
                on_done=partial(self._on_suggested, at.hierarchy),
                replace_key="suggest places",
            )

    def _on_suggested(self, tree: Hierarchy, places: dict[str, int]) -> None:
        at = self._editor.selection()
        if at is not None and at.hierarchy is tree:
            self._editor.apply(lambda now: does.place_as_suggested(now, places))


def _suggest(values: tuple[str, ...], tree: Hierarchy, progress: Progress) -> dict[str, int]:
    progress(0.0)
    return suggest_places(values, tree)
