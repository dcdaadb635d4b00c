"""What models share that compare each class with a reference: which one, and the shares of its values."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Choice, Shares, param
from anonymizer_gui.engine.data.tables.normalisation import homograph_key
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups, PrivacyModel, Sensitive, Whole
from anonymizer_gui.engine.rooms.microdata.privacy.distances import whole_shares
from anonymizer_gui.engine.rooms.microdata.privacy.histogram_numbers import Floats
from anonymizer_gui.engine.rooms.microdata.privacy.sensitive_columns import SensitiveModel, Value, columns_of

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


class ComparingModel(SensitiveModel, Protocol):
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

    def compared(self, sensitive: Sensitive) -> tuple[Sensitive, Floats]:
        """Give the values to look at, and their shares in the reference; raises BadParameter when it is not known."""
        if self.reference == PUBLISHED:
            return sensitive, whole_shares(sensitive)
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

    def _own(self, sensitive: Sensitive) -> Floats:
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

    def worst_values(self, groups: Groups, whole: Whole, value: Value) -> Floats:
        """Give each group the worst value over the sensitive columns."""
        if self.reference == OWN and len(columns_of(groups, self.column)) > 1:
            raise BadParameter(
                message("The distribution of {goal} is that of one column.", goal=message(self.title)),
                "Choose the sensitive column it is about.",
            )
        return SensitiveModel.worst_values(self, groups, whole, value)


_SPOKEN = {
    PUBLISHED: "the published rows",
    INPUT: "the whole table before",
    UNIFORM: "all values equally often",
    OWN: "a given distribution",
}


def further_values(goals: Sequence[PrivacyModel], column: Column, others: Iterable[str] = ()) -> tuple[str, ...]:
    """List the values that a sensitive column is compared with and does not have."""
    named = [value for goal in goals if goal.looks_at(column.name) for value in goal.named_values]
    known = {homograph_key(label) for label in column.labels}
    further = {look: value for value in reversed([*others, *named]) if (look := homograph_key(value)) not in known}
    return tuple(reversed(further.values()))


def widened(column: Column, more: tuple[str, ...]) -> Column:
    """Give a column with further labels and a row for each, so that each must have its place in a hierarchy."""
    labels = (*column.labels, *more)
    return Column(column.name, np.append(column.codes, np.arange(len(column.labels), len(labels))), labels)


def with_none_of(sensitive: Sensitive, counts: npt.NDArray[np.int64]) -> Sensitive:
    """Give a column that was described with further values as one that has none of them."""
    return replace(sensitive, counts=np.append(counts, np.zeros(len(sensitive.labels) - len(counts), dtype=np.int64)))


def counts_of(column: Column, labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """Count how often a column has each of some labels, or a look-alike of it."""
    found: Counter[str] = Counter()
    for label, times in zip(column.labels, column.counts().tolist(), strict=True):
        found[homograph_key(label)] += times
    return np.array([found[homograph_key(label)] for label in labels], dtype=np.int64)
