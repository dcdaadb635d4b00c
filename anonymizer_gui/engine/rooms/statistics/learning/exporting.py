"""A model as plain JSON: weights, how cells of a table become features, and the few lines of Python that apply it."""

from collections.abc import Mapping, Sequence

import numpy as np

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy.leaf_encoding import leaf_intervals
from anonymizer_gui.engine.rooms.statistics.column_domains import ColumnDomain, Named, Span
from anonymizer_gui.engine.rooms.statistics.learning.encoding import UNIT
from anonymizer_gui.engine.rooms.statistics.learning.network import Floats, Network
from anonymizer_gui.engine.rooms.statistics.public import Public

KIND = "learned"
_DIGITS = 8
SNIPPET = '''\
import json, math
from datetime import date

def cell(column, text):
    """Give the cell of a text; what is missing or unknown is in the last one."""
    if column["kind"] == "names" and text in column["values"]:
        return column["values"][text]
    try:
        if column["kind"] == "names":
            number = float(text)
            for low, high, open_low, closed, at in column["ranges"]:
                if low < number < high or (number == low and not open_low) or (number == high and closed):
                    return at
            return column["cells"] - 1
        if column["kind"] == "days":
            number = (date.fromisoformat(text) - date(1970, 1, 1)).days
        else:
            number = round(float(text) * 10 ** column["places"])
    except (TypeError, ValueError):
        return column["cells"] - 1
    step = min(max(number - column["low"], 0), column["steps"] - 1)
    return step * column["bins"] // column["steps"]

def features(model, row):
    """Give the features of a row: a dictionary from the names of columns to texts."""
    found = []
    for column in model["features"]:
        at = cell(column, row.get(column["column"]))
        found += [float(at == place) for place in range(column["cells"])]
        if "middles" in column:
            found.append(column["middles"][at])
    return found + [1.0]

def predict(model, row):
    """Give how likely each class is."""
    inside = features(model, row)
    for layer in model["layers"][:-1]:
        inside = [max(0.0, sum(w * x for w, x in zip(line, inside))) for line in layer] + [1.0]
    sums = [sum(w * x for w, x in zip(line, inside)) for line in model["layers"][-1]]
    if len(sums) == 1:
        sums = [0.0, sums[0]]
    largest = max(sums)
    raised = [math.exp(number - largest) for number in sums]
    return dict(zip(model["classes"], [number / sum(raised) for number in raised]))

with open("model.json", encoding="utf-8") as file:
    model = json.load(file)
print(predict(model, {"age": "39"}))
'''


def exported(
    network: Network,
    weights: Floats,
    target: ColumnDomain,
    domains: Sequence[ColumnDomain],
    public: Public,
    measured: Mapping[str, Json],
) -> dict[str, Json]:
    """Give a model as it is released."""
    inside = network.hidden * network.features
    layers = [weights[:inside].reshape(network.hidden, network.features)] if network.hidden else []
    layers.append(weights[inside:].reshape(network.outputs, -1))
    return {
        "kind": KIND,
        "target": target.column,
        "classes": list(target.labels),
        "features": [_column(domain, public) for domain in domains],
        "layers": [np.round(layer, _DIGITS).tolist() for layer in layers],
        "measured": dict(measured),
        "python": SNIPPET,
    }


def _column(domain: ColumnDomain, public: Public) -> dict[str, Json]:
    told: dict[str, Json] = {"column": domain.column, "cells": domain.cells}
    if isinstance(domain, Span):
        middles = (np.trunc(domain.middles() * UNIT) / UNIT).tolist()
        kind = "days" if domain.is_day else "numbers"
        sizes = {"low": domain.low, "steps": domain.steps, "bins": domain.bins, "places": domain.places}
        return {**told, "kind": kind, **sizes, "middles": [*middles, 0.0]}
    return {**told, "kind": "names", "values": _values(domain, public), "ranges": _ranges(domain)}


def _values(domain: ColumnDomain, public: Public) -> dict[str, int]:
    """Give the cell of every public value, those below a node of the hierarchy included."""
    tree = domain.categories.hierarchy if isinstance(domain, Named) else None
    texts = dict.fromkeys([*domain.labels, *(tree.leaf_labels if tree is not None else ())])
    column = Column.from_texts(domain.column, texts)
    cells = domain.of_labels(column, public).tolist()
    return {label: cell for label, cell in zip(column.labels, cells, strict=True) if cell < len(domain.labels)}


def _ranges(domain: ColumnDomain) -> list[list[Json]]:
    """Give the intervals of a hierarchy with their cells, for values that are not named."""
    tree = domain.categories.hierarchy if isinstance(domain, Named) else None
    if tree is None:
        return []
    bounds = leaf_intervals(tree)
    cells = domain.of_labels(Column.from_texts(domain.column, tree.leaf_labels), Public())
    of_label = dict(zip(Column.from_texts(domain.column, tree.leaf_labels).labels, cells.tolist(), strict=True))
    found = zip(bounds.leaves, bounds.low, bounds.high, bounds.open_low, bounds.closed, strict=True)
    return [
        [float(low), float(high), bool(open_low), bool(closed), of_label[tree.leaf_labels[int(leaf)]]]
        for leaf, low, high, open_low, closed in found
    ]
