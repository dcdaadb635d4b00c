"""The actions of the Hierarchies page: sources of hierarchies, and every command of the tree editor."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.hierarchies.tree_commands import TOP_BOTTOM_TIP, TREE_COMMANDS
from anonymizer_gui.workspace.document import Document

if TYPE_CHECKING:
    from anonymizer_gui.ui.hierarchies.page import HierarchiesPage

_PAGE = "hierarchies"
_NO_TABLE = "Open a table and mark its quasi-identifiers first."
_NO_HIERARCHY = "No column has a hierarchy yet."


def _has_columns(document: Document) -> bool:
    schema = document.project.schema
    return document.table is not None and bool(schema.quasi or schema.names(Role.SA))


def _has_hierarchy(document: Document) -> bool:
    return bool(document.project.hierarchies)


def _lacks_hierarchy(document: Document) -> bool:
    project = document.project
    names = project.schema.quasi
    return document.table is not None and any(name not in project.hierarchies for name in names)


def _perform(name: str, page: "HierarchiesPage") -> None:
    page.sources.perform(name, page.column)


def _run(name: str, page: "HierarchiesPage") -> None:
    page.run(name)


SOURCES = (
    Action(
        "hierarchies.propose_all",
        "Propose Hierarchies for All",
        lambda page: page.sources.propose_all(),
        "Data",
        "hierarchies",
        icon="suggest",
        shortcut="Ctrl+Shift+H",
        status_tip="Propose a hierarchy for every quasi-identifier that has none",
        enabled=_lacks_hierarchy,
        reason="Every quasi-identifier has a hierarchy, or none is marked.",
        page=_PAGE,
    ),
    Action(
        "hierarchies.propose",
        "Propose Hierarchy",
        partial(_perform, "propose"),
        "Data",
        "hierarchies",
        icon="suggest",
        status_tip="Propose a hierarchy from the values of the column",
        enabled=_has_columns,
        reason=_NO_TABLE,
        page=_PAGE,
    ),
    Action(
        "hierarchies.build",
        "Build Hierarchy…",
        partial(_perform, "build"),
        "Data",
        "hierarchies",
        icon="build",
        shortcut="Ctrl+B",
        status_tip="Build a hierarchy by a rule, with a preview",
        enabled=_has_columns,
        reason=_NO_TABLE,
        page=_PAGE,
    ),
    Action(
        "hierarchies.import_file",
        "Import Hierarchy…",
        partial(_perform, "import_file"),
        "Data",
        "hierarchy files",
        icon="import",
        status_tip="Import a hierarchy file for the column",
        enabled=_has_columns,
        reason=_NO_TABLE,
        page=_PAGE,
    ),
    Action(
        "hierarchies.import_folder",
        "Import Folder of Hierarchies…",
        partial(_perform, "import_folder"),
        "Data",
        "hierarchy files",
        icon="import",
        shortcut="Ctrl+Shift+I",
        status_tip="Import all hierarchies of a folder, matched to columns by name",
        enabled=_has_columns,
        reason=_NO_TABLE,
        page=_PAGE,
    ),
    Action(
        "hierarchies.export_file",
        "Export Hierarchy…",
        partial(_perform, "export_file"),
        "Data",
        "hierarchy files",
        icon="export",
        status_tip="Write the hierarchy of the column to a file",
        enabled=_has_hierarchy,
        reason=_NO_HIERARCHY,
        page=_PAGE,
    ),
    Action(
        "hierarchies.export_folder",
        "Export All Hierarchies…",
        partial(_perform, "export_folder"),
        "Data",
        "hierarchy files",
        icon="export",
        status_tip="Write every hierarchy into a folder",
        enabled=_has_hierarchy,
        reason=_NO_HIERARCHY,
        page=_PAGE,
    ),
    Action(
        "hierarchies.library_open",
        "Use Saved Hierarchy…",
        partial(_perform, "library_open"),
        "Data",
        "hierarchy library",
        icon="library",
        status_tip="Use a hierarchy of the library for the column",
        enabled=_has_columns,
        reason=_NO_TABLE,
        page=_PAGE,
    ),
    Action(
        "hierarchies.library_save",
        "Save Hierarchy to Library…",
        partial(_perform, "library_save"),
        "Data",
        "hierarchy library",
        icon="library",
        status_tip="Keep the hierarchy of the column for other projects",
        enabled=_has_hierarchy,
        reason=_NO_HIERARCHY,
        page=_PAGE,
    ),
)


def _in_page(
    name: str, title: str, callback: Callable[["HierarchiesPage"], object], shortcut: str, icon: str, tip: str = ""
) -> Action:
    """Make an action whose keys work while the focus is on the page."""
    return Action(
        f"hierarchies.{name}",
        title,
        callback,
        icon=icon,
        shortcut=shortcut,
        status_tip=tip,
        enabled=_has_hierarchy,
        reason=_NO_HIERARCHY,
        page=_PAGE,
        anywhere=False,
    )


ACTIONS = (
    *SOURCES,
    _in_page("rename", "Rename Node", lambda page: page.rename(), "F2", "edit"),
    _in_page("split", "Split Interval…", lambda page: page.editor.split(), "Ctrl+K", "split"),
    _in_page(
        "ends", "Top and Bottom Coding…", lambda page: page.editor.code_ends(), "Ctrl+Shift+K", "ends", TOP_BOTTOM_TIP
    ),
    _in_page("find", "Find Label", lambda page: page.start_search(), "Find", "search"),
    _in_page("next", "Find Next Label", lambda page: page.editor.find_label(1), "FindNext", "next"),
    _in_page("previous", "Find Previous Label", lambda page: page.editor.find_label(-1), "FindPrevious", "previous"),
    _in_page("view", "Switch between Tree and Level Table", lambda page: page.switch_view(), "Ctrl+T", ""),
    _in_page("place", "Place Values in Selected Group", lambda page: page.placing.under_selected(), "Alt+Return", ""),
    _in_page("suggest_places", "Suggest Places for Values", lambda page: page.placing.beside_similar(), "", "suggest"),
    _in_page("other", "Place Values under “Other”", lambda page: page.placing.under_other(), "", ""),
    *(
        _in_page(command.id, command.title, partial(_run, command.id), command.shortcut, command.icon, command.tip)
        for command in TREE_COMMANDS
    ),
)
