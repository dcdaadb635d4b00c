"""The tournament of trees: what each automatic tree loses with the promises and the method as they are."""

from typing import Any, ClassVar

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.baskets.sweep import HierarchyTrial, compare_hierarchies
from anonymizer_gui.ui.dialogs.alternatives import AlternativesDialog, AlternativesTexts
from anonymizer_gui.ui.i18n import format_decimal, format_integer, tr
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Work


class TournamentDialog(AlternativesDialog):
    """A row for each tree, the least loss first; the chosen one can be taken."""

    name: ClassVar[str] = "tournament"
    words: ClassVar[AlternativesTexts] = AlternativesTexts(
        title="Compare Trees of Items",
        about="The tree matters more than the method. A tree made by counting has no meaning for readers: a low loss "
        "over groups that mean nothing is of little use. Prefer a tree of your own where there is one.",
        head=("Tree", "In each group", "Loss (NCP)", "Values left", "Deleted"),
        spoken="Trees and what they lose",
        job="Compare trees",
        waiting="Trying the trees…",
        take="Take This Tree",
    )
    lines: ClassVar[tuple[int, int]] = (44, 26)

    def work(self, document: Document) -> tuple[Work, *tuple[Any, ...]]:
        """Let the trees compete over the baskets."""
        return compare_hierarchies, document.files["table"], document.project

    def row(self, way: HierarchyTrial) -> tuple[str, ...]:
        """Tell a tree and what it loses."""
        fan = format_integer(way.fan_out) if way.fan_out else "–"
        if way.problem is not None:
            return tr(way.title), fan, tr("not possible"), "", tr(way.problem.message)
        return (
            tr(way.title),
            fan,
            format_decimal(way.ncp, 5),
            format_integer(way.values_left),
            format_integer(way.deleted),
        )

    def taken(self, way: HierarchyTrial) -> Hierarchy:
        """Give the tree, which may be taken for other promises, too."""
        return way.tree
