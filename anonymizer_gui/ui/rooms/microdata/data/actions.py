"""What can be done on the Data page."""

from PySide6.QtWidgets import QWidget

from anonymizer_gui.engine.data.tables.suggestions import schema_after
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.room import ReadFile
from anonymizer_gui.engine.rooms.microdata.project import TABLE
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.data.page import mark_household, mark_weight
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS
from anonymizer_gui.workspace.document import Document


def _has_table(document: Document) -> bool:
    return document.table is not None


def open_prepare_dialog(document: Document, parent: QWidget) -> None:
    """Ask how the table is to be prepared; the answer is a step that can be undone."""
    from anonymizer_gui.ui.rooms.microdata.data.prepare_dialog import PrepareDialog

    table, source = document.table, document.project.source
    if table is None or source is None:
        return
    dialog = PrepareDialog(document, source, table.names, parent)
    dialog.chosen.connect(lambda read: _take(document, read))
    dialog.open()


def _take(document: Document, read: ReadFile) -> None:
    """Take the prepared table; steps may have joined columns."""
    schema = schema_after(read.data, document.project.schema)
    document.take_file(TABLE, read, tr("Prepare the table"), schema=schema)


def _role_action(role: Role, title: str) -> Action:
    return Action(
        f"data.role_{role.value}",
        title,
        lambda page: page.mark_columns(role),
        "Data",
        "roles",
        shortcut=ROLE_LETTERS[role],
        status_tip="Give the selected columns this role",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
        anywhere=False,
    )


ACTIONS = (
    _role_action(Role.EI, "Mark as Identifier"),
    _role_action(Role.QI, "Mark as Quasi-identifier"),
    _role_action(Role.SA, "Mark as Sensitive"),
    _role_action(Role.OTHER, "Mark as No Role"),
    Action(
        "data.person",
        "Mark as the Person",
        lambda page: page.mark_person(),
        "Data",
        "roles",
        icon="person",
        status_tip="Let the selected column say whom a row is about, so that people are counted and not rows",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.sampling_weight",
        "Mark as the Sampling Weight",
        mark_weight,
        "Data",
        "roles",
        status_tip="Let the selected column say how many people of the population a row of a survey stands for",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.household",
        "Mark as the Household",
        mark_household,
        "Data",
        "roles",
        status_tip="Let the selected column say which rows belong to one household",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.leave_out",
        "Leave Out of the Release",
        lambda page: page.leave_out(),
        "Data",
        "roles",
        status_tip="Publish nothing of the selected columns",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.prepare",
        "Prepare the Table…",
        lambda page: open_prepare_dialog(page.document, page),
        "Data",
        "prepare",
        icon="filter",
        status_tip="Keep some rows, take a sample, replace values, merge spellings",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.columns",
        "List of Columns",
        lambda page: page.show_columns(),
        "Data",
        "views",
        icon="column",
        shortcut="Ctrl+L",
        status_tip="See all columns with their roles and figures",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.identifying",
        "Which Columns Identify?",
        lambda page: page.find_identifying(),
        "Data",
        "views",
        icon="person",
        status_tip="Find the smallest sets of columns that single out most rows",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.accept_all",
        "Accept All Suggested Roles",
        lambda page: page.suggestions.accept_all.click(),
        "Data",
        "suggestions",
        icon="suggest",
        status_tip="Give every column the role it seems to have",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
    ),
    Action(
        "data.find",
        "Find in the Table…",
        lambda page: page.find_bar.activate(),
        "Edit",
        "find",
        icon="search",
        shortcut="Find",
        status_tip="Find a text in the table",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
        anywhere=False,
    ),
    Action(
        "data.find_next",
        "Find Next",
        lambda page: page.find_bar.step.emit(1),
        "Edit",
        "find",
        shortcut="FindNext",
        status_tip="Go to the next row that has the text",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
        anywhere=False,
    ),
    Action(
        "data.find_previous",
        "Find Previous",
        lambda page: page.find_bar.step.emit(-1),
        "Edit",
        "find",
        shortcut="FindPrevious",
        status_tip="Go to the previous row that has the text",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
        anywhere=False,
    ),
    Action(
        "data.copy_with_names",
        "Copy with Column Names",
        lambda page: page.view.copy(header=True),
        "Edit",
        "copy",
        icon="copy",
        shortcut="Ctrl+Shift+C",
        status_tip="Copy the selected cells with the names of their columns",
        enabled=_has_table,
        reason="Open a table first.",
        page="data",
        anywhere=False,
    ),
)
