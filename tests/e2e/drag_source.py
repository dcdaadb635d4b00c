"""A small window of another program from which a file is dragged; its path is the first argument."""

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class Source(QLabel):
    """Starts the drag as soon as the mouse moves with a button down."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Offer the file."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(sys.argv[1])])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    app = QApplication(sys.argv)
    source = Source("a file", windowTitle="drag source")
    source.setWindowFlags(Qt.WindowType.FramelessWindowHint)
    source.setGeometry(1180, 800, 100, 100)
    source.show()
    sys.exit(app.exec())
