"""The columns of the table of releases: figures every release has, those of each sensitive column, those of goals."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anonymizer_gui.engine.core.params import to_json
from anonymizer_gui.engine.rooms.microdata.models.contract import Measurement, PrivacyModel, main_parameter
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import release_figure
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.figures import number

NAME, GOALS, STATE = "name", "goals", "state"
TEXTS = (NAME, GOALS, STATE, "algorithm", "parameters")
NOTHING = "–"
_KIND = {"l": "distinct", "t": "emd"}
"""Which of several readings a column shows."""


@dataclass(frozen=True, slots=True)
class Head:
    """A column: its key, title, and what it tells; `of` is the sensitive column or the goal it is about."""

    key: str
    title: str
    tip: str
    of: str = ""


def heads(releases: Sequence[Release] = ()) -> list[Head]:
    """List the columns in the order they stand: l and t once for each sensitive column, goals that need their own.

    However many sensitive columns there are, risk and loss stand before them.
    """
    return [
        Head(NAME, tr("Name"), tr("Press F2 to rename a release")),
        Head(GOALS, tr("Goals"), tr("What had to hold when the release was made")),
        Head(STATE, tr("State"), tr("Whether the settings have changed since the run")),
        Head("k", "k", tr("Rows in the smallest class; more is safer")),
        Head("risk", tr("Highest risk"), tr("Chance to pick out the person in the smallest class")),
        Head("lm", tr("Loss (LM)"), tr("Share of its domain the average cell covers; less is more useful")),
        Head("query-error", tr("Query error"), tr("How wrong a typical count is when asked of the release")),
        Head("suppressed", tr("Suppressed"), tr("Rows left out or published as *")),
        Head("emptied", tr("Nothing left"), tr("Published rows with * or the root in every quasi-identifier")),
        *_of_goals(releases),
        *_of_sensitive("l", releases),
        *_of_sensitive("t", releases),
        Head("classes", tr("Classes"), tr("Number of equivalence classes")),
        Head("md", "MD", tr("Levels climbed, summed over all cells; less is more useful")),
        Head("seconds", tr("Seconds"), tr("Time to make and measure the release")),
        Head("algorithm", tr("Algorithm"), tr("How the release was made")),
        Head("parameters", tr("Parameters"), tr("Parameters of the algorithm that differ from the usual ones")),
    ]


def sensitive_columns(releases: Iterable[Release]) -> tuple[str, ...]:
    """Name the sensitive columns of all releases, each once."""
    return tuple(dict.fromkeys(name for release in releases for name in release.measured.per_sensitive))


def value_of(release: Release, head: Head) -> float | None:
    """Give the figure of a column as the release was measured; None where there is none."""
    if head.key == "goal":
        return next((found.value for label, found in _labelled(release) if label == head.of), None)
    if head.of:
        found = release.measured.per_sensitive.get(head.of)
        return None if found is None else found[head.key][_KIND[head.key]]
    return release_figure(release, head.key)


def promise_of(release: Release, head: Head) -> str:
    """Say which goals of the release the figure is about, what each asked for, and what it reached."""
    return "\n".join(
        tr("Goal: {goal}; reached {value}", goal=tr(model.sentence()), value=reached(found.value))
        for model, found in release.measured.goals
        if _is_about(model, head)
    )


def written(key: str, value: float | None) -> str:
    """Write a figure for people; a dash where there is none."""
    if value is None or math.isnan(value):
        return NOTHING
    if key == "goal":
        return reached(value)
    if key in ("risk", "average-risk", "lm", "query-error"):
        return format_percent(value)
    if key == "t":
        return format_decimal(value, 3)
    return format_decimal(value, 2) if key == "seconds" else format_integer(value)


def reached(value: float) -> str:
    """Write what a goal reached."""
    return "∞" if math.isinf(value) else number(value)


def _of_sensitive(key: str, releases: Sequence[Release]) -> list[Head]:
    names = sensitive_columns(releases)
    found = []
    for name in names:
        tip = tr("Fewest different values of “{column}” in a class; more is safer", column=name)
        if key == "t":
            tip = tr("Largest distance of a class from all published rows in “{column}”; less is safer", column=name)
        found.append(Head(key, f"{key}: {name}" if len(names) > 1 else key, tip, name))
    return found


def _of_goals(releases: Sequence[Release]) -> list[Head]:
    """Give a column to each goal whose value no other column shows."""
    labels = dict.fromkeys(
        label
        for release in releases
        for (label, found), (model, _) in zip(_labelled(release), release.measured.goals, strict=True)
        if not _is_shown(release, model, found)
    )
    return [Head("goal", label, tr("What the release reaches for this goal"), label) for label in labels]


def _is_shown(release: Release, model: PrivacyModel, found: Measurement) -> bool:
    if not model.is_the_figure or not model.needs_sensitive:
        return model.is_the_figure
    each = release.measured.per_sensitive.items()
    return any(both[model.figure][_KIND[model.figure]] == found.value for name, both in each if model.looks_at(name))


def _is_about(model: PrivacyModel, head: Head) -> bool:
    if head.key == "goal":
        return _label(model) == head.of
    return model.is_the_figure and model.figure == head.key and (not head.of or model.looks_at(head.of))


def _labelled(release: Release) -> list[tuple[str, Measurement]]:
    return [(_label(model), found) for model, found in release.measured.goals]


_UNTOLD: tuple[object, ...] = ("", "each", False, "published", [])
"""What parameters say when they say nothing special."""


def _label(model: PrivacyModel) -> str:
    """Name a goal without the number it asks for, so that a range of numbers shares one column."""
    asked = main_parameter(type(model)).name
    others = [str(item) for name, item in to_json(model).items() if name != asked and item not in _UNTOLD]
    return f"{tr(model.title)}: {', '.join(others)}" if others else tr(model.title)
