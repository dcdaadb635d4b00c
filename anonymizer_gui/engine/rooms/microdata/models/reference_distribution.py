"""What classes are compared with: values, their order, reference shares."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter, NoPlace
from anonymizer_gui.engine.core.messages import Message, message, quote
from anonymizer_gui.engine.core.params import Choice, Shares, param
from anonymizer_gui.engine.data.tables.normalisation import homograph_key
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnSchema, Schema, Table
from anonymizer_gui.engine.data.tables.values import parse_by_type
from anonymizer_gui.engine.hierarchy.coverage import NUMBERS_AND_DATES
from anonymizer_gui.engine.hierarchy.leaf_encoding import encode_column
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    COMBINED,
    ClassGroups,
    PrivacyModel,
    SensitiveAttribute,
    WholeTable,
)
from anonymizer_gui.engine.rooms.microdata.models.distances import table_shares
from anonymizer_gui.engine.rooms.microdata.models.sensitive_attribute import (
    ClassValues,
    Floats,
    SensitiveAttributeModel,
    covered_columns,
)

PUBLISHED, INPUT, UNIFORM, OWN = "published", "input", "uniform", "own"

REFERENCES = {
    PUBLISHED: "The published rows",
    INPUT: "The whole table before",
    UNIFORM: "All values equally often",
    OWN: "A distribution of your own",
}

REFERENCE_HELP = (
    "What a class is compared with: all rows that are published, which everybody can count in the release; the whole "
    "table before rows were left out, as some other tools do; every published value equally often; or a distribution "
    "of your own, such as that of a census."
)

DISTRIBUTION_HELP = (
    "The distribution of your own: the values with their shares or counts, such as flu=0.7, asthma=0.3; they are "
    "scaled to add up to 1, and a value that is not named has none. On the command line @FILE reads them from a table."
)


def reference_param() -> str:
    """Declare what classes are compared with."""
    declared: str = param(Choice(REFERENCES), default=PUBLISHED, label="Compared with", help=REFERENCE_HELP)
    return declared


def distribution_param() -> tuple[tuple[str, float], ...]:
    """Declare a distribution of one's own."""
    declared: tuple[tuple[str, float], ...] = param(
        Shares(), default=(), label="Distribution", help=DISTRIBUTION_HELP, when=("reference", OWN)
    )
    return declared


class ReferenceModel(SensitiveAttributeModel, Protocol):
    """A model that compares the values of every class with those of a reference."""

    __slots__ = ()

    reference: str
    distribution: tuple[tuple[str, float], ...]

    @property
    def compares_with_whole(self) -> bool:
        """Whether leaving rows out changes what classes are compared with.

        Of a distribution of one's own it changes the steps between values in order: those of the rows count, too.
        """
        follows = self.reference == OWN and self.distance == "emd-ordered"
        return self.reference in (PUBLISHED, UNIFORM) or follows

    @property
    def needs_input(self) -> bool:
        """Whether it compares classes with the table as it was before rows were left out."""
        return self.reference == INPUT

    @property
    def named_values(self) -> tuple[str, ...]:
        """The sensitive values of the distribution of one's own."""
        return tuple(value for value, _ in self.distribution) if self.reference == OWN else ()

    def compared(self, sensitive: SensitiveAttribute) -> tuple[SensitiveAttribute, Floats]:
        """Give the values to look at, and their shares in the reference; raises BadParameter when it is not known."""
        if self.reference == PUBLISHED:
            return sensitive, table_shares(sensitive)
        if self.reference == UNIFORM:
            there = (sensitive.counts > 0).astype(np.float64)
            return sensitive, np.asarray(there / max(there.sum(), 1.0), dtype=np.float64)
        found = sensitive.wider or sensitive
        counts = found.input if self.reference == INPUT else self._own(found)
        if counts is None:
            raise BadParameter(
                message("{goal} compares with the table before rows were left out.", goal=message(self.title)),
                "Give the original table, too.",
            )
        return found, np.asarray(counts / max(counts.sum(), np.finfo(float).tiny), dtype=np.float64)

    def against(self) -> Message:
        """Name the reference, for the sentence of the goal; of a distribution of one's own what it is made of."""
        if self.reference == OWN and self.distribution:
            total = sum(share for _, share in self.distribution)
            ordered = sorted(self.distribution)  # as it is read again from a certificate
            shares = [message("{value} {share:.1%}", value=value, share=share / total) for value, share in ordered]
            return message("a given distribution ({shares})", shares=shares)
        return message(_SPOKEN[self.reference])

    def _own(self, sensitive: SensitiveAttribute) -> Floats:
        shares: dict[str, float] = {}
        for value, share in self.distribution:
            shares[homograph_key(value)] = shares.get(homograph_key(value), 0.0) + share
        if not shares:
            raise BadParameter(
                message(
                    "{goal} is to compare with a distribution of your own, and there is none.", goal=message(self.title)
                ),
                "Name the values with their shares, such as flu=0.7, asthma=0.3.",
            )
        return np.array([shares.get(homograph_key(label), 0.0) for label in sensitive.labels])

    def worst_values(self, groups: ClassGroups, whole: WholeTable, value: ClassValues) -> Floats:
        """Give each group the worst value over the sensitive columns."""
        if self.reference == OWN and len(covered_columns(groups, self.column)) > 1:
            raise BadParameter(
                message("The distribution of {goal} is that of one column.", goal=message(self.title)),
                "Choose the sensitive column it is about.",
            )
        return SensitiveAttributeModel.worst_values(self, groups, whole, value)


_SPOKEN = {
    PUBLISHED: "the published rows",
    INPUT: "the whole table before",
    UNIFORM: "all values equally often",
    OWN: "a given distribution",
}


def values_only_in_reference(
    goals: Sequence[PrivacyModel], column: Column, others: Iterable[str] = ()
) -> tuple[str, ...]:
    """List the values that a sensitive column is compared with and does not have."""
    named = [value for goal in goals if goal.looks_at(column.name) for value in goal.named_values]
    known = {homograph_key(label) for label in column.labels}
    further = {look: value for value in reversed([*others, *named]) if (look := homograph_key(value)) not in known}
    return tuple(reversed(further.values()))


def with_further_values(column: Column, more: tuple[str, ...]) -> Column:
    """Give a column with further labels and a row for each, so that each must have its place in a hierarchy."""
    labels = (*column.labels, *more)
    return Column(column.name, np.append(column.codes, np.arange(len(column.labels), len(labels))), labels)


def with_zero_counts(sensitive: SensitiveAttribute, counts: npt.NDArray[np.int64]) -> SensitiveAttribute:
    """Give a column that was described with further values as one that has none of them."""
    return replace(sensitive, counts=np.append(counts, np.zeros(len(sensitive.labels) - len(counts), dtype=np.int64)))


def counts_by_label(column: Column, labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """Count how often a column has each of some labels, or a look-alike of it."""
    found: Counter[str] = Counter()
    for label, times in zip(column.labels, column.counts().tolist(), strict=True):
        found[homograph_key(label)] += times
    return np.array([found[homograph_key(label)] for label in labels], dtype=np.int64)


_MOST_NAMED = 5


def describe_with_reference(
    describe: Callable[[Column], SensitiveAttribute],
    column: Column,
    more: tuple[str, ...],
    goals: Sequence[PrivacyModel],
) -> SensitiveAttribute:
    """Describe a column with further values; raises BadParameter where goals name one that has no place."""
    try:
        return describe(with_further_values(column, more))
    except NoPlace:
        unknown = [
            value for value in values_only_in_reference(goals, column) if not _has_place(describe, column.name, value)
        ]
        if not unknown:
            raise
        raise BadParameter(
            message(
                "The distribution of your own names {values}, which neither “{column}” nor its hierarchy has.",
                values=quote(unknown[:_MOST_NAMED]),
                column=column.name,
            ),
            "Write values as the table does; one that nobody has there needs a place in the hierarchy.",
        ) from None


def unused_values_note(model: PrivacyModel, whole: WholeTable) -> str:
    """Say which values a goal names and no row has, for they may be misspelt; nothing where there are none."""
    for name, sensitive in whole.sensitive.items():
        column = Column(name, np.arange(len(sensitive.labels)), sensitive.labels)
        unknown = values_only_in_reference([model], column) if name != COMBINED else ()
        if unknown:
            return message(
                "The distribution of your own names {values}, which nobody has in “{column}”: is it misspelt?",
                values=quote(unknown[:_MOST_NAMED]),
                column=name,
            )
    return ""


def _has_place(describe: Callable[[Column], SensitiveAttribute], name: str, value: str) -> bool:
    try:
        describe(Column.from_texts(name, [value]))
    except NoPlace:
        return False
    return True


ORDERED_DISTANCE = "emd-ordered"
"""The distance that needs values with an order."""


def describe_sensitive_attribute(
    column: Column, hierarchy: Hierarchy | None, schema: Schema | None
) -> SensitiveAttribute:
    """Describe a sensitive column; values are ordered by number or date, else as in the hierarchy, else by label."""
    entry = None if schema is None else schema.column(column.name)
    leaf = None
    if hierarchy is not None:
        placed = encode_column(column, hierarchy, entry)
        hierarchy, leaf = placed.hierarchy, placed.leaf_of_label.astype(np.int64)
    values = ordered_values(column, entry)
    by_label = np.argsort(np.argsort(np.array(column.labels, dtype=object))) if column.labels else np.arange(0)
    place = values if values is not None else leaf if leaf is not None else by_label
    missing = np.array([label == MISSING for label in column.labels], dtype=np.bool_)
    rank = np.empty(len(column.labels), dtype=np.int64)
    rank[np.lexsort((by_label, place, missing))] = np.arange(len(column.labels))
    return SensitiveAttribute(column.name, column.labels, column.counts(), rank, hierarchy, leaf)


def ordered_values(column: Column, entry: ColumnSchema | None) -> npt.NDArray[np.float64] | None:
    """Read the values as numbers or dates where the column is of such a type, or without a type when all are such."""
    found = parse_by_type(column.labels, entry)
    present = np.array([label != MISSING for label in column.labels], dtype=np.bool_)
    if entry is not None:
        return np.nan_to_num(found, nan=np.inf) if entry.type in NUMBERS_AND_DATES else None
    return None if np.isnan(found[present]).any() or not present.any() else np.nan_to_num(found, nan=np.inf)


def refuse_unordered_distance(goals: Sequence[PrivacyModel], unordered: Sequence[str]) -> None:
    """Refuse a distance by order where values have none: the alphabet says nothing about illnesses."""
    for model in goals:
        for name in unordered if model.distance == ORDERED_DISTANCE else ():
            if model.looks_at(name):
                raise BadParameter(
                    message("“{column}” has no order by which values could be near each other.", column=name),
                    "Choose the distance with equal steps, or give the column a hierarchy in the right order.",
                )


def with_reference_distributions(
    whole: WholeTable,
    goals: Sequence[PrivacyModel],
    original: Table | None,
    hierarchies: Mapping[str, Hierarchy],
    schema: Schema | None,
) -> WholeTable:
    """Put what goals compare the classes with beside the published values: the original's, and those they name."""
    found = dict(whole.sensitive)
    for name, sensitive in whole.sensitive.items():
        asked = [goal for goal in goals if goal.looks_at(name) and (goal.needs_input or goal.named_values)]
        if asked and not sensitive.parts:
            raw = original.column(name) if original is not None and any(g.needs_input for g in asked) else None
            found[name] = replace(sensitive, wider=_wider(sensitive, asked, raw, hierarchies.get(name), schema))
    return replace(whole, sensitive=found)


def _wider(
    sensitive: SensitiveAttribute,
    goals: Sequence[PrivacyModel],
    raw: Column | None,
    hierarchy: Hierarchy | None,
    schema: Schema | None,
) -> SensitiveAttribute:
    """Describe a column with further values at the end, which the table does not have."""
    published = Column(sensitive.name, np.arange(len(sensitive.labels)), sensitive.labels)
    more = values_only_in_reference(goals, published, raw.compact().labels if raw is not None else ())
    found = describe_with_reference(
        lambda each: describe_sensitive_attribute(each, hierarchy, schema), published, more, goals
    )
    described = with_zero_counts(found, sensitive.counts)
    return replace(described, input=None if raw is None else counts_by_label(raw, described.labels))
