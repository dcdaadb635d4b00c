"""One judge for every privacy model: the value a file reaches, and whether that keeps the promise."""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.microdata.independent.counting import Evidence, PopulationCounts
from anonymizer_gui.engine.rooms.microdata.independent.formulas import (
    DISTANCES,
    SLACK,
    Reference,
    at_least,
    at_most,
    distinct_l,
    entropy_l,
    estimated_k,
    largest_share,
    least_beta,
    log_ratio,
    nearest_reference_group,
    recursive_l,
    relative_gain,
    unique_share,
)
from anonymizer_gui.engine.rooms.microdata.independent.interface import (
    OWN_DISTRIBUTION,
    PUBLISHED,
    UNIFORM,
    Counts,
    GoalVerdict,
    PlainGoal,
    Undecided,
)
from anonymizer_gui.engine.rooms.microdata.independent.sets import CLASSES, smallest_match


class GoalParameters:
    """The parameters of a goal; a goal that lacks one cannot be judged."""

    def __init__(self, goal: PlainGoal, place: int) -> None:
        self._entries = goal.get("parameters")
        self.place = place

    def text(self, name: str, otherwise: str) -> str:
        """Give a text, or another where the goal does not say."""
        return str(self._all().get(name, otherwise))

    def flag(self, name: str, otherwise: bool) -> bool:
        """Give yes or no, or one of them where the goal does not say."""
        return self._all().get(name, otherwise) is True

    def shares(self, name: str) -> dict[str, float]:
        """Give texts with numbers, told as pairs or by text; none where the goal does not say."""
        found = self._all().get(name) or {}
        try:
            return {str(text): float(share) for text, share in dict(found).items()}  # type: ignore[call-overload]
        except (TypeError, ValueError):
            raise Undecided(message("The goal does not say its “{name}”.", name=name)) from None

    def number(self, name: str) -> float:
        """Give a number."""
        found = self._all().get(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise Undecided(message("The goal does not say its “{name}”.", name=name))
        return found

    def _all(self) -> Mapping[str, object]:
        return self._entries if isinstance(self._entries, Mapping) else {}


CheckedValue = tuple[float, bool]
GoalCheck = Callable[[Evidence, GoalParameters], CheckedValue]


def check_goal(goal: PlainGoal, place: int, evidence: Evidence) -> GoalVerdict:
    """Judge a goal; `place` is its number among the goals."""
    model = str(goal.get("model"))
    try:
        if model not in CHECKS:
            raise Undecided(message("The recount does not know the goal “{name}”.", name=model))
        value, holds = CHECKS[model](evidence, GoalParameters(goal, place))
    except Undecided as reason:
        return GoalVerdict(goal, None, None, reason.sentence)
    return GoalVerdict(goal, float(value), holds)


def _k(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    smallest = min(evidence.counted.people_in_classes().values(), default=0)
    return smallest, not evidence.counted.rows or smallest >= parameters.number("k")


def _distinct_l(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    found = _least(evidence, parameters, distinct_l)
    return found, not evidence.counted.rows or found >= parameters.number("l")


def _entropy_l(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    found = _least(evidence, parameters, entropy_l)
    return found, not evidence.counted.rows or at_least(found, parameters.number("l"))


def _recursive_l(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    c = parameters.number("c")
    found = _least(evidence, parameters, lambda held: recursive_l(held, c))
    return found, not evidence.counted.rows or found >= parameters.number("l")


def _alpha_k(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    found = max(map(largest_share, _by_people(evidence, parameters)), default=0.0)
    return found, at_most(found, parameters.number("alpha")) and _k(evidence, parameters)[1]


def _t(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    measure = _distance(parameters)
    found = _most(evidence, parameters, measure)
    return found, at_most(found, parameters.number("t"))


def _n_t(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    n, t = int(parameters.number("n")), parameters.number("t")
    if not evidence.counted.rows:
        return 0.0, True
    if evidence.counted.rows < n:
        return float("inf"), False
    if parameters.text("group", "one") == "each":
        measure = _distance(parameters)
        far = _most(evidence, parameters, lambda held, other: 0.0 if sum(held.values()) >= n else measure(held, other))
        return far, at_most(far, t)
    found = max(_from_one_group(evidence, parameters, column, n, t) for column in _columns(evidence, parameters))
    return found, at_most(found, t)


def _from_one_group(evidence: Evidence, parameters: GoalParameters, column: str, n: int, t: float) -> float:
    measure = _distance(parameters)
    classes = evidence.histograms(column, harmonised=_is_harmonised(evidence, parameters))
    shown = evidence.known.groups.get(parameters.place, {}).get(column)

    def worst(group: Counts) -> float:
        other = evidence.reference_of(column, group)
        return max(measure(held, other) for held in classes)

    return nearest_reference_group(evidence.whole(column), n, t * (1 + SLACK), shown, worst)


def _beta(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    found = _most(evidence, parameters, relative_gain)
    return found, at_most(found, parameters.number("beta"))


def _enhanced_beta(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    found = _most(evidence, parameters, least_beta)
    return found, at_most(found, parameters.number("beta"))


def _delta_disclosure(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    found = _most(evidence, parameters, log_ratio)
    return found, not evidence.counted.rows or found < parameters.number("delta") * (1 - SLACK)


def _k_map(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    people = _population(evidence)
    fewest = min((people.in_classes.get(number, 0) for number in evidence.counted.sizes), default=0)
    return fewest, not evidence.counted.rows or fewest >= parameters.number("k")


def _delta_presence(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    people, low, high = _population(evidence), parameters.number("delta_min"), parameters.number("delta_max")
    rows = evidence.counted.people_in_classes()
    found = [times / people.in_classes[at] if people.in_classes.get(at) else float("inf") for at, times in rows.items()]
    within = all(at_most(share, high) and at_least(share, low) for share in found)
    return max(found, default=0.0), within and not (people.outside and low > 0)


def _average_risk(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    people = evidence.counted.people_in_classes()
    found = len(people) / sum(people.values()) if people else 0.0
    return found, at_most(found, parameters.number("risk"))


def _records_at_risk(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    """A risk is above a limit when 1 / people is; rounding aside, as everywhere."""
    people = list(evidence.counted.people_in_classes().values())
    threshold, highest = parameters.number("threshold"), parameters.number("highest")
    at_risk = sum(size for size in people if 1 / size > threshold * (1 + SLACK) + SLACK)
    found = at_risk / sum(people) if people else 0.0
    within = all(1 / size <= highest * (1 + SLACK) + SLACK for size in people)
    return found, within and at_most(found, parameters.number("share"))


def _estimated_k_map(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    smallest = min(evidence.counted.people_in_classes().values(), default=0)
    fraction, significance = parameters.number("fraction"), parameters.number("significance")
    truncated = parameters.text("estimator", "") == "zero-truncated"
    found = estimated_k(smallest, fraction, significance, truncated=truncated) if smallest else 0
    return found, not evidence.counted.rows or found >= parameters.number("k")


def _population_uniqueness(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    sizes = Counter(evidence.counted.people_in_classes().values())
    found = unique_share(parameters.text("model", "dankar"), sizes, parameters.number("population"))
    return found, at_most(found, parameters.number("share"))


def _k_km(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    k, m = int(parameters.number("k")), int(parameters.number("m"))
    smallest = min(evidence.counted.people_in_classes().values(), default=0)
    found = min(smallest, smallest_match(evidence, m, parameters.text("where", CLASSES)))
    enough = smallest >= max(k, parameters.number("rows"))
    return found, not evidence.counted.rows or (enough and found >= k)


def _subset_k(evidence: Evidence, parameters: GoalParameters) -> CheckedValue:
    """Count the people who share the cells of every set of so many columns."""
    number = min(int(parameters.number("m")), len(evidence.columns.qis))
    sets = list(combinations(range(len(evidence.columns.qis)), number))
    fewest = min((min(evidence.counted.sharing(key).values(), default=0) for key in sets), default=0)
    return fewest, not evidence.counted.rows or fewest >= parameters.number("k")


CHECKS: dict[str, GoalCheck] = {
    "k": _k,
    "l": _distinct_l,
    "entropy-l": _entropy_l,
    "recursive-l": _recursive_l,
    "alpha-k": _alpha_k,
    "t": _t,
    "n-t": _n_t,
    "beta": _beta,
    "enhanced-beta": _enhanced_beta,
    "delta-disclosure": _delta_disclosure,
    "k-map": _k_map,
    "delta-presence": _delta_presence,
    "average-risk": _average_risk,
    "records-at-risk": _records_at_risk,
    "estimated-k-map": _estimated_k_map,
    "population-uniqueness": _population_uniqueness,
    "k-km": _k_km,
    "subset-k": _subset_k,
}


def _columns(evidence: Evidence, parameters: GoalParameters) -> list[str]:
    return list(evidence.looked_at(parameters.text("column", "")))


def _is_harmonised(evidence: Evidence, parameters: GoalParameters) -> bool:
    return parameters.text("several", "each") == "harmonised" and len(evidence.columns.sensitive) > 1


def _by_people(evidence: Evidence, parameters: GoalParameters, *, with_missing: bool = True) -> list[Counts]:
    """Give the histograms of all columns a goal looks at, by people where they are known."""
    harmonised = _is_harmonised(evidence, parameters)
    return [
        held
        for column in _columns(evidence, parameters)
        for held in evidence.histograms_of_people(column, harmonised=harmonised, with_missing=with_missing)
    ]


def _least(evidence: Evidence, parameters: GoalParameters, number: Callable[[Counts], float]) -> float:
    """Give the least number of any class and column; a goal that does not say so counts missing as a value."""
    classes = _by_people(evidence, parameters, with_missing=parameters.flag("missing", True))
    return min(map(number, classes), default=0.0)


def _most(evidence: Evidence, parameters: GoalParameters, number: Callable[[Counts, Reference], float]) -> float:
    """Give the largest number of any class and column, compared with the reference of the goal."""
    harmonised = _is_harmonised(evidence, parameters)
    found = 0.0
    for column in _columns(evidence, parameters):
        other = _reference(evidence, parameters, column)
        for held in evidence.histograms(column, harmonised=harmonised):
            found = max(found, number(held, other))
    return found


def _reference(evidence: Evidence, parameters: GoalParameters, column: str) -> Reference:
    """Give what a goal compares with: a distribution that it names itself, else one that is known by its name."""
    name, own = parameters.text("reference", PUBLISHED), parameters.shares("distribution")
    if name == UNIFORM:
        return evidence.reference_of(column, dict.fromkeys(evidence.whole(column), 1))
    return evidence.reference_of(column, own) if name == OWN_DISTRIBUTION and own else evidence.reference(column, name)


def _distance(parameters: GoalParameters) -> Callable[[Counts, Reference], float]:
    name = parameters.text("distance", "emd-equal")
    if name not in DISTANCES:
        raise Undecided(message("The recount does not know the distance “{name}”.", name=name))
    return DISTANCES[name]


def _population(evidence: Evidence) -> PopulationCounts:
    if evidence.population is None:
        raise Undecided(message("The goal needs a population table."))
    return evidence.population
