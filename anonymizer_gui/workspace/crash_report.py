"""Tells where the program failed without telling what was in the table."""

import platform
import sys

from PySide6.QtCore import qVersion

from anonymizer_gui import __version__
from anonymizer_gui.engine.core.errors import fault_location


def crash_report(error: BaseException) -> str:
    """Give versions, the type of the error and the places in the code, never a cell of the table."""
    versions = f"Anonymizer {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {sys.platform}"
    return f"{versions}\n{fault_location(error)}"
