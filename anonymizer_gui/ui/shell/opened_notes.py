"""Tells what is remarkable about what was just opened."""

from collections.abc import Callable
from pathlib import Path

from anonymizer_gui.engine.files.source import is_address
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.opening import Opened


def tell_opened(document: Document, opened: Opened, locate: Callable[[], None]) -> None:
    """Post a message for each thing a careful person would want to know."""
    messages, source = document.messages, opened.project.source
    if opened.obstacle is not None:
        messages.error(
            tr("The table of this project could not be read."),
            opened.obstacle.message,
            actions=[(tr("Locate the Table…"), locate)],
            key="table",
        )
    elif opened.table is None and source is not None and is_address(source.path):
        messages.warning(
            tr("This project takes its table from a database, which is not called up unasked."),
            actions=[(tr("Read It Now"), lambda: _drop(document.join_table(source.path)))],
            key="table",
        )
    if opened.is_other_table and source is not None:
        messages.warning(
            tr("“{name}” has changed since the project was saved.", name=Path(source.path).name),
            tr("Look at the hierarchies again before you protect it."),
        )
    if document.holder:
        messages.warning(
            tr("This project is open in another window ({holder}).", holder=document.holder),
            tr("Whoever saves last overwrites the other: save one of them under another name."),
        )
    _tell_reading(document, opened)


def _tell_reading(document: Document, opened: Opened) -> None:
    problems = opened.report.problems if opened.report is not None else ()
    if problems:
        first, more = problems[0], len(problems) - 1
        details = "\n".join(tr(problem) for problem in problems) if more else ""
        hint = tr("{count} more in the details.", count=more) if more else ""
        document.messages.info(first, hint, details, key="reading")


def _drop(_result: object) -> None:
    """Take a result nobody needs."""
