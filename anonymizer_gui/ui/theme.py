"""Our own light and dark palette, named colours, and icons in the colour of the text."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QStyleFactory

from anonymizer_gui.assets import resource_path

if TYPE_CHECKING:
    from PySide6.QtSvg import QSvgRenderer

# name: (light, dark); text on these stands at 4.5:1 or better.
COLORS = {
    "window": ("#f4f5f7", "#1e2125"),
    "base": ("#ffffff", "#2a2e35"),
    "alternate": ("#f2f4f7", "#2f343c"),
    "button": ("#e9ebef", "#3a4049"),
    "text": ("#1c1f24", "#e6e8eb"),
    "muted": ("#5a6270", "#a3abb8"),
    "line": ("#c6ccd5", "#444b55"),
    "accent": ("#1d5fbf", "#7db2f5"),
    "accent_text": ("#ffffff", "#10151b"),
    "link": ("#1a56b0", "#86b7f7"),
    "rail": ("#e8ebf0", "#191b1f"),
    "EI": ("#b3261e", "#f2a19b"),
    "QI": ("#8a5300", "#f0bd6a"),
    "SA": ("#6a3fb5", "#c3a8f5"),
    "other": ("#47606f", "#a9bcc8"),
    "good": ("#146c37", "#74d199"),
    "warn": ("#8a5300", "#f0bd6a"),
    "bad": ("#b3261e", "#f2a19b"),
    "info": ("#1a56b0", "#86b7f7"),
    "good_soft": ("#e0f2e6", "#1c3325"),
    "warn_soft": ("#fcf0d9", "#382c16"),
    "bad_soft": ("#fbe6e4", "#3d2220"),
    "info_soft": ("#e3edfb", "#1d2b3f"),
    "EI_soft": ("#fbe6e4", "#3d2220"),
    "QI_soft": ("#fcf0d9", "#382c16"),
    "SA_soft": ("#eee7fb", "#2e2541"),
    "other_soft": ("#e8eef1", "#242c31"),
    "selected": ("#cfe0f7", "#274468"),
    "changed": ("#fff3c9", "#3b3413"),
    "suppressed": ("#eceef1", "#2a2d32"),
    "series_1": ("#1d5fbf", "#7db2f5"),
    "series_2": ("#b45309", "#f2b168"),
    "series_3": ("#14795b", "#6fd0ad"),
    "series_4": ("#7b3fb5", "#c3a0f2"),
    "series_5": ("#a8274f", "#f195b2"),
    "series_6": ("#4d5b6b", "#aab6c4"),
    "grid": ("#dfe3e9", "#33383f"),
}
SERIES = tuple(name for name in COLORS if name.startswith("series_"))
_FRAMED = ("QCheckBox", "QRadioButton", "QLineEdit", "QAbstractSpinBox", "QComboBox", "QPlainTextEdit", "QTextEdit")
_PICKED = ("QAbstractItemView", "QMenu", "QMenuBar")
_ICON_NAME = "theme_icon"
_ICON_SIZES = (20, 48)
"""Drawn once each; Qt scales them down to what is asked for."""


def is_dark() -> bool:
    """Tell whether the window is dark now."""
    return QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128


def color(name: str) -> QColor:
    """Give a named colour in the present theme."""
    return QColor(COLORS[name][is_dark()])


def palette(dark: bool) -> QPalette:
    """Make the whole palette of a theme."""
    shade = {name: QColor(pair[dark]) for name, pair in COLORS.items()}
    result = QPalette(shade["button"], shade["window"])
    roles = {
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.Base: "base",
        QPalette.ColorRole.AlternateBase: "alternate",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "accent_text",
        QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.ToolTipBase: "base",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.Link: "link",
        QPalette.ColorRole.LinkVisited: "link",
        QPalette.ColorRole.Mid: "line",
    }
    for role, name in roles.items():
        result.setColor(role, shade[name])
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, shade["muted"])
    return result


def _framed(dark: bool) -> QPalette:
    """Make the palette of boxes and fields: their frame is drawn darker than the window, unseen on a dark one."""
    result = palette(dark)
    if dark:
        result.setColor(QPalette.ColorRole.Window, QColor(COLORS["muted"][dark]))
    return result


def _picked(dark: bool) -> QPalette:
    """Make the palette of lists and menus: a soft tint under what is chosen, on which icons and tints stay readable."""
    result = palette(dark)
    result.setColor(QPalette.ColorRole.Highlight, QColor(COLORS["selected"][dark]))
    result.setColor(QPalette.ColorRole.HighlightedText, QColor(COLORS["text"][dark]))
    return result


def apply(app: QApplication, mode: str) -> None:
    """Give all windows the theme: system, light or dark."""
    hints = app.styleHints()
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    if app.style().name().lower() != "fusion":
        app.setStyle(QStyleFactory.create("Fusion"))
    hints.setColorScheme(schemes.get(mode, Qt.ColorScheme.Unknown))
    dark = mode == "dark" or (mode == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    app.setPalette(palette(dark))
    for kinds, colors in ((_FRAMED, _framed(dark)), (_PICKED, _picked(dark))):
        for kind in kinds:
            app.setPalette(colors, kind)  # type: ignore[arg-type]  # Qt takes text, though its stub says bytes
    for widget in app.allWidgets():
        if isinstance(widget, QAbstractButton) and (name := widget.property(_ICON_NAME)):
            widget.setIcon(icon(name))


def icon(name: str, tint: str = "text") -> QIcon:
    """Give an icon of ours, drawn in a named colour of the present theme."""
    return _icon(name, color(tint).name(), color("muted").name())


def set_icon(button: QAbstractButton, name: str) -> None:
    """Give a button an icon of ours that is drawn anew in every theme."""
    button.setProperty(_ICON_NAME, name)
    button.setIcon(icon(name))


def strip_button_icons(box: QDialogButtonBox) -> None:
    """Take the desktop's icons off the buttons of a dialog; they belong to another family than ours."""
    for button in box.buttons():
        button.setIcon(QIcon())


def icon_pixmap(name: str, side: int, tint: str = "text") -> QPixmap:
    """Give an icon of ours at one size, for places where it stands alone."""
    return _pixmap(_drawing(name, color(tint).name()), side)


@lru_cache(maxsize=512)
def _icon(name: str, shade: str, disabled: str) -> QIcon:
    result = QIcon()
    drawing = _drawing(name, shade)
    for size in _ICON_SIZES:
        result.addPixmap(_pixmap(drawing, size), QIcon.Mode.Normal)
    result.addPixmap(_pixmap(_drawing(name, disabled), _ICON_SIZES[-1]), QIcon.Mode.Disabled)
    return result


def _drawing(name: str, shade: str) -> "QSvgRenderer":
    from PySide6.QtSvg import QSvgRenderer

    return QSvgRenderer(QByteArray(_svg(name).replace("currentColor", shade).encode()))


@cache
def _svg(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")


def _pixmap(drawing: "QSvgRenderer", size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    drawing.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
