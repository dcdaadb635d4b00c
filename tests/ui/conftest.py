"""Documents for the pages' tests: jobs run at once, so nothing needs to be waited for."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.workspace.document import Document


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    """Give an empty document whose jobs run at once."""
    made = Document(inline_jobs=True)
    yield made
    made.close()
