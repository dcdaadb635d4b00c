"""The menu of recent files: missing ones greyed, the whole path as tooltip, and Clear."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.plain_text import plain
from anonymizer_gui.workspace.settings import Settings


class RecentMenu(QMenu):
    """Filled anew each time it opens."""

    def __init__(self, settings: Settings, open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(tr("Open Recent"), parent, toolTipsVisible=True)
        self.setObjectName("recent_menu")
        self._settings = settings
        self._open_path = open_path
        self.aboutToShow.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """List the recent files as they are now."""
        self.clear()
        for name in self._settings.preferences.recent:
            path = Path(name)
            entry = self.addAction(path.name)
            entry.setToolTip(plain(name))
            entry.setEnabled(path.exists())
            entry.triggered.connect(lambda _checked=False, path=path: self._open_path(path))
        if self.isEmpty():
            self.addAction(tr("Nothing yet")).setEnabled(False)
            return
        self.addSeparator()
        self.addAction(tr("Clear")).triggered.connect(lambda: self._settings.forget_recent())
