"""Documents whose jobs run at once, and a small table to put into them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.workspace.document import Document


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give an empty document whose jobs run at once."""
    made = Document(inline_jobs=True)
    yield made
    made.close()


@pytest.fixture
def table_path(tmp_path: Path) -> Path:
    """Give a small table in a file."""
    path = tmp_path / "people.csv"
    path.write_text("name,age,zip\nAda,36,01234\nGrace,85,01235\nAlan,41,\n", encoding="utf-8")
    return path
