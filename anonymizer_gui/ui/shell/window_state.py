"""Where the window and its parts were, from one start to the next."""

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

_VERSION = 1


class WindowState:
    """Keeps geometry, panels and splitters; this is what QSettings is for."""

    def __init__(self) -> None:
        self._settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Anonymizer", "window")

    def restore(self, window: QMainWindow) -> bool:
        """Put the window back; say whether there was anything to go by."""
        geometry, state = self._bytes("geometry"), self._bytes("state")
        if geometry.isEmpty() or not window.restoreGeometry(geometry):
            return False
        window.restoreState(state, _VERSION)
        return True

    def restore_splitters(self, page: QWidget) -> None:
        """Put the splitters of a page back."""
        for splitter in page.findChildren(QSplitter):
            state = self._bytes(f"splitters/{splitter.objectName()}")
            if splitter.objectName() and not state.isEmpty():
                splitter.restoreState(state)

    def save(self, window: QMainWindow) -> None:
        """Remember how everything stands."""
        self._settings.setValue("geometry", window.saveGeometry())
        self._settings.setValue("state", window.saveState(_VERSION))
        for splitter in window.findChildren(QSplitter):
            if splitter.objectName():
                self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
        self._settings.sync()

    def forget(self) -> None:
        """Go back to how everything was at first."""
        self._settings.clear()

    def _bytes(self, name: str) -> QByteArray:
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()
