"""A node of a hierarchy is dragged into another group, and the numbers follow."""

from PySide6.QtCore import Qt

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.hierarchy.fit import count_usage
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

_COLUMN, _NODE, _FROM, _TO = "nationality", "Greek", "Southern Europe", "Eastern Europe"


def drag_step() -> TourStep:
    """Drag a nationality to another region; leaving the stop takes it back."""
    return TourStep(
        "drag",
        tr("Drag a node"),
        tr("“{node}” is dragged from “{group}” to “{other}”.", node=_NODE, group=_FROM, other=_TO),
        _drag,
        "hierarchy_tree",
        tell=_tell,
        leave=_take_back,
    )


def _drag(window: MainWindow) -> None:
    window.go_to("hierarchies")
    page = window.pages.page("hierarchies")
    if not isinstance(page, HierarchiesPage):
        return
    page.choose(_COLUMN)
    model = page.editor.tree.hierarchy_model
    if page.hierarchy is not None:
        nodes = page.hierarchy.node_of_label
        dragged = model.mimeData([model.index_of(nodes[_NODE])])
        model.dropMimeData(dragged, Qt.DropAction.MoveAction, -1, 0, model.index_of(nodes[_TO]))
        page.editor.tree.scrollTo(page.editor.tree.currentIndex())


def _take_back(window: MainWindow) -> None:
    if _is_moved(window):
        window.document.undo_stack.undo()


def _is_moved(window: MainWindow) -> bool:
    tree = window.document.project.hierarchies.get(_COLUMN) if window.document.room == FIRST_ROOM else None
    return tree is not None and tree.labels[tree.parents[tree.node_of_label[_NODE]]] == _TO


def _tell(window: MainWindow) -> str:
    table, project = window.document.table, window.document.project
    if table is None or not _is_moved(window):
        return ""
    tree = project.hierarchies[_COLUMN]
    rows = count_usage(table.column(_COLUMN), tree, project.schema.column(_COLUMN)).rows
    moved, now = int(rows[tree.node_of_label[_NODE]]), int(rows[tree.node_of_label[_TO]])
    return tr(
        "{moved:row moves|rows move} with it: “{other}” has {now} instead of {before}. Ctrl+Z takes it back.",
        moved=moved,
        other=_TO,
        now=format_integer(now),
        before=format_integer(now - moved),
    )
