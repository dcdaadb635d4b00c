"""A release on its way out: checked, exported and reported on the worker thread."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QMarginsF
from PySide6.QtGui import QGuiApplication, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.releases.certificate import REPORT_PDF
from anonymizer_gui.engine.releases.export import ExportResult, export
from anonymizer_gui.engine.releases.release_candidate import read_safeguards
from anonymizer_gui.engine.releases.signing import read_signing_key
from anonymizer_gui.engine.room import Files, ReleaseCandidate, room_of
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress

_MARGIN_MM = 2
"""The text keeps 2 cm more from the edge by itself."""


def check_candidate(release: Any, files: Files, safeguards: ExportSafeguards, progress: "Progress") -> ReleaseCandidate:
    """Make what would leave and check it; the key is read now and kept nowhere."""
    read = read_safeguards(safeguards.key_file, safeguards.ledger_file)
    return room_of(release.project.room).leaving(release, files, read, progress)


def export_release(
    leaving: ReleaseCandidate, path: Path, safeguards: ExportSafeguards, project: Path | None, progress: "Progress"
) -> ExportResult:
    """Export with certificate and report, as page for the browser and as PDF; signed where a key is chosen for that.

    Keys, ledger and project file are never overwritten.
    """
    signer = read_signing_key(Path(safeguards.signing_file)) if safeguards.signing_file else None
    own = [*safeguards.files(), *([project] if project else [])]
    return export(leaving.with_reason(safeguards.reason), path, progress, {REPORT_PDF: write_pdf}, signer, own)


def write_pdf_headless(html: str, path: Path) -> None:
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
