"""What must stay true for people when releases meet: the goals of each release, and more than one value left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json, from_json
from anonymizer_gui.engine.rooms.microdata.meeting.shown import Shown
from anonymizer_gui.engine.rooms.microdata.meeting.system import System
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS, PrivacyModel


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that must stay true: a goal of a release, about a column or about rows alone.

    Without a goal it is that everybody has more than one value of the column left.
    """

    column: str = ""
    release: int = -1
    goal: PrivacyModel | None = None


def goals_of(release: Shown) -> tuple[tuple[PrivacyModel, ...], int]:
    """Give the goals of a release that can be judged here, and count the others.

    Those about a population cannot: which people of it fit several releases at once is not known; nor those about all
    classes of a table together. Of a release whose
    rows were not counted only numbers of values can be judged.
    """
    found, others = [], 0
    for entry in release.goals:
        goal = _goal(entry)
        if (
            goal is None
            or goal.needs_population
            or goal.of_table
            or (not _is_counted(release) and not _counts_values(goal))
        ):
            others += 1
        else:
            found.append(goal)
    return tuple(found), others


def _goal(entry: Mapping[str, Json]) -> PrivacyModel | None:
    try:
        return from_json(PRIVACY_MODELS.get(str(entry["model"])), entry["parameters"])
    except (AnonymizerError, KeyError, TypeError, ValueError, AttributeError):
        return None  # of a newer version, or damaged


def _is_counted(release: Shown) -> bool:
    return all(values.counts is not None for values in release.values)


def _counts_values(goal: PrivacyModel) -> bool:
    return goal.least_values() > 1 and not goal.compares_with_whole


def demands_of(system: System, releases: Sequence[Shown]) -> Iterator[Demand]:
    """List what must stay true and can be told from the columns of a system."""
    for column in system.columns:
        yield Demand(column)
    for number in system.releases:
        for goal in goals_of(releases[number])[0]:
            if not goal.needs_sensitive:
                yield Demand("", number, goal)
            for column in system.columns:
                if goal.needs_sensitive and goal.looks_at(column):
                    yield Demand(column, number, goal)
