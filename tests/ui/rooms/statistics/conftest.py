"""Documents of the room: a small table of visits with a plan, and a ledger that lasts as long as a test."""

from pathlib import Path

import pytest

from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.workspace.document import Document

ASKED = ("count", "histogram sex F,M", "mean age 0 100", "most-common sex F,M")


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """Write a table of 60 visits of 20 people."""
    rows = [
        f"p{number % 20},{'FM'[number % 2]},{20 + number},{'north' if number % 3 else 'south'}" for number in range(60)
    ]
    path = tmp_path / "visits.csv"
    path.write_text("\n".join(["person,sex,age,ward", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def begun(document: Document, visits: Path) -> Document:
    """Give a plan about the visits that asks nothing yet."""
    document.open_table(visits, room="statistics")
    return document


@pytest.fixture
def planned(begun: Document) -> Document:
    """Give a plan with some questions; what it spends is written into a ledger beside the table."""
    begun.edit("Ask", questions=tuple(map(parse_question, ASKED)), rows=60)
    begun.undo_stack.setClean()
    return begun


@pytest.fixture
def released(planned: Document) -> Document:
    """Give the plan with its questions answered."""
    planned.run()
    assert planned.releases
    return planned
