"""Hierarchies of every shape, for tests of properties."""

import string

from hypothesis import strategies as st

from anonymizer_gui.engine.hierarchy.tree import Hierarchy, normalise_label

plain_labels = st.text(string.ascii_letters + string.digits, min_size=1, max_size=4)
words = plain_labels.filter(lambda label: label not in ("has", "NaN"))
"""Labels that every format can hold."""
wild_labels = (
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=6)
    .map(normalise_label)
    .filter(bool)
)


@st.composite
def hierarchies(draw: st.DrawFn, labels: st.SearchStrategy[str] = plain_labels, max_nodes: int = 20) -> Hierarchy:
    """Draw a tree of at least two nodes in preorder, balanced or not, with distinct labels."""
    names = draw(st.lists(labels, min_size=2, max_size=max_nodes, unique=True))
    depths = [0]
    for _ in names[1:]:
        depths.append(draw(st.integers(1, depths[-1] + 1)))
    return Hierarchy.from_depths(names, depths)
