"""Pictures of the window as a visitor sees it: with the dialogs over it, a caption under it, or moving."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QRect, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QDialog, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.spotlight import Spotlight, spoken_of
from anonymizer_gui.ui.tour.step import Step

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = {".gif": "GIF", ".png": "PNG", ".webp": "WEBP"}
_LARGE = 1.6
_LINES = 3
_READING_MS = 45
"""So long takes a letter of the caption to be read."""
_LOOKING_MS = 2000


def picture(window: QWidget) -> QPixmap:
    """Take a picture of a window and of the dialogs that are open over it."""
    taken = window.grab()
    painter = QPainter(taken)
    painter.setPen(QPen(theme.color("accent"), 2))
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            over = dialog.grab()
            place = QRect(0, 0, dialog.width(), dialog.height())
            place.moveCenter(window.rect().center())
            painter.drawPixmap(place.topLeft(), over)
            painter.drawRect(place)
    painter.end()
    return taken


def captioned(taken: QPixmap, title: str, sentence: str, font_of: QWidget) -> QPixmap:
    """Put title and sentence under a picture, in letters for the back of a room."""
    font = font_of.font()
    font.setPointSizeF(font.pointSizeF() * _LARGE)
    line = round(font_of.fontMetrics().lineSpacing() * _LARGE)
    whole = QPixmap(taken.width(), taken.height() + (_LINES + 1) * line)
    whole.fill(font_of.palette().window().color())
    painter = QPainter(whole)
    painter.drawPixmap(0, 0, taken)
    painter.setFont(font)
    painter.setPen(font_of.palette().windowText().color())
    place = QRect(line, taken.height() + line // 2, taken.width() - 2 * line, _LINES * line)
    painter.drawText(place, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter, f"{title}: {sentence}")
    painter.end()
    return whole


class Stills:
    """Numbered pictures in a folder, and a page that shows them."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._count = 0
        self._index = [f"# {tr('A tour of Anonymizer')}", ""]

    def take(self, window: MainWindow, step: Step, sentence: str) -> None:
        """Write the picture of a stop."""
        self._count += 1
        name = f"{self._count:02d}_{step.name}.png"
        if not picture(window).save(str(self._folder / name)):
            raise OSError(f"{name} cannot be written")
        title = f"## {self._count}. {step.title}"
        self._index += [title, "", sentence, "", f"![{step.title}]({name})", ""]

    def finish(self) -> str:
        """Write the page; say what was made."""
        (self._folder / "index.md").write_text("\n".join(self._index), encoding="utf-8")
        return f"{self._count} pictures and index.md are in {self._folder}\n"


class Moving:
    """One animated picture, with a frame around what is spoken of and a caption under it."""

    def __init__(self, path: Path, window: MainWindow) -> None:
        self._path = path
        self._frame = Spotlight(window)
        self._pictures: list[QPixmap] = []
        self._lasting: list[int] = []

    def take(self, window: MainWindow, step: Step, sentence: str) -> None:
        """Take the picture of a stop; it is to be seen as long as its caption takes to read."""
        self._frame.point_at(spoken_of(window, step))
        self._pictures.append(captioned(picture(window), step.title, sentence, window))
        self._frame.point_at(None)
        self._lasting.append(_LOOKING_MS + _READING_MS * len(sentence))

    def finish(self) -> str:
        """Write the animated picture, which begins anew when it is over; say what was made."""
        first, *others = map(_image, self._pictures)
        kind = SUFFIXES[self._path.suffix.lower()]
        first.save(self._path, kind, save_all=True, append_images=others, duration=self._lasting, loop=0)
        return f"{len(self._pictures)} pictures move in {self._path}, for {sum(self._lasting) // 1000} seconds\n"


def _image(frame: QPixmap) -> "Image":
    """Give a picture to Pillow, which came along with matplotlib."""
    from PIL import Image

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    frame.save(buffer, "PNG")
    return Image.open(io.BytesIO(buffer.data().data())).convert("RGB")
