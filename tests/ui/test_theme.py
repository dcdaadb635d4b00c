"""Colours that can be read, icons that follow them."""

from collections.abc import Iterator
from itertools import product

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS, role_icon

GROUNDS = ("window", "base", "alternate")
INKS = ("text", "muted", "link", "EI", "QI", "SA", "other", "good", "warn", "bad", "info", "accent")
PAIRS = [
    *product(INKS, GROUNDS),
    *(("text", name) for name in theme.COLORS if name.endswith("_soft")),
    *(("text", name) for name in ("selected", "changed", "suppressed", "button", "rail")),
    *((name, f"{name}_soft") for name in ("good", "warn", "bad", "info")),
    ("muted", "rail"),
    ("accent_text", "accent"),
    *(("accent_text", role) for role in ("EI", "QI", "SA")),
]


@pytest.fixture
def themed(qtbot: QtBot, qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    theme.apply(qapp, "light")


def luminance(shade: QColor) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shade.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(themed: QApplication, mode: str) -> None:
    theme.apply(themed, mode)
    pale = {
        (ink, ground): round(contrast(theme.color(ink), theme.color(ground)), 2)
        for ink, ground in PAIRS
        if contrast(theme.color(ink), theme.color(ground)) < 4.5
    }
    assert pale == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_palette_can_be_read(themed: QApplication, mode: str) -> None:
    theme.apply(themed, mode)
    palette = themed.palette()
    roles = QPalette.ColorRole
    for ink, ground in [
        (roles.WindowText, roles.Window),
        (roles.Text, roles.Base),
        (roles.ButtonText, roles.Button),
        (roles.HighlightedText, roles.Highlight),
        (roles.ToolTipText, roles.ToolTipBase),
        (roles.PlaceholderText, roles.Base),
    ]:
        assert contrast(palette.color(ink), palette.color(ground)) >= 4.5, (ink, ground)


def test_a_box_to_tick_is_seen_on_a_dark_ground(themed: QApplication, qtbot: QtBot) -> None:
    theme.apply(themed, "dark")
    box = QCheckBox()
    qtbot.addWidget(box)
    picture = box.grab().toImage()
    shades = [picture.pixelColor(x, picture.height() // 2) for x in range(picture.width())]
    assert max(contrast(shade, theme.color("window")) for shade in shades) >= 3


@pytest.mark.parametrize("kind", [QLineEdit, QComboBox, QSpinBox, QPlainTextEdit])
def test_the_frame_of_a_field_is_seen_on_a_dark_ground(themed: QApplication, qtbot: QtBot, kind: type[QWidget]) -> None:
    theme.apply(themed, "dark")
    field = kind()
    qtbot.addWidget(field)
    picture = field.grab().toImage()
    edge = [picture.pixelColor(x, picture.height() // 2) for x in range(4)]
    assert max(contrast(shade, theme.color("window")) for shade in edge) >= 3


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("kind", [QMenu, QListView, QTreeView, QTableView])
def test_icons_stay_readable_on_what_is_chosen(
    themed: QApplication, qtbot: QtBot, mode: str, kind: type[QWidget]
) -> None:
    theme.apply(themed, mode)
    view = kind()
    qtbot.addWidget(view)
    view.ensurePolished()
    ground = view.palette().color(QPalette.ColorRole.Highlight)
    for tint in ("text", "good", "warn", "accent", *(role.value for role in Role)):
        assert contrast(theme.color(tint), ground) >= 3, tint
    assert contrast(view.palette().color(QPalette.ColorRole.HighlightedText), ground) >= 4.5


def hues_of(icon: str) -> set[int]:
    """Tell in which tens of degrees of the colour wheel an icon is drawn when it is asked for in red."""
    image = theme.icon_pixmap(icon, 48, "bad").toImage()
    points = [image.pixelColor(x, y) for x in range(48) for y in range(48)]
    return {point.hue() // 10 for point in points if point.alpha() > 200}


def test_every_icon_is_drawn_in_the_colour_asked_for(themed: QApplication) -> None:
    hues = {path.stem: hues_of(path.stem) for path in sorted(resource_path("icons").glob("*.svg"))}
    assert hues.pop("app")  # the sign of the program keeps its own colours
    wanted = {theme.color("bad").hue() // 10}
    assert len(hues) > 20
    assert {name: drawn for name, drawn in hues.items() if drawn != wanted} == {}


def test_icons_change_with_the_theme(themed: QApplication) -> None:
    theme.apply(themed, "light")
    light = theme.icon("open").pixmap(32).toImage()
    theme.apply(themed, "dark")
    assert theme.icon("open").pixmap(32).toImage() != light


def test_every_role_has_a_letter_and_a_look_of_its_own(themed: QApplication) -> None:
    looks = [role_icon(role).pixmap(32).toImage() for role in Role]
    assert len(set(ROLE_LETTERS.values())) == len(Role)
    assert all(one != other for place, one in enumerate(looks) for other in looks[:place])
