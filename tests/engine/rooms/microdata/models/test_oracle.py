"""Every measure against plain Python over dictionaries, on tables that hypothesis makes up."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.measurement import published_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel, SensitiveAttribute
from anonymizer_gui.engine.rooms.microdata.models.distances import distance
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import AlphaKAnonymity, KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from anonymizer_gui.engine.rooms.microdata.models.likeness import (
    BasicBetaLikeness,
    DeltaDisclosure,
    EnhancedBetaLikeness,
)
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence, KMap
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness

Row = tuple[str, str, str, str]
Share = dict[str, float]
QIS, SAS = ["q1", "q2"], ["a", "b"]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", MISSING]),
        st.sampled_from(["1", "2"]),
        st.sampled_from(["1", "2", "10", "30", MISSING]),
        st.sampled_from(["u", "v", "w", MISSING]),
    ),
    min_size=1,
    max_size=40,
)


def classes(rows: list[Row], key: Callable[[Row], tuple[str, ...]]) -> list[list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return list(found.values())


def share(rows: list[Row], at: int) -> Share:
    counts = Counter(row[at] for row in rows)
    return {value: count / len(rows) for value, count in counts.items()}


def entropy_l(p: Share, q: Share, counts: list[int]) -> float:
    return math.exp(-sum(x * math.log(x) for x in p.values()))


def recursive_l(p: Share, q: Share, counts: list[int]) -> float:
    return max([l for l in range(1, len(counts) + 1) if counts[0] < 2 * sum(counts[l - 1 :])], default=0)  # noqa: E741


def variational(p: Share, q: Share, counts: list[int]) -> float:
    return sum(abs(p.get(v, 0) - q[v]) for v in q) / 2


def kl(p: Share, q: Share, counts: list[int]) -> float:
    return sum(p[v] * math.log2(p[v] / q[v]) for v in p)


def euclidean(p: Share, q: Share, counts: list[int]) -> float:
    return math.sqrt(sum((p.get(v, 0) - q[v]) ** 2 for v in q))


def jensen_shannon(p: Share, q: Share, counts: list[int]) -> float:
    middle = {v: (p.get(v, 0) + q[v]) / 2 for v in q}
    return (kl(p, middle, counts) + kl(q, middle, counts)) / 2


def emd_ordered(p: Share, q: Share, counts: list[int]) -> float:
    order = sorted(q, key=lambda v: (len(v), v))  # numbers without leading zeros, or single letters; missing last
    total, carried = 0.0, 0.0
    for value in order:
        carried += p.get(value, 0) - q[value]
        total += abs(carried)
    return total / max(len(order) - 1, 1)


def beta(p: Share, q: Share, counts: list[int]) -> float:
    return max(0.0, *((p[v] - q[v]) / q[v] for v in p))


def enhanced_beta(p: Share, q: Share, counts: list[int]) -> float:
    grown = {v: p[v] / q[v] - 1 for v in p}
    broken = any(grown[v] > -math.log(q[v]) + 1e-9 for v in p)
    return math.inf if broken else max(0.0, *grown.values())


def delta(p: Share, q: Share, counts: list[int]) -> float:
    return max(abs(math.log(p[v] / q[v])) if v in p else math.inf for v in q)


def distinct(p: Share, q: Share, counts: list[int]) -> float:
    return len(counts)


def alpha(p: Share, q: Share, counts: list[int]) -> float:
    return max(p.values())


CASES: list[tuple[type, dict[str, object], Callable[[Share, Share, list[int]], float], Callable[..., float]]] = [
    (DistinctLDiversity, {"missing": True}, distinct, min),
    (DistinctLDiversity, {"missing": False}, distinct, min),
    (EntropyLDiversity, {"missing": True}, entropy_l, min),
    (EntropyLDiversity, {"missing": False}, entropy_l, min),
    (RecursiveLDiversity, {"c": 2.0, "missing": True}, recursive_l, min),
    (RecursiveLDiversity, {"c": 2.0, "missing": False}, recursive_l, min),
    (TCloseness, {"distance": "variational"}, variational, max),
    (TCloseness, {"distance": "emd-equal"}, variational, max),
    (TCloseness, {"distance": "kl"}, kl, max),
    (TCloseness, {"distance": "euclidean"}, euclidean, max),
    (TCloseness, {"distance": "jensen-shannon"}, jensen_shannon, max),
    (TCloseness, {"distance": "emd-ordered"}, emd_ordered, max),
    (AlphaKAnonymity, {}, alpha, max),
    (BasicBetaLikeness, {}, beta, max),
    (EnhancedBetaLikeness, {}, enhanced_beta, max),
    (DeltaDisclosure, {}, delta, max),
]


def of_class(plain: Callable, part: list[Row], rows: list[Row], at: int, setting: dict[str, object]) -> float:
    """Give the number of one class; where missing does not count, rows without a value are not there."""
    if setting.get("missing") is False:
        part = [row for row in part if row[at] != MISSING]
    counts = sorted(Counter(row[at] for row in part).values(), reverse=True)
    return float(plain(share(part, at), share(rows, at), counts)) if part else 0.0


def test_a_class_of_one_value_and_a_gap_is_not_diverse() -> None:
    rows: list[Row] = [("x", "1", "HIV", "u")] * 4 + [("x", "1", MISSING, "v")]
    table = Table.from_rows([*QIS, *SAS], rows)
    for model in (DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity):
        groups, whole = published_groups(table, QIS, SAS)[1:]
        without, counting = (model(column="a", missing=counts).measure(groups, whole) for counts in (False, True))
        assert (without.value, without.holds) == (1, False)
        assert counting.value > 1 or model is RecursiveLDiversity


def measured(rows: list[Row], goal: PrivacyModel) -> float:
    return goal.measure(*published_groups(Table.from_rows([*QIS, *SAS], rows), QIS, SAS)[1:]).value


@given(ROWS)
def test_k_is_the_size_of_the_smallest_class_with_missing_as_a_value(rows: list[Row]) -> None:
    assert measured(rows, KAnonymity()) == min(len(c) for c in classes(rows, lambda row: row[:2]))


@pytest.mark.parametrize(("model", "setting", "plain", "worst"), CASES, ids=lambda x: getattr(x, "__name__", None))
@given(rows=ROWS)
def test_the_worst_class_over_both_sensitive_columns(
    rows: list[Row], model: type, setting: dict[str, object], plain: Callable, worst: Callable
) -> None:
    expected = worst(
        of_class(plain, part, rows, at, setting) for part in classes(rows, lambda row: row[:2]) for at in (2, 3)
    )
    assert measured(rows, model(**setting)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("model", "setting", "plain", "worst"), CASES, ids=lambda x: getattr(x, "__name__", None))
@given(rows=ROWS)
def test_the_harmonised_reading_cuts_classes_by_the_other_sensitive_column(
    rows: list[Row], model: type, setting: dict[str, object], plain: Callable, worst: Callable
) -> None:
    expected = worst(
        of_class(plain, part, rows, at, setting)
        for at, other in ((2, 3), (3, 2))
        for part in classes(rows, lambda row, other=other: (*row[:2], row[other]))
    )
    assert measured(rows, model(**setting, several="harmonised")) == pytest.approx(expected, abs=1e-9)


@given(ROWS)
def test_alpha_and_k_must_both_hold_in_every_class(rows: list[Row]) -> None:
    parts = classes(rows, lambda row: row[:2])
    fine = all(len(part) >= 2 and alpha(share(part, at), {}, []) <= 0.5 for part in parts for at in (2, 3))
    goal = AlphaKAnonymity(alpha=0.5, k=2)
    assert goal.measure(*published_groups(Table.from_rows([*QIS, *SAS], rows), QIS, SAS)[1:]).holds == fine


LIMITS: dict[type, str] = {
    DistinctLDiversity: "l",
    EntropyLDiversity: "l",
    RecursiveLDiversity: "l",
    TCloseness: "t",
    BasicBetaLikeness: "beta",
    EnhancedBetaLikeness: "beta",
    DeltaDisclosure: "delta",
}


@pytest.mark.parametrize(
    ("model", "setting", "plain", "worst"),
    [case for case in CASES if case[0] in LIMITS],
    ids=lambda x: getattr(x, "__name__", None),
)
@given(rows=ROWS, step=st.sampled_from([-0.05, 0.05]))
def test_a_goal_holds_when_the_worst_class_is_within_the_limit(
    rows: list[Row], step: float, model: type, setting: dict[str, object], plain: Callable, worst: Callable
) -> None:
    value = worst(
        of_class(plain, part, rows, at, setting) for part in classes(rows, lambda row: row[:2]) for at in (2, 3)
    )
    limit = value + step if math.isfinite(value) else 100.0
    whole = model in (DistinctLDiversity, RecursiveLDiversity)
    limit = max(math.ceil(limit), 1) if whole else max(limit, 1.0 if model is EntropyLDiversity else 0.01)
    goal = model(**setting, **{LIMITS[model]: limit})
    holds = goal.measure(*published_groups(Table.from_rows([*QIS, *SAS], rows), QIS, SAS)[1:]).holds
    assert holds == (value >= limit if worst is min else value <= limit)


PLACES = {"a1": ("a1", "a", "*"), "a2": ("a2", "a", "*"), "b1": ("b1", "b", "*"), "b2": ("b2", "b", "*")}
PLACE_TREE = Hierarchy.from_nested({"*": {"a": ["a1", "a2"], "b": ["b1", "b2"]}})
PEOPLE = st.lists(st.tuples(st.sampled_from(sorted(PLACES)), st.sampled_from(["1", "2"])), min_size=1, max_size=12)
CELLS = st.lists(
    st.tuples(st.sampled_from([*PLACES, "a", "b", "*"]), st.sampled_from(["1", "2", "*"])), min_size=1, max_size=8
)


@given(PEOPLE, CELLS, st.integers(1, 4), st.sampled_from([0.0, 0.3]), st.sampled_from([0.5, 1.0]))
def test_goals_about_a_population_count_the_people_that_fit_each_class(
    people: list[tuple[str, str]], cells: list[tuple[str, str]], k: int, low: float, high: float
) -> None:
    rows = Counter(cells)
    fit = {
        cell: sum(cell[0] in PLACES[place] and cell[1] in (number, "*") for place, number in people) for cell in rows
    }
    outside = sum(not any(c[0] in PLACES[p] and c[1] in (n, "*") for c in rows) for p, n in people)
    shares = [rows[cell] / fit[cell] if fit[cell] else math.inf for cell in rows]
    found = published_groups(
        Table.from_rows(["p", "n"], cells),
        ["p", "n"],
        [],
        {"p": PLACE_TREE},
        population=Table.from_rows(["p", "n"], people),
    )[1:]
    mapped, present = KMap(k=k).measure(*found), DeltaPresence(delta_max=high, delta_min=low).measure(*found)
    assert (mapped.value, mapped.holds) == (min(fit.values()), min(fit.values()) >= k)
    assert present.value == max(shares)
    assert present.holds == (all(low <= share <= high for share in shares) and not (outside and low > 0))


SICKNESSES = Hierarchy.from_nested({"*": {"lung": {"viral": ["0", "1"], "other": ["2"]}, "heart": ["3", "4"], "5": []}})


@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=4))
def test_the_hierarchical_distance_is_the_least_work_of_moving_mass(counts: list[list[int]]) -> None:
    table = np.array(counts) + np.eye(len(counts), 6, dtype=np.int64)
    groups, values = np.nonzero(table)
    histogram = Histogram(len(table), 6, groups, values, table[groups, values])
    whole = table.sum(axis=0)
    sensitive = SensitiveAttribute("s", tuple("012345"), whole, np.arange(6), SICKNESSES, np.arange(6))
    found = distance("emd-hierarchical", histogram, sensitive)
    expected = [least_work(row / row.sum(), whole / whole.sum()) for row in table]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


def least_work(p: np.ndarray, q: np.ndarray) -> float:
    """Solve the transport problem: values are as far apart as their common ancestor is high."""
    steps = {"viral": 1, "other": 1, "lung": 2, "heart": 1, "*": 3}
    work = [
        0.0 if i == j else steps[SICKNESSES.labels[SICKNESSES.common_ancestor(i, j)]] / 3
        for i in range(6)
        for j in range(6)
    ]
    leaving = [np.kron(np.eye(6)[i], np.ones(6)) for i in range(6)]
    arriving = [np.kron(np.ones(6), np.eye(6)[i]) for i in range(6)]
    return float(linprog(work, A_eq=np.array(leaving + arriving), b_eq=np.concatenate([p, q])).fun)
