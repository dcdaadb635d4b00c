"""Why goals cannot be reached and the nearest setting; table-level goals kept by a surrogate k.

No class decides such a goal, so an algorithm that decides class by class cannot ask for it. It is run with a least
number of rows in every class instead: the smallest with which the table keeps the goals. Whatever they ask for there is
a number that is enough for certain. The lattice judges whole tables itself and needs none of this.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Float, Int, Param, replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import number_rows
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm, EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.generalisation import most_general_groups
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import (
    COMBINED,
    ClassGroups,
    GoalSet,
    PrivacyModel,
    main_parameter,
)
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.persons import PersonGroups
from anonymizer_gui.engine.rooms.microdata.models.reference_distribution import unused_values_note
from anonymizer_gui.engine.rooms.microdata.recoding import Recoding

_HALVINGS = 40

_DIGITS = 4


def explain_infeasible(
    encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, groups: ClassGroups | None = None
) -> Infeasible:
    """Explain why goals cannot be reached, on the groups given or on the most general table the levels allow."""
    first = most_general_groups(encoded)
    general = encoded.groups(first, int(first.max(initial=-1)) + 1) if groups is None else groups
    allowed = allowed_suppressions(encoded.n_rows, limits.suppression)
    failing = [
        model for model in goals.models if suppress_groups(general, replace(goals, models=(model,)), allowed) is None
    ]
    if not failing:
        return _only_together(goals, general, encoded.n_rows, allowed)
    model = failing[0]
    nearest = _nearest_setting(model, goals, general, allowed)
    ways = [
        nearest and message("set {setting}", setting=nearest),
        _nearest_limit(goals, general, encoded.n_rows, limits),
        _bounds(encoded),
    ]
    where = _where(model, goals, general, of_table=groups is None)
    text = message(
        "{goal} cannot be reached: {where}"
        if is_proven_infeasible(goals, allowed)
        else "{goal} was not reached: {where}",
        goal=message(model.title),
        where=where,
    )
    hint = join_messages(unused_values_note(model, goals.whole), _way_out([way for way in ways if way]))
    return Infeasible(text, hint, model.sentence(), nearest)


def _way_out(ways: Sequence[str]) -> str:
    """Say what would work; nothing when nothing would."""
    if not ways:
        return ""
    *others, listed = ways
    for way in reversed(others):
        listed = message("{way}; or {other}", way=way, other=listed)
    return message("What would work: {ways}.", ways=listed)


def _where(model: PrivacyModel, goals: GoalSet, groups: ClassGroups, *, of_table: bool) -> str:
    """Say in which classes and to what value a goal fails."""
    if goals.whole.n_rows < model.least_rows():
        return message("the table has only {rows:row|rows}.", rows=goals.whole.n_rows)
    if model.of_table:
        return message(
            "{table} reaches only {reached:.4g}.",
            table=message("even the most general table" if of_table else "this table"),
            reached=model.measure(groups, goals.whole).value,
        )
    fails = ~model.satisfied(groups, goals.whole) & (groups.sizes > 0)
    columns = [name for name in goals.whole.sensitive if name != COMBINED and model.looks_at(name)]
    return message(
        "{table} reaches only {reached:.4g} for “{column}”; {failing}."
        if columns
        else "{table} reaches only {reached:.4g}; {failing}.",
        table=message("even the most general table" if of_table else "this table"),
        reached=model.measure_alone(groups, goals.whole).value,
        column=columns,
        failing=_failing(groups, fails),
    )


def _failing(groups: ClassGroups, fails: npt.NDArray[np.bool_]) -> Message:
    rows, n_classes = int(groups.sizes[fails].sum()), int(np.count_nonzero(groups.sizes))
    if n_classes == 1:
        return message("its only class ({rows:row|rows}) fails", rows=rows)
    return message(
        "{count:,} of its {classes:class|classes} ({rows:row|rows}) {count:~fails|fail}",
        count=int(np.count_nonzero(fails)),
        classes=n_classes,
        rows=rows,
    )


def is_proven_infeasible(goals: GoalSet, allowed: int) -> bool:
    """Say whether goals that the most general table misses are out of reach for every other.

    Without suppression they are where every goal that holds for classes holds for their union. Rows that may be left
    out could be others than those looked at, unless all parts of a class that fails do so, too.
    """
    fails_in_parts = not goals.of_table and all(map(goals.fails_in_parts, goals.models))
    return goals.stay_when_merged and (not allowed or fails_in_parts)


def _only_together(goals: GoalSet, groups: ClassGroups, n_rows: int, allowed: int) -> Infeasible:
    """Every goal could be reached alone, with other rows suppressed."""
    titles = [message(model.title) for model in goals.models]
    limit = _nearest_limit(goals, groups, n_rows, SearchLimits())
    hint = _way_out([limit]) if limit else "Loosen one of the goals, or allow more suppression."
    sentence = message(
        "The goals cannot be reached together: {goals}."
        if is_proven_infeasible(goals, allowed)
        else "The goals were not reached together: {goals}.",
        goals=titles,
    )
    return Infeasible(sentence, hint, message("{goals}", goals=titles))


def _nearest_setting(model: PrivacyModel, goals: GoalSet, groups: ClassGroups, allowed: int) -> str:
    """Find the value of the model's first parameter nearest to the one asked for that works; "" when none does."""
    declared = main_parameter(type(model))
    asked = getattr(model, declared.name)

    def works(value: float) -> bool:
        other = replace_params(model, **{declared.name: value})
        return suppress_groups(groups, replace(goals, models=(other,)), allowed) is not None

    for end in _ends(declared, groups, asked):
        if works(end):
            found = _search(works, asked, end, whole=isinstance(declared.kind, Int))
            return message("{label} = {value:g}", label=message(declared.label), value=found)
    return ""


def _ends(declared: Param, groups: ClassGroups, asked: float) -> list[Any]:
    """Give the loosest values a parameter may have, on either side."""
    kind = declared.kind
    if isinstance(kind, Int):
        return [kind.low or 0, kind.high or max(int(groups.sizes.sum()), asked)]
    if isinstance(kind, Float):
        high = kind.high if kind.high is not None else max(asked, 1.0) * 1e6
        return [high, kind.low if kind.low is not None and not kind.above else asked / 1e6]
    return []


def _search(works: Callable[[float], bool], asked: float, end: float, *, whole: bool) -> float:
    """Halve the way between what fails and what works; what is returned works."""
    bad, good = asked, end
    for _ in range(_HALVINGS):
        middle = (bad + good) // 2 if whole else (bad + good) / 2
        if middle in (bad, good):
            break
        bad, good = (bad, middle) if works(middle) else (middle, good)
    if whole:
        return good
    step = 10.0**-_DIGITS
    rounded = round(good + (step / 2 if good > bad else -step / 2), _DIGITS)
    return rounded if works(rounded) else good


def _nearest_limit(goals: GoalSet, groups: ClassGroups, n_rows: int, limits: SearchLimits) -> str:
    """Say which suppression limit would do; "" when nothing would be left."""
    settled = suppress_groups(groups, goals, n_rows)
    if (
        settled is None
        or settled.suppressed >= n_rows
        or settled.suppressed <= allowed_suppressions(n_rows, limits.suppression)
    ):
        return ""
    share = np.ceil(settled.suppressed / n_rows * 10_000) / 100
    return message("allow the suppression of {share:g} % of the rows", share=share)


def _bounds(encoded: EncodedTable) -> str:
    bounded = [qi.name for qi in encoded.qis if qi.top < qi.hierarchy.height]
    return message("allow higher levels of {columns}", columns=bounded) if bounded else ""


def run_with_table_goals(
    algorithm: Algorithm, encoded: EncodedTable, goals: GoalSet, limits: SearchLimits, progress: Progress
) -> Recoding:
    """Run an algorithm so that the goals about the whole table are kept, too; raises Infeasible when they are not."""
    if not goals.of_table or algorithm.judges(goals.models):
        return algorithm.run(encoded, goals, limits, progress)
    enough = max(model.enough_rows() for model in goals.of_table)
    others = tuple(model for model in goals.models if not model.of_table)
    found: dict[int, Recoding | None] = {}

    def keeps(rows: int) -> bool:
        least = replace(goals, models=(*others, KAnonymity(rows)), are_stricter=rows > goals.least_rows)
        try:
            made = algorithm.run(encoded, least, limits, progress.sub(len(found) / (len(found) + 4), 1.0))
        except Infeasible:
            found[rows] = None
            return True  # more rows would not be reached, either: look below
        found[rows] = made if goals.kept_by_table(_published(encoded, made)) else None
        return found[rows] is not None

    low, high = max(goals.least_rows, 1), min(enough, max(encoded.n_rows, 1))
    if not keeps(low):
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if keeps(middle) else (middle, high)
        if high not in found:
            keeps(high)
    kept = [(rows, made) for rows, made in sorted(found.items()) if made is not None]
    if not kept:
        raise explain_infeasible(encoded, goals, limits)
    rows, made = kept[0]
    return made if rows <= goals.least_rows else replace(made, notes=(*made.notes, _told(rows)))


def _told(rows: int) -> str:
    return message(
        "For the goals about the whole table every class was asked to have at least {rows:row|rows}.", rows=rows
    )


def _published(encoded: EncodedTable, recoding: Recoding) -> ClassGroups:
    """Count the rows and people of the classes as they are published: those with the same cells are one."""
    cells = [*recoding.low.T, *recoding.high.T, *recoding.node.T]
    _, alike = number_rows(cells) if recoding.n_classes else (None, np.zeros(0, dtype=np.int64))
    n_classes = int(alike.max(initial=-1)) + 1
    told = recoding.class_of_row >= 0
    group = np.full(len(told), n_classes, dtype=np.int64)  # what is left out is one more group, and goes
    group[told] = alike[recoding.class_of_row[told]]
    sizes = np.bincount(group, weights=encoded.times, minlength=n_classes + 1)[:n_classes].astype(np.int64)
    first = np.unique(alike, return_index=True)[1] if n_classes else np.zeros(0, dtype=np.int64)
    parts = zip(recoding.low.T, recoding.high.T, recoding.node.T, strict=True)
    columns = [number_rows([part[first] for part in column])[1] for column in parts] if n_classes else []
    numbered = np.stack(columns, axis=1).astype(np.int64) if columns else None
    return ClassGroups(sizes, persons=_persons(encoded, group, n_classes), cells=numbered)


def _persons(encoded: EncodedTable, group: npt.NDArray[np.int64], n_classes: int) -> PersonGroups | None:
    if encoded.persons is None:
        return None
    every = encoded.persons.regrouped(group, n_classes + 1)
    return every.only(np.append(np.arange(n_classes), -1), n_classes)
