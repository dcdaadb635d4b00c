"""What is said after a project was opened: what changed, what is gone."""

from collections.abc import Callable
from pathlib import Path

from anonymizer_gui.engine.projects.opening import OpenedProject
from anonymizer_gui.engine.storage.sources import is_address
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document


def report_opened(
    document: Document,
    opened: OpenedProject,
    locate: Callable[[], None],
    call_up: Callable[[], None],
    show_earlier: Callable[[], None],
) -> None:
    """Post a message for each thing a careful person would want to know."""
    messages = document.messages
    source = next(iter(opened.project.sources().values()), None)
    if opened.obstacle is not None:
        messages.error(
            tr("The table of this project could not be read."),
            opened.obstacle.message,
            actions=[(tr("Locate the Table…"), locate)],
            key="table",
        )
    elif not opened.is_complete and any(is_address(each.path) for each in opened.project.sources().values()):
        messages.warning(
            tr("This project takes data from a database or a cluster, which is not called up unasked."),
            actions=[(tr("Call It Up…"), call_up)],
            key="table",
        )
    if opened.changed and source is not None:
        messages.warning(
            tr("“{name}” has changed since the project was saved.", name=Path(source.path).name),
            tr("Look at the hierarchies again before you protect it."),
        )
    if document.holder:
        messages.warning(
            tr("This project is open in another window ({holder}).", holder=document.holder),
            tr("Whoever saves last overwrites the other: save one of them under another name."),
        )
    if opened.releases:
        count = len(opened.releases)
        messages.info(
            tr(
                "The project keeps {count:release|releases} made before; {count:~it|they} can be made again.",
                count=count,
            ),
            actions=[(tr("Show…"), show_earlier)],
            key="earlier",
        )
    _tell_reading(document, opened)


def _tell_reading(document: Document, opened: OpenedProject) -> None:
    notes = opened.notes
    if notes:
        first, more = notes[0], len(notes) - 1
        details = "\n".join(tr(note) for note in notes) if more else ""
        hint = tr("{count} more in the details.", count=more) if more else ""
        document.messages.info(first, hint, details, key="reading")


_KEY = "source gone"


def warn_missing_files(document: Document, locate: Callable[[], None]) -> None:
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
