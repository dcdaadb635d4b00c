"""The step of the hierarchies: one for every path of labels."""

from typing import ClassVar

from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts


class HierarchiesOfPaths(HierarchiesPage):
    """The shared page about the paths of records: a record may have several labels of one path."""

    words: ClassVar[HierarchyTexts] = HierarchyTexts(
        no_data="Open records to shape the hierarchies of their paths.",
        no_column="No path is marked as a quasi-identifier yet.",
        way_out="Hierarchies say how labels are made coarser: mark the paths that others may know on the Data page.",
        level="<b>The path at level</b>",
        one_class="One value for all {rows:label|labels} of this path; LM {loss}",
        classes="{classes:value|values} at this path, the rarest with {rows:label|labels}; LM {loss}",
        counted="How many",
        counted_tip="Labels of this path that lie under this one, in all records",
        node="{label}: level {level} of {height}, {rows:label|labels}, {leaves:leaf|leaves}, LM {loss}",
        tray="<b>Without a place</b>: values {values}, labels {rows}",
    )
