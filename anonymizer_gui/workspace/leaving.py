"""A release on its way out: checked, exported and reported on the worker thread."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QMarginsF
from PySide6.QtGui import QGuiApplication, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from anonymizer_gui.engine.errors import UnwritableFile
from anonymizer_gui.engine.releases.certificate import REPORT_PDF
from anonymizer_gui.engine.releases.export import Exported, Prepared, Safeguards, export, prepare
from anonymizer_gui.engine.releases.ledger import Ledger
from anonymizer_gui.engine.rooms.microdata.pseudonyms import read_key

if TYPE_CHECKING:
    from anonymizer_gui.engine.progress import Progress
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release import Release
    from anonymizer_gui.engine.shapes.tables.table import Table

_MARGIN_MM = 2
"""The text keeps 2 cm more from the edge by itself."""


def as_it_leaves(release: "Release", project: "Project") -> "Release":
    """Give the release with the way it is published as it is decided now, which does not touch what was measured."""
    decided = replace(release.project, publishing=project.publishing, acknowledged=project.acknowledged)
    return replace(release, project=decided)


def check_release(
    release: "Release",
    original: "Table",
    population: "Table | None",
    key_file: str,
    ledger_file: str,
    progress: "Progress",
) -> Prepared:
    """Make the table that would leave and check it; the key is read now and kept nowhere."""
    key = read_key(Path(key_file)) if key_file else b""
    ledger = Ledger(Path(ledger_file)) if ledger_file else None
    return prepare(release, original, Safeguards(key, ledger, population), progress)


def export_release(prepared: Prepared, path: Path, reason: str, progress: "Progress") -> Exported:
    """Export with certificate and report, as page for the browser and as PDF."""
    allowed = replace(prepared, safeguards=replace(prepared.safeguards, reason=reason))
    return export(allowed, path, progress, {REPORT_PDF: write_pdf})


def write_pdf_without_window(html: str, path: Path) -> None:
    """Print a report where no window is open, and needs none; raises UnwritableFile."""
    if sys.platform.startswith("linux"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a display may be named and not answer
    application = QGuiApplication.instance() or QGuiApplication([])
    write_pdf(html, path)
    del application


def write_pdf(html: str, path: Path) -> None:
    """Print a report to A4 pages in a file that is there already; raises UnwritableFile."""
    loop = QEventLoop()  # gives a worker thread the timers that laying out asks for
    writer = QPdfWriter(str(path))
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM),
            QPageLayout.Unit.Millimeter,
        )
    )
    document = QTextDocument()
    document.setHtml(html)
    document.print_(writer)
    del document, loop
    del writer  # it writes the end of the file when it goes
    # The printer does not tell that the disk is full.
    if not path.read_bytes().rstrip().endswith(b"%%EOF"):
        raise UnwritableFile("The report could not be printed in full.", "Free some space or choose another disk.")
