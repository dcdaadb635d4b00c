"""The window stays alive while a million rows are worked on."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.project import Project
from anonymizer_gui.engine.table import Column, ColumnSchema, Schema, Table, smallest_codes
from anonymizer_gui.ui.pages.data import DataPage
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.row_order import Wish, arrange

ROWS = 1_000_000
LONGEST_MS = 100


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give a document with a worker of its own and a million rows."""
    made = Document()
    rng = np.random.default_rng(7)
    columns = []
    for place, size in enumerate((2, 70, 1000, 40_000)):
        labels = tuple(f"{number:05}" for number in range(size))
        columns.append(Column(f"c{place}", smallest_codes(rng.integers(0, size, ROWS), size), labels))
    schema = Schema(tuple(ColumnSchema(column.name) for column in columns))
    made.set_table(Table(tuple(columns), ROWS), Project(schema=schema))
    yield made
    made.close()


def work(table: Table, schema: Schema, progress: Progress) -> int:
    """Sort and search all rows again and again."""
    for turn, name in enumerate(table.names * 2):
        progress(turn / 8, name)
        arrange(table, schema, Wish("12", "", False, name, bool(turn % 2)))
    return len(table.names)


def test_the_window_is_never_blocked_while_a_job_runs(qtbot: QtBot, document: Document) -> None:
    page = DataPage(document)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: not document.jobs.active)
    beats: list[float] = []
    heart = QTimer(interval=5)
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start()
    with qtbot.waitSignal(document.jobs.finished, timeout=60_000):
        document.jobs.start("Work", work, document.table, document.project.schema)
        page.view.scrollToBottom()
    heart.stop()
    gaps = np.diff(beats) * 1000
    assert len(gaps) > 20
    # Other programs on the machine may take the processor away for a moment; that is not our doing.
    assert np.percentile(gaps, 95) < LONGEST_MS
    assert np.median(gaps) < LONGEST_MS / 3
