"""`demo` command: tour on screen, as pictures, as animation."""

import argparse
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QDeadlineTimer, QEventLoop, QIODevice, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from anonymizer_gui.ui import app as starting
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import LANGUAGES, tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.tour.panel import Spotlight, target_widget

if TYPE_CHECKING:
    from PIL.Image import Image


SUFFIXES = {".gif": "GIF", ".png": "PNG", ".webp": "WEBP"}

_LARGE = 1.6

_LINES = 3

_READING_MS = 45
"""So long takes a letter of the caption to be read."""

_LOOKING_MS = 2000


def window_picture(window: QWidget) -> QPixmap:
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


class StillWriter:
    """Numbered pictures in a folder, and a page that shows them."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._count = 0
        self._index = [f"# {tr('A tour of Anonymizer')}", ""]

    def take(self, window: MainWindow, step: TourStep, sentence: str) -> None:
        """Write the picture of a stop."""
        self._count += 1
        name = f"{self._count:02d}_{step.name}.png"
        if not window_picture(window).save(str(self._folder / name)):
            raise OSError(f"{name} cannot be written")
        title = f"## {self._count}. {step.title}"
        self._index += [title, "", sentence, "", f"![{step.title}]({name})", ""]

    def finish(self) -> str:
        """Write the page; say what was made."""
        (self._folder / "index.md").write_text("\n".join(self._index), encoding="utf-8")
        return f"{self._count} pictures and index.md are in {self._folder}\n"


class AnimationWriter:
    """One animated picture, with a frame around what is spoken of and a caption under it."""

    def __init__(self, path: Path, window: MainWindow) -> None:
        self._path = path
        self._frame = Spotlight(window)
        self._pictures: list[QPixmap] = []
        self._lasting: list[int] = []

    def take(self, window: MainWindow, step: TourStep, sentence: str) -> None:
        """Take the picture of a stop; it is to be seen as long as its caption takes to read."""
        self._frame.point_at(target_widget(window, step))
        self._pictures.append(captioned(window_picture(window), step.title, sentence, window))
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


DEFAULT_SIZE = "1280x800"

_LEAST_MS, _MOST_MS, _PAUSE_MS = 60, 400, 10


def main(arguments: list[str]) -> int:
    """Show the tour, or write its pictures; return the exit code."""
    chosen = _parser().parse_args(arguments)
    is_written = chosen.screenshots is not None or chosen.animation is not None
    if is_written:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication([sys.argv[0]])
    starting.name_application(application)
    with tempfile.TemporaryDirectory(prefix="anonymizer-demo-") as folder:
        # The tour touches neither the visitor's settings nor the recent files.
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        if is_written:
            return _write(application, chosen, Path(folder))
        return _show_tour(application, chosen, Path(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anonymizer-gui demo", description="A guided tour on the sample, or pictures of every page."
    )
    parser.add_argument(
        "--screenshots", metavar="DIR", nargs="?", const="screenshots", type=Path,
        help="write numbered PNGs and an index instead of opening a window",
    )  # fmt: skip
    parser.add_argument(
        "--animation", metavar="FILE", type=_animation,
        help="write one moving picture for slides: FILE ends in .gif, .png or .webp",
    )  # fmt: skip
    parser.add_argument("--size", default=DEFAULT_SIZE, type=_size, help=f"of the window, such as {DEFAULT_SIZE}")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="en")
    return parser


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    try:
        size = int(width), int(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be like {DEFAULT_SIZE}") from None
    if not (320 <= size[0] <= 7680 and 240 <= size[1] <= 4320):
        raise argparse.ArgumentTypeError("must be between 320x240 and 7680x4320")
    return size


def _animation(text: str) -> Path:

    if Path(text).suffix.lower() not in SUFFIXES:
        raise argparse.ArgumentTypeError("must end in .gif, .png or .webp")
    return Path(text)


def _session(application: QApplication, chosen: argparse.Namespace, folder: Path, inline: bool) -> starting.Session:
    from anonymizer_gui.workspace.document import Document
    from anonymizer_gui.workspace.settings import Settings

    settings = Settings(folder / "settings.json")
    settings.change(theme=chosen.theme, language=chosen.language, remember_recent=False)
    session = starting.Session(application, settings, Document(inline_jobs=inline))
    session.window.load_pages()
    session.window.resize(*chosen.size)
    return session


def _show_tour(application: QApplication, chosen: argparse.Namespace, folder: Path) -> int:
    from anonymizer_gui.ui.tour.panel import TourPanel

    session = _session(application, chosen, folder, inline=False)
    sys.excepthook = session.on_error
    TourPanel(session.window).begin()
    session.window.show()
    return application.exec()


def _write(application: QApplication, chosen: argparse.Namespace, folder: Path) -> int:
    """Walk through the tour once; write still pictures, a moving one, or both."""

    session = _session(application, chosen, folder, inline=True)
    session.window.show()
    target = chosen.screenshots if chosen.screenshots is not None else chosen.animation
    try:
        makers: list[StillWriter | AnimationWriter] = (
            [StillWriter(chosen.screenshots)] if chosen.screenshots is not None else []
        )
        makers += [AnimationWriter(chosen.animation, session.window)] if chosen.animation is not None else []
        for step, sentence in _stops(session):
            for maker in makers:
                maker.take(session.window, step, sentence)
        told = [maker.finish() for maker in makers]
    except OSError as error:
        sys.stderr.write(f"The pictures cannot be written to “{target}”: {error.strerror or error}.\n")
        return 2
    finally:
        session.document.close()
        session.window.retire()
    sys.stdout.write("".join(told))
    return 0


def _stops(session: starting.Session) -> "Iterator[tuple[TourStep, str]]":
    """Go from stop to stop; give each when all has come to rest, with what it says."""
    from anonymizer_gui.ui.tour.panel import all_tour_steps

    for step in all_tour_steps():
        step.act(session.window)
        settle(session.window)
        try:
            yield step, step.told(session.window)
        finally:
            step.left(session.window)


def settle(window: QWidget) -> None:
    """Let layouts and drawings come to rest: what is yet to be drawn waits by a timer of the window, for moments."""
    least, most = QDeadlineTimer(_LEAST_MS), QDeadlineTimer(_MOST_MS)
    while not most.hasExpired() and not (least.hasExpired() and _is_at_rest(window)):
        pause = QEventLoop()
        QTimer.singleShot(_PAUSE_MS, pause.quit)
        pause.exec()


def _is_at_rest(window: QWidget) -> bool:
    return not any(timer.isSingleShot() and timer.isActive() for timer in window.findChildren(QTimer))
