"""What every promise about baskets has: words, what it asks of algorithms, and how it is read from what was counted."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Int, Text, param, to_json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.baskets.attack import fewest_to_one, fewest_values, smallest_group, smallest_support
from anonymizer_gui.engine.sets.encoding import ItemsetDemands


@dataclass(frozen=True, slots=True)
class PromiseCount:
    """What was counted in the published baskets for one promise: its figure, and whether that is enough."""

    value: int
    holds: bool


class PrivacyModel(ABC):
    """A frozen dataclass of declared parameters, registered in `GOALS`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    stops: ClassVar[str]
    leaves_open: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    is_about_sensitive: ClassVar[bool] = False
    """Whether something must be named as sensitive."""

    __slots__ = ()

    @abstractmethod
    def wants(self) -> ItemsetDemands:
        """Say what an algorithm must bring about."""

    @abstractmethod
    def sentence(self) -> str:
        """Say the promise in words."""

    @abstractmethod
    def short(self) -> str:
        """Say the promise in a few letters, such as `5^2`."""

    @abstractmethod
    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> PromiseCount:
        """Count what is promised in published baskets; `known` are the same without a sensitive item.

        The recount counts the same by code that shares nothing with this.
        """

    def protects(self) -> str:
        """Name the sensitive item or column; nothing where there is none."""
        return ""

    def promise(self, counted: PromiseCount) -> Promise:
        """Give the promise as certificate and report hold it."""
        return Promise(
            name=self.name,
            title=self.title,
            sentence=self.sentence(),
            holds=counted.holds,
            value=counted.value,
            parameters=to_json(self),
            stops=self.stops,
            leaves_open=self.leaves_open,
            formula=self.formula,
            reference=self.source,
        )


MODELS: Registry[PrivacyModel] = Registry("promise", __package__)


def combine_demands(goals: tuple[PrivacyModel, ...]) -> ItemsetDemands:
    """Put what several promises ask into one: the strictest of each."""
    wanted = [goal.wants() for goal in goals]
    return ItemsetDemands(
        *(max((getattr(each, name) for each in wanted), default=1) for name in ("k", "m", "whole", "l"))
    )


@MODELS.register
@dataclass(frozen=True, slots=True)
class KmAnonymity(PrivacyModel):
    """Every set of up to m items is in no basket or in at least k (Terrovitis, Mamoulis and Kalnis 2008)."""

    name: ClassVar[str] = "km"
    title: ClassVar[str] = "k^m-anonymity"
    summary: ClassVar[str] = "Whoever knows up to m items of somebody finds at least k baskets that hold them."
    stops: ClassVar[str] = (
        "Finding somebody's basket by a few things known to be in it: what a friend saw at the till, or was told."
    )
    leaves_open: ClassVar[str] = (
        "Knowing more than m items, knowing that something is not in the basket, and what all k baskets share. "
        "Several baskets of one person count as several people."
    )
    formula: ClassVar[str] = "support(S) = 0 or support(S) ≥ k for every set S of at most m items"
    source: ClassVar[str] = (
        "Terrovitis, Mamoulis and Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008"
    )

    k: int = param(
        Int(low=1), default=5, label="k", help="Fewest baskets that hold the known items.", series=(2, 5, 10, 25, 50)
    )
    m: int = param(
        Int(low=1, high=3), default=2, label="m", help="Most items that somebody may know.", series=(1, 2, 3)
    )

    def wants(self) -> ItemsetDemands:
        """Ask for k baskets with any m items."""
        return ItemsetDemands(k=self.k, m=self.m)

    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> PromiseCount:
        """Count the baskets with the rarest set of up to m items."""
        smallest = smallest_support(known, self.m, progress)
        return PromiseCount(smallest, smallest == 0 or smallest >= self.k)

    def sentence(self) -> str:
        """Say the promise in words."""
        return message(
            "whoever knows up to {m:item|items} of somebody finds at least {k:basket|baskets}", m=self.m, k=self.k
        )

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"{self.k}^{self.m}"


@MODELS.register
@dataclass(frozen=True, slots=True)
class KAnonymity(PrivacyModel):
    """Every published basket is there at least k times."""

    name: ClassVar[str] = "k"
    title: ClassVar[str] = "k-anonymity of whole baskets"
    summary: ClassVar[str] = "Every basket has the same content, and so the same size, as at least k - 1 others."
    stops: ClassVar[str] = "Finding somebody's basket even when all that is in it, and how much, is known."
    leaves_open: ClassVar[str] = (
        "What all baskets of a group have in common is known of everybody in it. It costs much more than protecting "
        "against a few known items."
    )
    formula: ClassVar[str] = "every published basket is there at least k times"
    source: ClassVar[str] = (
        "He and Naughton, Anonymization of set-valued data via top-down, local generalization, VLDB 2009"
    )

    k: int = param(Int(low=1), default=5, label="k", help="Fewest baskets of the same content.", series=(2, 5, 10, 25))

    def wants(self) -> ItemsetDemands:
        """Ask for k equal baskets."""
        return ItemsetDemands(whole=self.k)

    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> PromiseCount:
        """Count the baskets of the rarest content."""
        smallest = smallest_group(known)
        return PromiseCount(smallest, smallest == 0 or smallest >= self.k)

    def sentence(self) -> str:
        """Say the promise in words."""
        return message("every basket is the same as at least {others:other|others}", others=self.k - 1)

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"k = {self.k}"


@MODELS.register
@dataclass(frozen=True, slots=True)
class LDiversity(PrivacyModel):
    """Among those who hold any known items, at most one in l holds the sensitive item, or l values occur."""

    name: ClassVar[str] = "l"
    title: ClassVar[str] = "l-diversity"
    summary: ClassVar[str] = (
        "Whoever knows up to m other items cannot be sure of a sensitive item or of the value of a column."
    )
    stops: ClassVar[str] = (
        "Learning from a few harmless items that somebody has the sensitive one, because all or most who hold them do."
    )
    leaves_open: ClassVar[str] = (
        "Guesses that are better than chance but not sure, values that mean nearly the same, and whoever knows more "
        "than m items."
    )
    formula: ClassVar[str] = "an item: share among holders of S ≤ 1/l; a column: at least l values among them; |S| ≤ m"
    source: ClassVar[str] = "after Xu, Wang, Fu and Yu, Anonymizing transaction databases for publication, KDD 2008"
    is_about_sensitive: ClassVar[bool] = True

    sensitive: str = param(
        Text(column=True), default="", label="Sensitive", help="An item, or a column beside the baskets."
    )
    l: int = param(  # noqa: E741 - what everybody calls it
        Int(low=1), default=2, label="l", help="At most one in l has the item; at least l values.", series=(2, 3, 4)
    )
    m: int = param(
        Int(low=1, high=3), default=2, label="m", help="Most items that somebody may know.", series=(1, 2, 3)
    )

    def wants(self) -> ItemsetDemands:
        """Ask that no guess is sure."""
        return ItemsetDemands(m=self.m, l=self.l)

    def protects(self) -> str:
        """Name what is sensitive."""
        return self.sensitive

    def measure(self, published: Baskets, known: Baskets, progress: Progress) -> PromiseCount:
        """Count what whoever knows up to m items is left with: values of the column, or baskets for each with the item.

        Where nobody has the item, everybody may be without it.
        """
        if self.sensitive in published.beside.names:
            codes = published.beside.column(self.sensitive).codes.astype(np.int64)
            values = fewest_values(known, codes, self.m, progress)
            return PromiseCount(values, values >= self.l or not len(published))
        has = np.zeros(len(published), dtype=np.bool_)
        if self.sensitive in published.items:
            has[published.basket_of[published.codes == published.items.index(self.sensitive)]] = True
        left = fewest_to_one(known, has, self.m, progress)
        return PromiseCount(len(published), True) if left is None else PromiseCount(left, left >= self.l)

    def sentence(self) -> str:
        """Say the promise in words."""
        return message(
            "whoever knows up to {m:item|items} is left with at least {l:possibility|possibilities} for “{name}”",
            m=self.m,
            name=self.sensitive,
            l=self.l,
        )

    def short(self) -> str:
        """Say the promise in a few letters."""
        return f"l = {self.l}"
