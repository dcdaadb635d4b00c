"""Says when a file the project is about is gone: the program goes on, but nobody could do the work again."""

from collections.abc import Callable
from pathlib import Path

from anonymizer_gui.engine.storage.sources import is_address
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document

_KEY = "source gone"


def tell_gone(document: Document, locate: Callable[[], None]) -> None:
    """Post a message for a file that was read and is gone; take it back when the file is there again."""
    if document.is_empty or not document.files:
        return
    paths = [Path(source.path) for source in document.project.sources().values() if not is_address(source.path)]
    gone = [path for path in paths if path.name and not path.exists()]
    if not gone:
        document.messages.clear(_KEY)
    elif not any(message.key == _KEY for message in document.messages.open):
        document.messages.warning(
            tr("“{name}” is not where it was any more.", name=gone[0].name),
            tr("What was read goes on to be shown, but the project cannot be opened again without it."),
            actions=[(tr("Locate the Table…"), locate)],
            key=_KEY,
        )
