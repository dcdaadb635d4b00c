"""Why goals cannot be reached: which fails, where, and the nearest setting that works."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.messages import Message, join_messages, message
from anonymizer_gui.engine.core.params import Float, Int, Param, replace_params
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Encoded, Limits
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_rows, settle
from anonymizer_gui.engine.rooms.microdata.privacy.all_goals import Goals
from anonymizer_gui.engine.rooms.microdata.privacy.contract import COMBINED, Groups, PrivacyModel, strength
from anonymizer_gui.engine.rooms.microdata.privacy.named_values import named_in_vain
from anonymizer_gui.engine.rooms.microdata.recoding import first_groups

_HALVINGS = 40
_DIGITS = 4


def infeasible(encoded: Encoded, goals: Goals, limits: Limits, groups: Groups | None = None) -> Infeasible:
    """Explain why goals cannot be reached, on the groups given or on the most general table the levels allow."""
    first = first_groups(encoded)
    general = encoded.groups(first, int(first.max(initial=-1)) + 1) if groups is None else groups
    allowed = allowed_rows(encoded.n_rows, limits.suppression)
    failing = [model for model in goals.models if settle(general, replace(goals, models=(model,)), allowed) is None]
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
        "{goal} cannot be reached: {where}" if is_certain(goals, allowed) else "{goal} was not reached: {where}",
        goal=message(model.title),
        where=where,
    )
    hint = join_messages(named_in_vain(model, goals.whole), _way_out([way for way in ways if way]))
    return Infeasible(text, hint, model.sentence(), nearest)


def _way_out(ways: Sequence[str]) -> str:
    """Say what would work; nothing when nothing would."""
    if not ways:
        return ""
    *others, listed = ways
    for way in reversed(others):
        listed = message("{way}; or {other}", way=way, other=listed)
    return message("What would work: {ways}.", ways=listed)


def _where(model: PrivacyModel, goals: Goals, groups: Groups, *, of_table: bool) -> str:
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


def _failing(groups: Groups, fails: npt.NDArray[np.bool_]) -> Message:
    rows, n_classes = int(groups.sizes[fails].sum()), int(np.count_nonzero(groups.sizes))
    if n_classes == 1:
        return message("its only class ({rows:row|rows}) fails", rows=rows)
    return message(
        "{count:,} of its {classes:class|classes} ({rows:row|rows}) {count:~fails|fail}",
        count=int(np.count_nonzero(fails)),
        classes=n_classes,
        rows=rows,
    )


def is_certain(goals: Goals, allowed: int) -> bool:
    """Say whether goals that the most general table misses are out of reach for every other.

    Without suppression they are where every goal that holds for classes holds for their union. Rows that may be left
    out could be others than those looked at, unless all parts of a class that fails do so, too.
    """
    fails_in_parts = not goals.of_table and all(map(goals.fails_in_parts, goals.models))
    return goals.stay_when_merged and (not allowed or fails_in_parts)


def _only_together(goals: Goals, groups: Groups, n_rows: int, allowed: int) -> Infeasible:
    """Every goal could be reached alone, with other rows suppressed."""
    titles = [message(model.title) for model in goals.models]
    limit = _nearest_limit(goals, groups, n_rows, Limits())
    hint = _way_out([limit]) if limit else "Loosen one of the goals, or allow more suppression."
    sentence = message(
        "The goals cannot be reached together: {goals}."
        if is_certain(goals, allowed)
        else "The goals were not reached together: {goals}.",
        goals=titles,
    )
    return Infeasible(sentence, hint, message("{goals}", goals=titles))


def _nearest_setting(model: PrivacyModel, goals: Goals, groups: Groups, allowed: int) -> str:
    """Find the value of the model's first parameter nearest to the one asked for that works; "" when none does."""
    declared = strength(type(model))
    asked = getattr(model, declared.name)

    def works(value: float) -> bool:
        other = replace_params(model, **{declared.name: value})
        return settle(groups, replace(goals, models=(other,)), allowed) is not None

    for end in _ends(declared, groups, asked):
        if works(end):
            found = _search(works, asked, end, whole=isinstance(declared.kind, Int))
            return message("{label} = {value:g}", label=message(declared.label), value=found)
    return ""


def _ends(declared: Param, groups: Groups, asked: float) -> list[Any]:
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


def _nearest_limit(goals: Goals, groups: Groups, n_rows: int, limits: Limits) -> str:
    """Say which suppression limit would do; "" when nothing would be left."""
    settled = settle(groups, goals, n_rows)
    if (
        settled is None
        or settled.suppressed >= n_rows
        or settled.suppressed <= allowed_rows(n_rows, limits.suppression)
    ):
        return ""
    share = np.ceil(settled.suppressed / n_rows * 10_000) / 100
    return message("allow the suppression of {share:g} % of the rows", share=share)


def _bounds(encoded: Encoded) -> str:
    bounded = [qi.name for qi in encoded.qis if qi.top < qi.hierarchy.height]
    return message("allow higher levels of {columns}", columns=bounded) if bounded else ""
