"""Chains of equal labels: a group that repeats the label of its only child, level by level, as `Male > Male`.

All links of a chain stand for the same values. Whoever joins one must not make them differ under one label.
"""

from anonymizer_gui.engine.hierarchy.labels import free_label
from anonymizer_gui.engine.hierarchy.tree import Hierarchy


def repeated_below(hierarchy: Hierarchy, node: int) -> list[int]:
    """List the groups below a node that repeat its label, the lowest last.

    >>> tree = Hierarchy.from_nested({"*": {"Europe": {"Europe": ["Italy", "Spain"]}, "Asia": ["Japan"]}})
    >>> repeated_below(tree, 1)
    [2]
    """
    return [link for link in _links_below(hierarchy, node) if not hierarchy.is_leaf[link]]


def with_room(hierarchy: Hierarchy, group: int, are_values: bool) -> tuple[Hierarchy, int]:
    """Prepare a group for newcomers; give the tree, and the group they go to, which may be a link below.

    Values go to the lowest group of the chain. Where that would leave one label for two sets of values (a group
    and its only value are called alike, or a group joins a chain from above), the group gets a name of its own.

    >>> tree = Hierarchy.from_nested({"*": {"Male": ["Male"], "Female": ["Female"]}})
    >>> with_room(tree, 1, are_values=True)[0].labels[:3]
    ('*', 'Male (group)', 'Male')
    """
    groups = repeated_below(hierarchy, group)
    if groups and are_values:
        group = groups[-1]
    if not _links_below(hierarchy, group):
        return hierarchy, group
    label = hierarchy.labels[group]
    alike = [node for node in hierarchy.path(group) if hierarchy.labels[node] == label]
    labels = list(hierarchy.labels)
    for node in alike:
        labels[node] = free_label(f"{label} (group)", set(hierarchy.labels))
    return Hierarchy(labels, hierarchy.parents, hierarchy.intervals), group


def _links_below(hierarchy: Hierarchy, node: int) -> list[int]:
    found, children = [], hierarchy.children(node)
    while len(children) == 1 and hierarchy.labels[children[0]] == hierarchy.labels[node]:
        found.append(children[0])
        children = hierarchy.children(children[0])
    return found
