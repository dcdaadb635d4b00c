"""What models and views pass to each other: the place of a cell, and the ranges that are selected."""

from PySide6.QtCore import QItemSelectionModel, QItemSelectionRange, QModelIndex, QPersistentModelIndex

Index = QModelIndex | QPersistentModelIndex


def ranges_of(model: QItemSelectionModel | None) -> list[QItemSelectionRange]:
    """List the ranges of a selection; all of a million rows are one range."""
    selection = None if model is None else model.selection()
    return [] if selection is None else [selection.at(place) for place in range(selection.count())]
