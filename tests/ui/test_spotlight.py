"""The frame of the tour lies around what can be seen."""

from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.tour.spotlight import Spotlight


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
