"""`anonymizer-gui demo`: the tour in the window, or the same walk as pictures, still or moving, without a display."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from anonymizer_gui.ui import app as starting
from anonymizer_gui.ui.i18n import LANGUAGES

if TYPE_CHECKING:
    from anonymizer_gui.ui.tour.step import Step

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
    from anonymizer_gui.ui.tour.pictures import SUFFIXES

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
    from anonymizer_gui.ui.tour.pictures import Moving, Stills

    session = _session(application, chosen, folder, inline=True)
    session.window.show()
    target = chosen.screenshots if chosen.screenshots is not None else chosen.animation
    try:
        makers: list[Stills | Moving] = [Stills(chosen.screenshots)] if chosen.screenshots is not None else []
        makers += [Moving(chosen.animation, session.window)] if chosen.animation is not None else []
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


def _stops(session: starting.Session) -> "Iterator[tuple[Step, str]]":
    """Go from stop to stop; give each when all has come to rest, with what it says."""
    from anonymizer_gui.ui.tour.steps import steps

    for step in steps():
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
