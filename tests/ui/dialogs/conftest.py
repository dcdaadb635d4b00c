"""Opens import dialogs and keeps them until the test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def opened(qtbot: QtBot, document: Document) -> Iterator[Callable[[Path | str], ImportTableDialog]]:
    """Give a function that opens the dialog on a source; Qt must not lose it before it is closed."""
    kept: list[ImportTableDialog] = []

    def make(source: Path | str) -> ImportTableDialog:
        dialog = ImportTableDialog(document, str(source))
        kept.append(dialog)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    yield make
    kept.clear()
