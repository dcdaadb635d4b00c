"""The step between graph and attack: hierarchies by which the rows of the people are made alike."""

from typing import ClassVar

from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts


class PeopleHierarchies(HierarchiesPage):
    """The shared page about the columns of the table about the people."""

    order: ClassVar[int] = 25
    words: ClassVar[HierarchyTexts] = HierarchyTexts(
        unmarked="No quasi-identifier yet",
        no_data="There is no table about the people: only ties leave.",
        way_out="Hierarchies say how quasi-identifiers are made coarser: mark those columns on the page Graph.",
        go="Go to Graph",
        go_to="graph",
        with_sensitive=False,
    )
