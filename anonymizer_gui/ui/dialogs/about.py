"""About, versions, log."""

import platform
from importlib import metadata

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui import __version__
from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.workspace.messages import LogBuffer

# Name, package, licence.
_LIBRARIES = (
    ("PySide6", "PySide6-Essentials", "LGPL-3.0"),
    ("NumPy", "numpy", "BSD-3-Clause"),
    ("pandas", "pandas", "BSD-3-Clause"),
    ("Matplotlib", "matplotlib", "Matplotlib (BSD)"),
    ("pyarrow", "pyarrow", "Apache-2.0"),
    ("openpyxl", "openpyxl", "MIT"),
    ("SQLAlchemy", "SQLAlchemy", "MIT"),
    ("pyreadstat", "pyreadstat", "Apache-2.0"),
    ("opendp", "opendp", "MIT"),
    ("cryptography", "cryptography", "Apache-2.0 or BSD-3-Clause"),
    ("scikit-learn", "scikit-learn", "BSD-3-Clause"),
)


def versions() -> str:
    """List the versions of everything that matters, one per line."""
    lines = [
        f"Anonymizer {__version__} (Apache-2.0)",
        f"Python {platform.python_version()} (PSF-2.0)",
        f"Qt {qVersion()} (LGPL-3.0)",
    ]
    for name, package, licence in _LIBRARIES:
        try:
            lines.append(f"{name} {metadata.version(package)} ({licence})")
        except metadata.PackageNotFoundError:
            continue
    return "\n".join([*lines, f"{platform.system()} {platform.release()}, {platform.machine()}"])


class AboutDialog(QDialog):
    """Name, purpose, versions and licences, with Copy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle(tr("About Anonymizer"))
        self.text = QLabel(versions(), textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy_button = name_widget(QPushButton(tr("Copy")), "about_copy")
        self._build()
        self.copy_button.clicked.connect(self._on_copy)

    def _build(self) -> None:
        side = self.fontMetrics().height() * 4
        picture = QLabel()
        picture.setPixmap(QIcon(str(resource_path("icons", "app.svg"))).pixmap(side, side))
        purpose = QLabel(tr("Turn data about people into a release you can defend."), wordWrap=True)
        promise = QLabel(tr("This program never uses the network, and it sends nothing to anybody."), wordWrap=True)
        words = QVBoxLayout()
        for widget in (purpose, promise, self.text):
            words.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(picture, alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        theme.strip_button_icons(buttons)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(buttons)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.text())


class LogDialog(QDialog):
    """Shows what the program wrote down; new lines appear as they come."""

    def __init__(self, book: LogBuffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("log")
        self.setWindowTitle(tr("Log"))
        self.lines = name_widget(QPlainTextEdit("\n".join(book.lines), readOnly=True), spoken=tr("Log"))
        self.copy_button = QPushButton(tr("Copy"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        theme.strip_button_icons(buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr("The log never holds cells of your tables.")))
        layout.addWidget(self.lines)
        layout.addWidget(buttons)
        resize_in_text_lines(self, 45, 25)
        self.copy_button.clicked.connect(self._on_copy)
        book.written.connect(self.lines.appendPlainText)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.lines.toPlainText())
