"""`anonymizer-gui demo`: the tour in the window, or the same walk as numbered pictures without a display."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

from anonymizer_gui.ui import app as starting
from anonymizer_gui.ui.i18n import LANGUAGES, tr

DEFAULT_SIZE = "1280x800"


def main(arguments: list[str]) -> int:
    """Show the tour, or write its pictures; return the exit code."""
    chosen = _parser().parse_args(arguments)
    if chosen.screenshots is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication([sys.argv[0]])
    starting.name_application(application)
    with tempfile.TemporaryDirectory(prefix="anonymizer-demo-") as folder:
        # The tour touches neither the visitor's settings nor the recent files.
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        if chosen.screenshots is not None:
            return _write_pictures(application, chosen, Path(folder))
        return _show_tour(application, chosen, Path(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="anonymizer-gui demo", description="A guided tour on the sample, or pictures of every page."
    )
    parser.add_argument(
        "--screenshots", metavar="DIR", nargs="?", const="screenshots", type=Path,
        help="write numbered PNGs and an index instead of opening a window",
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


def _write_pictures(application: QApplication, chosen: argparse.Namespace, folder: Path) -> int:
    from anonymizer_gui.ui.tour.steps import steps

    session = _session(application, chosen, folder, inline=True)
    session.window.show()
    index = [f"# {tr('A tour of Anonymizer')}", ""]
    try:
        chosen.screenshots.mkdir(parents=True, exist_ok=True)
        for number, step in enumerate(steps(), start=1):
            step.act(session.window)
            settle(application)
            name = f"{number:02d}_{step.name}.png"
            if not session.window.grab().save(str(chosen.screenshots / name)):
                raise OSError(f"{name} cannot be written")
            index += [f"## {number}. {step.title}", "", step.sentence, "", f"![{step.title}]({name})", ""]
        (chosen.screenshots / "index.md").write_text("\n".join(index), encoding="utf-8")
    except OSError as error:
        sys.stderr.write(f"The pictures cannot be written to “{chosen.screenshots}”: {error.strerror or error}.\n")
        return 2
    finally:
        session.document.close()
        session.window.retire()
    sys.stdout.write(f"{len(steps())} pictures and index.md are in {chosen.screenshots}\n")
    return 0


def settle(application: QApplication) -> None:
    """Let layouts, timers and drawings come to rest."""
    rest = QDeadlineTimer(400)
    while not rest.hasExpired():
        application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
