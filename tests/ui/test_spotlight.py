"""The frame of the tour lies around what can be seen."""

from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.tour.panel import Spotlight


def test_what_an_area_cuts_off_is_not_framed(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    area, tall = QScrollArea(), QLabel("tall")
    tall.setMinimumSize(100, 900)
    area.setWidget(tall)
    area.setWidgetResizable(True)
    layout = QVBoxLayout(window)
    layout.addWidget(area)
    layout.addWidget(QLabel("below"))
    window.resize(300, 200)
    window.show()
    frame = Spotlight(window)
    frame.point_at(tall)
    assert frame.seen().height() == area.viewport().height()
    assert frame.seen().bottom() <= area.geometry().bottom()
    frame.point_at(None)
    assert frame.seen().isEmpty()


def test_the_frame_is_drawn_anew_when_the_page_moves_what_it_lies_around(qtbot: QtBot) -> None:
    window, note, spoken = QWidget(), QLabel("a note that comes later"), QLabel("spoken of")
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addWidget(note)
    layout.addWidget(spoken, 1)
    note.hide()
    window.resize(300, 200)
    window.show()
    frame = Spotlight(window)
    frame.point_at(spoken)
    qtbot.waitExposed(window)
    QApplication.processEvents()
    painted: list[QRegion] = []
    frame.paintEvent = lambda event: painted.append(event.region())  # type: ignore[method-assign]
    note.show()
    qtbot.waitUntil(lambda: any(region.boundingRect() == frame.rect() for region in painted))
