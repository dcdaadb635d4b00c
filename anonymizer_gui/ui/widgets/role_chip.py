"""How the roles of columns look and what they are called, the same everywhere."""

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QIcon, QPainter, QPen, QPixmap

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr

ROLE_LETTERS = {Role.EI: "E", Role.QI: "Q", Role.SA: "S", Role.OTHER: "N"}
_SIDES = (16, 32, 64)


def role_name(role: Role) -> str:
    """Give the name of a role in words."""
    return {
        Role.EI: tr("Identifier"),
        Role.QI: tr("Quasi-identifier"),
        Role.SA: tr("Sensitive"),
        Role.OTHER: tr("No role"),
    }[role]


def role_help(role: Role) -> str:
    """Say what happens to a column of a role."""
    return {
        Role.EI: tr("Names a person by itself: removed, or replaced by a pseudonym"),
        Role.QI: tr("May point to a person together with others: generalised"),
        Role.SA: tr("What must not be learned about a person: published unchanged, protected where a goal looks at it"),
        Role.OTHER: tr("Published unchanged"),
    }[role]


def role_change_text(names: Sequence[str], role: Role) -> str:
    """Say which columns get which role, as a step of the history."""
    what = role_name(role)
    if len(names) == 1:
        return tr("Mark {column} as {role}", column=names[0], role=what)
    return tr("Mark {count:column|columns} as {role}", count=len(names), role=what)


def role_icon(role: Role) -> QIcon:
    """Give the letter of a role on its colour."""
    return _chip(role, theme.is_dark())


@lru_cache(maxsize=32)
def _chip(role: Role, _is_dark: bool) -> QIcon:
    """Draw the icon once for each theme; a table with many columns asks for it a thousand times."""
    shade, filled = theme.color(role.value), role is not Role.OTHER
    front = theme.color("accent_text") if filled else shade
    icon = QIcon()
    for side in _SIDES:
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(shade if filled else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(shade, side / 16))
        area = QRectF(0, 0, side, side)
        edge = side / 24
        painter.drawRoundedRect(area.adjusted(edge, edge, -edge, -edge), side / 5, side / 5)
        font = QFont()
        font.setPixelSize(round(side * 0.72))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(front)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, ROLE_LETTERS[role])
        painter.end()
        icon.addPixmap(pixmap)
    return icon
