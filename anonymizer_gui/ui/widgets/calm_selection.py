"""Selected rows in a soft tint with plain text, so that icons and tints of the cells stay readable."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView

from anonymizer_gui.ui import theme


class CalmSelection(QObject):
    """Gives a view a soft selection, in every theme; lives as long as the view."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._colour()
        view.installEventFilter(self)

    def _colour(self) -> None:
        wanted = theme.color("selected")
        # Setting a palette tells of a change again: only a new colour is set.
        if self._view.palette().color(QPalette.ColorRole.Highlight) != wanted:
            palette = QPalette()
            palette.setColor(QPalette.ColorRole.Highlight, wanted)
            palette.setColor(QPalette.ColorRole.HighlightedText, theme.color("text"))
            self._view.setPalette(palette)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take on the colours of another theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
        return False
