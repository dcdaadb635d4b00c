"""Tells where the program failed without telling what was in the table."""

import platform
import sys
import traceback

from PySide6.QtCore import qVersion

from anonymizer_gui import __version__


def crash_report(error: BaseException) -> str:
    """Give versions, the type of the error and the places in the code.

    The text of the error and the values of variables are left out: they may hold cells of the table.
    """
    chain = [f"{type(error).__name__} at:"]
    chain += [f"  {_place(frame)}" for frame in traceback.extract_tb(error.__traceback__)]
    cause = error.__cause__ or error.__context__
    return "\n".join([_versions(), *chain]) + (f"\ncaused by {type(cause).__name__}" if cause else "")


def _versions() -> str:
    return f"Anonymizer {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {sys.platform}"


def _place(frame: traceback.FrameSummary) -> str:
    path = frame.filename.replace("\\", "/")
    _, inside, tail = path.rpartition("/anonymizer_gui/")
    shown = f"anonymizer_gui/{tail}" if inside else path.rpartition("/")[2]
    return f"{shown}:{frame.lineno} {frame.name}"
