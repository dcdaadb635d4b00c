"""The values of sensitive columns as a published table has them: their order, and what goals compare them with."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.coverage import NUMBERS_AND_DATES
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.privacy.comparing import counts_of, further_values, with_none_of
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PrivacyModel, Sensitive, Whole
from anonymizer_gui.engine.rooms.microdata.privacy.named_values import described_with

BY_ORDER = "emd-ordered"
"""The distance that needs values with an order."""


def describe_sensitive(column: Column, hierarchy: Hierarchy | None, schema: Schema | None) -> Sensitive:
    """Describe a sensitive column; values are ordered by number or date, else as in the hierarchy, else by label."""
    entry = None if schema is None else schema.column(column.name)
    leaf = None
    if hierarchy is not None:
        placed = encode_column(column, hierarchy, entry)
        hierarchy, leaf = placed.hierarchy, placed.leaf_of_label.astype(np.int64)
    values = values_of(column, entry)
    by_label = np.argsort(np.argsort(np.array(column.labels, dtype=object))) if column.labels else np.arange(0)
    place = values if values is not None else leaf if leaf is not None else by_label
    missing = np.array([label == MISSING for label in column.labels], dtype=np.bool_)
    rank = np.empty(len(column.labels), dtype=np.int64)
    rank[np.lexsort((by_label, place, missing))] = np.arange(len(column.labels))
    return Sensitive(column.name, column.labels, column.counts(), rank, hierarchy, leaf)


def values_of(column: Column, entry: ColumnSchema | None) -> npt.NDArray[np.float64] | None:
    """Read the values as numbers or dates where the column is of such a type, or without a type when all are such."""
    found = parse_by_type(column.labels, entry)
    present = np.array([label != MISSING for label in column.labels], dtype=np.bool_)
    if entry is not None:
        return np.nan_to_num(found, nan=np.inf) if entry.type in NUMBERS_AND_DATES else None
    return None if np.isnan(found[present]).any() or not present.any() else np.nan_to_num(found, nan=np.inf)


def refuse_unordered(goals: Sequence[PrivacyModel], unordered: Sequence[str]) -> None:
    """Refuse a distance by order where values have none: the alphabet says nothing about illnesses."""
    for model in goals:
        for name in unordered if model.distance == BY_ORDER else ():
            if model.looks_at(name):
                raise BadParameter(
                    message("“{column}” has no order by which values could be near each other.", column=name),
                    "Choose the distance with equal steps, or give the column a hierarchy in the right order.",
                )


def with_references(
    whole: Whole,
    goals: Sequence[PrivacyModel],
    original: Table | None,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None,
) -> Whole:
    """Put what goals compare the classes with beside the published values: the original's, and those they name."""
    found = dict(whole.sensitive)
    for name, sensitive in whole.sensitive.items():
        asked = [goal for goal in goals if goal.looks_at(name) and (goal.needs_input or goal.named_values)]
        if asked and not sensitive.parts:
            raw = original.column(name) if original is not None and any(g.needs_input for g in asked) else None
            found[name] = replace(sensitive, wider=_wider(sensitive, asked, raw, hierarchies.get(name), schema))
    return replace(whole, sensitive=found)


def _wider(
    sensitive: Sensitive,
    goals: Sequence[PrivacyModel],
    raw: Column | None,
    hierarchy: Hierarchy | None,
    schema: Schema | None,
) -> Sensitive:
    """Describe a column with further values at the end, which the table does not have."""
    published = Column(sensitive.name, np.arange(len(sensitive.labels)), sensitive.labels)
    more = further_values(goals, published, raw.compact().labels if raw is not None else ())
    found = described_with(lambda each: describe_sensitive(each, hierarchy, schema), published, more, goals)
    described = with_none_of(found, sensitive.counts)
    return replace(described, input=None if raw is None else counts_of(raw, described.labels))
