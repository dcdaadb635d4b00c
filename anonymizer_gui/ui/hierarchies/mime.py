"""What is dragged into a tree: nodes as paths of labels, values of the data as texts."""

import json
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QMimeData

from anonymizer_gui.engine.hierarchy.tree import Hierarchy

NODES_MIME = "application/x-anonymizer-hierarchy-nodes"
VALUES_MIME = "application/x-anonymizer-values"


def pack_nodes(hierarchy: Hierarchy, nodes: Iterable[int]) -> QMimeData:
    """Pack nodes; their labels as text, for other programs."""
    labels = hierarchy.labels
    chosen = sorted(nodes)
    paths = [[labels[step] for step in reversed(hierarchy.path(node))] for node in chosen]
    return _pack(NODES_MIME, paths, [labels[node] for node in chosen])


def pack_values(values: Sequence[str]) -> QMimeData:
    """Pack values of the data."""
    return _pack(VALUES_MIME, list(values), values)


def unpack_nodes(data: QMimeData, hierarchy: Hierarchy) -> list[int]:
    """Find the dragged nodes in a hierarchy; none when they are of another one."""
    found = [_node_at(hierarchy, path) for path in _unpack(NODES_MIME, data)]
    return [] if None in found else [node for node in found if node is not None]


def unpack_values(data: QMimeData) -> list[str]:
    """Give the dragged values."""
    return [str(value) for value in _unpack(VALUES_MIME, data)]


def _pack(kind: str, content: list[str] | list[list[str]], lines: Sequence[str]) -> QMimeData:
    data = QMimeData()
    data.setData(kind, json.dumps(content).encode())
    data.setText("\n".join(lines))
    return data


def _unpack(kind: str, data: QMimeData) -> list[str]:
    return list(json.loads(bytes(data.data(kind).data()))) if data.hasFormat(kind) else []


def _node_at(hierarchy: Hierarchy, path: Sequence[str]) -> int | None:
    """Find the node of a path of labels from the root down."""
    node = hierarchy.node_of_label.get(path[-1]) if path else None
    if node is None:
        return None
    # A chain of only children may repeat a label; its nodes follow each other.
    node += len(path) - 1 - int(hierarchy.depths[node])
    if not 0 <= node < len(hierarchy):
        return None
    return node if [hierarchy.labels[step] for step in reversed(hierarchy.path(node))] == list(path) else None
