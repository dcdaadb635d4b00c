"""What was found when a release met earlier ones, and how it is said."""

from collections.abc import Iterator
from dataclasses import dataclass

from anonymizer_gui.engine.core.messages import Message, join_messages, message, quote

_MOST_SAID = 5


@dataclass(frozen=True, slots=True)
class Beside:
    """An earlier release, and how many people are in both."""

    name: str
    people: int
    is_comparable: bool = True
    is_counted: bool = True

    def sentence(self) -> Message:
        """Say why it cannot be told who is in both."""
        return message(
            "The people of “{name}” were remembered with another key or by other identifying columns: it cannot be "
            "told who is in both.",
            name=self.name,
        )


@dataclass(frozen=True, slots=True)
class Harm:
    """A demand that holds no longer for some people: a goal of a release, or more than one value of a column left."""

    people: int
    column: str = ""
    release: str = ""
    goal: str = ""

    def sentence(self) -> Message:
        """Say what holds no longer, and for how many."""
        said = {"people": self.people, "column": self.column, "release": self.release, "goal": message(self.goal)}
        if not self.goal:
            return message("For {people:person|people} only one value of “{column}” is left.", **said)
        if not self.column:
            return message("For {people:person|people} {goal} of “{release}” holds no longer.", **said)
        return message("For {people:person|people} {goal} of “{release}” holds no longer in “{column}”.", **said)


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a release meets earlier ones: people in several, what is left for them, and whom it harms.

    Harm is what the new release adds; what the earlier ones told before is not counted again.
    """

    beside: tuple[Beside, ...] = ()
    people: int = 0
    fewest_values: int | None = None
    """The fewest values of a sensitive column that are left for somebody in several releases; None without such one."""
    column: str = ""
    """The column with the fewest values left."""
    certain_share: float = 0.0
    """The largest share of people in the same classes who certainly have the same value."""
    harms: tuple[Harm, ...] = ()
    undecided: int = 0
    """People for whom it was too much to work out."""
    changes: int = 0
    """Values corrected in between that can be read off by whoever knows whose."""
    scattered: int = 0
    """People with rows in several classes of a release, who cannot be followed from one release to the other."""
    unjudged: int = 0
    """Goals that cannot be judged here."""

    @property
    def keeps_promises(self) -> bool:
        """Whether nobody is harmed, as far as that can be told."""
        return not self.harms and not self.undecided and not self.changes

    @property
    def is_harmless(self) -> bool:
        """Whether nobody is harmed, and everybody could be compared."""
        return self.keeps_promises and all(release.is_comparable for release in self.beside)

    def told(self) -> Iterator[Message]:
        """Say all that stands in the report."""
        if any(release.is_comparable for release in self.beside):
            yield from self.sentences()
        yield from (release.sentence() for release in self.beside if not release.is_comparable)

    def sentence(self) -> Message:
        """Say in words what was found."""
        return join_messages(*self.sentences())

    def sentences(self) -> Iterator[Message]:
        """Say one after the other what was found."""
        if not self.people:
            yield message("Nobody is in both this release and an earlier one.")
            return
        names = quote(release.name for release in self.beside if release.people)
        yield message("{people:person is|people are} also in {names}.", people=self.people, names=names)
        yield from (harm.sentence() for harm in self.harms[:_MOST_SAID])
        if len(self.harms) > _MOST_SAID:
            more = len(self.harms) - _MOST_SAID
            yield message("{more:further promise holds|further promises hold} no longer for everybody.", more=more)
        if self.undecided:
            yield message(
                "For {people:person|people} it is too much to work out whether all promises still hold, so nobody "
                "calls them safe.",
                people=self.undecided,
            )
        if self.changes:
            yield message(
                "{changes:value was|values were} changed between the releases, and whoever knows whose can read what "
                "became of it.",
                changes=self.changes,
            )
        if self.keeps_promises:
            yield message("Taken together the releases still keep what they promise.")
        yield from self._left()
        yield from self._doubts()

    def _left(self) -> Iterator[Message]:
        if self.fewest_values is None:
            yield message("They share no sensitive column.")
            return
        said = {"values": self.fewest_values, "column": self.column}
        if self.fewest_values == 1 and not any(not harm.goal for harm in self.harms):
            yield message("Whoever is worst off has one value of “{column}” left, as was known before.", **said)
            return
        yield message("Whoever is worst off has {values:value|values} of “{column}” left.", **said)
        if self.certain_share < 1:
            share = self.certain_share
            yield message(
                "Of people in the same classes at most {share:.0%} certainly have the same value.", share=share
            )

    def _doubts(self) -> Iterator[Message]:
        uncounted = quote(release.name for release in self.beside if release.people and not release.is_counted)
        if uncounted:
            yield message(
                "Of {names} an earlier version kept no counts; only the values are compared.", names=uncounted
            )
        if self.scattered:
            yield message(
                "{people:person has|people have} rows in several classes of one release; which of them is which in "
                "another cannot be told, and each row counts for itself.",
                people=self.scattered,
            )
        if self.unjudged:
            yield message(
                "{goals:goal is|goals are} about more than the ledger knows, and not judged.", goals=self.unjudged
            )
