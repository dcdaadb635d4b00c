"""The printed report says what the page says."""

import re
import shutil
import subprocess
import threading
import unicodedata
from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.errors import UnwritableFile
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.releases.certificate import REPORT_PDF
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.workspace.engine_tasks import ExportSafeguards
from anonymizer_gui.workspace.export_jobs import export_release, write_pdf
from tests.engine.rooms.microdata.making import hospital_release


def squeezed(text: str) -> str:
    """Take out what a page may set differently: spaces, ligatures, the blocks of bars, and its number at its end."""
    text = re.sub(r"\n\d+\s*\f", "\n", text)
    return "".join(unicodedata.normalize("NFKC", text).replace("█", "").split())


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="reading a PDF needs pdftotext (poppler-utils)")
def test_the_printed_report_holds_every_line_of_the_page(qtbot: QtBot, tmp_path: Path) -> None:
    release, original = hospital_release()
    done = export_release(
        prepare_candidate(release, original, Safeguards()), tmp_path / "out.csv", ExportSafeguards(), None, SILENT
    )
    pdf = done.path.with_name(done.path.name + REPORT_PDF)
    printed = subprocess.run(["pdftotext", "-raw", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    page = QTextDocument()
    page.setHtml(done.report.read_text(encoding="utf-8"))
    lines = [squeezed(line) for line in page.toPlainText().splitlines()]
    assert len(lines) > 60
    assert [line for line in lines if line not in squeezed(printed)] == []


def test_a_report_is_printed_on_the_worker_without_a_warning_of_qt(qtbot: QtBot, tmp_path: Path) -> None:
    worker = threading.Thread(target=write_pdf, args=("<p>x</p>" * 5000, tmp_path / "r.pdf"))
    worker.start()
    worker.join()
    assert (tmp_path / "r.pdf").stat().st_size > 0  # a warning fails every test


def test_a_report_that_cannot_be_printed_in_full_is_told(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QTextDocument, "print_", lambda *_: None)
    monkeypatch.setattr(Path, "read_bytes", lambda _self: b"%PDF-1.4 half")
    with pytest.raises(UnwritableFile, match="could not be printed in full"):
        write_pdf("<p>x</p>", tmp_path / "r.pdf")
