"""With hardly any noise the answers are the true ones, and sensitivities are those of the worked examples."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.questions.numbers import Mean
from anonymizer_gui.engine.rooms.statistics.run import run
from tests.engine.rooms.statistics.making import CHANGE, PERSON, ROW, plan, visits
from tests.noise import CHANCE, least_hits

SURE = Fraction(10**6)
"""The widest noise has a scale of 2 * 120 / 10^6: it moves an answer by 0.01 with a probability below exp(-40)."""
AGES = [(i * 37) % 100 for i in range(60)]


def answered(ask: str, table: Table | None = None, **changes: Any) -> Answer:
    """Ask one question with so much budget that the noise is nothing."""
    project = plan(ask, **{"epsilon": SURE, "total": SURE, **changes})
    return run(project, {"table": table or visits()}).answers[0]


@pytest.mark.parametrize(
    ("ask", "value"),
    [
        ("count", 60),
        ("count age>=50", sum(age >= 50 for age in AGES)),
        ("count age<50 and sex=F", sum(age < 50 and i % 2 == 0 for i, age in enumerate(AGES))),
        ("count sex!=F", 30),
        ("count day>2024-06-30", 30),
        ("sum age 0 100", sum(AGES)),
        ("sum age 20 50", sum(min(max(age, 20), 50) for age in AGES)),
        ("mean age 0 100", np.mean(AGES)),
        ("mean age 20 50", np.mean(np.clip(AGES, 20, 50))),
        ("min age 0 100", min(AGES)),
        ("max age 0 100", max(AGES)),
        ("median age 0 100", np.median(AGES)),
        ("most-common sex M,F", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("unit", [ROW, CHANGE], ids=str)
def test_single_answers_are_the_true_ones(ask: str, value: float | None, unit: PrivacyUnit) -> None:
    found = answered(ask, unit=unit)
    if value is None:
        assert found.value in ("M", "F")
    elif ask.startswith("median"):
        assert isinstance(found.value, int)
        assert abs(sum(age < found.value for age in AGES) - 30) <= 1
    else:
        assert found.value == pytest.approx(value, abs=0.5 if ask.startswith(("min", "max", "sum")) else 1e-2)


def test_a_sum_of_many_large_values_does_not_begin_anew_at_the_other_end() -> None:
    """Ten thousand values of 10^15 steps are more than 64 bits hold: then the sum stays where it is."""
    question = plan("sum income 10000000000 10000000001").questions[0].question
    public = plan().public(plan("count").questions[0])
    sums = [
        int(question.counted(Table.from_rows(["income"], [["10000000000"]] * rows), public)[0][0])
        for rows in (2, 2000, 2400, 9223, 9224, 10_000)
    ]
    assert sums[:2] == [2 * 10**15, 2000 * 10**15]
    assert sums[2:] == [2**61] * 4


def test_a_share_with_endless_digits_is_refused() -> None:
    with pytest.raises(BadParameter, match="too many digits"):
        answered("quantile 0.1234567890123456 age 0 100")


def test_tables_of_answers_are_the_true_ones() -> None:
    assert answered("histogram sex F,M,X").values == (("F", 30), ("M", 30), ("X", 0))
    assert answered("histogram sex F with others=yes").values == (("F", 30), ("(others)", 30))
    assert answered("histogram school").values == tuple((s, 12) for s in ("none", "basic", "BA", "MA", "PhD"))
    assert answered("histogram school low,high").values == (("low", 24), ("high", 36))
    tens = np.bincount(np.array(AGES) // 10, minlength=10).tolist()
    assert [number for _, number in answered("histogram age 0 100 10").values] == tens
    assert answered("histogram age 0 100 10").values[0][0] == "[0, 10)"
    assert answered("histogram day 2024-01-01 2024-12-31 quarter").values == tuple(
        (f"2024-Q{q}", 15) for q in (1, 2, 3, 4)
    )
    assert dict(answered("histogram day 2024-01-01 2024-01-31 day").values)["2024-01-15"] == 5
    assert dict(answered("histogram day 2024-01-01 2024-01-31 week").values)["2024-01-15"] == 5
    assert answered("histogram day 2020-01-01 2024-12-31 year").values[-1] == ("2024", 60)
    assert answered("two-way sex F,M school low,high").values == tuple(
        (f"{sex} × {level}", 12 if level == "low" else 18) for sex in "FM" for level in ("low", "high")
    )


def test_a_map_counts_from_west_to_east_then_from_south_to_north() -> None:
    table = Table.from_rows(
        ["x", "y"], [["0.1", "0.1"], ["0.9", "0.1"], ["0.9", "1"], ["1", "0.9"], ["2", "0"], ["?", "0"]]
    )
    assert [number for _, number in answered("grid x 0 1 y 0 1 2 2", table).values] == [1, 1, 0, 2]


def test_counts_along_a_hierarchy_add_up_whatever_the_noise() -> None:
    exact = dict(answered("levels school").values)
    assert exact == {
        "*": 60,
        "low": 24,
        "none": 12,
        "basic": 12,
        "high": 36,
        "first": 12,
        "more": 24,
        "MA": 12,
        "PhD": 12,
    }
    for _ in range(20):
        noisy = dict(answered("levels school", epsilon=Fraction(1, 10)).values)
        assert noisy["*"] == noisy["low"] + noisy["high"]
        assert noisy["low"] == noisy["none"] + noisy["basic"]
        assert noisy["high"] == noisy["first"] + noisy["more"]
        assert noisy["more"] == noisy["MA"] + noisy["PhD"]


def test_a_ranking_names_the_most_common_first() -> None:
    table = Table.from_rows(["c"], [["a"]] * 9 + [["b"]] * 30 + [["c"]] * 20 + [["d"]])
    for way in ("top-k-rounds", "top-k-once"):
        found = answered(f"top 3 c a,b,c,d,e with way={way}", table)
        assert found.value == ("b", "c", "a")
        assert found.values == (("b", 1), ("c", 2), ("a", 3))
    assert answered("most-common c a,b,c", table).value == "b"


def test_bounds_are_found_up_to_a_factor_of_two() -> None:
    assert dict(answered("bounds age").values) == {"low": 0, "high": 128}
    negative = Table.from_rows(["n"], [["-5"]] * 50 + [["3"]] * 50)
    assert dict(answered("bounds n", negative).values) == {"low": -8, "high": 4}


def test_bounds_of_what_does_not_stand_out_of_the_noise_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn noise passes the threshold once in two hundred times, so this one is 0."""
    monkeypatch.setattr(gateway, "answer", lambda request, _progress: request.values)
    low = answered("bounds age", visits(3), epsilon=Fraction(1, 100))
    assert low.values == ()
    assert "stands out of the noise" in low.notes[0]
    assert answered("bounds age", epsilon=Fraction(10)).values != ()


def test_intervals_of_a_hierarchy_are_bins() -> None:
    labels = {"*": ["young", "old"]}
    tree = Hierarchy(Hierarchy.from_nested(labels).labels, [-1, 0, 0], {1: Interval(0, 50), 2: Interval(50, 120)})
    found = answered("histogram age", hierarchies={"age": tree})
    assert found.values == (("young", sum(age < 50 for age in AGES)), ("old", sum(age >= 50 for age in AGES)))


def test_missing_cells_and_texts_are_no_numbers() -> None:
    table = Table.from_rows(["age"], [["10"], ["20"], [MISSING], ["old"]])
    assert answered("mean age 0 100", table).value == pytest.approx(15, abs=1)
    assert answered("sum age 5 100", table).value == pytest.approx(30, abs=2)
    assert answered("count age>=0", table).value == 2
    changed = answered("mean age 0 100", table, unit=CHANGE)
    assert changed.value == pytest.approx((10 + 20 + 50 + 50) / 4, abs=1)
    assert "count as the middle of the bounds" in changed.notes[0]


@pytest.mark.parametrize(
    ("ask", "unit", "sensitivity"),
    [
        ("count", ROW, 1), ("count", CHANGE, 0), ("count age>=5", CHANGE, 1), ("count", PERSON, 2),
        ("histogram sex F,M", ROW, 1), ("histogram sex F,M", CHANGE, 2), ("histogram sex F,M", PERSON, 2),
        ("sum age 0 100", ROW, 100), ("sum age -20 100", CHANGE, 120), ("sum age 0 100", PERSON, 200),
        ("mean age 0 100", CHANGE, Fraction(100, 60)), ("mean age 0 100", ROW, 100),
        ("max age 0 100", ROW, 100), ("min age 0 100", CHANGE, 100),
        ("levels school", ROW, 4), ("levels school", CHANGE, 8),
        ("most-common school", ROW, 1), ("median age 0 100", CHANGE, 1),
    ],
)  # fmt: skip
def test_sensitivities_are_those_of_the_worked_examples(ask: str, unit: PrivacyUnit, sensitivity: Fraction) -> None:
    found = answered(ask, unit=unit, epsilon=Fraction(1))
    assert found.sensitivity == sensitivity
    if found.mechanism == "laplace":
        assert found.scale == sensitivity / found.epsilon


def test_a_public_number_costs_nothing() -> None:
    found = answered("count", unit=CHANGE)
    assert (found.mechanism, found.epsilon, found.error95, found.value) == ("none", 0, 0, 60)
    assert not found.spend


@pytest.mark.parametrize("ask", ["count", "sum age 0 100", "mean age 0 100", "histogram sex F,M", "levels school"])
def test_intervals_hold_the_truth_in_95_of_100_releases(ask: str) -> None:
    epsilon = Fraction(1, 2)
    true = dict(answered(ask).cells())
    hits, tries = Counter[str](), 200
    for _ in range(tries):
        found = answered(ask, epsilon=epsilon)
        for label, value in found.cells():
            low, high = found.interval(value) or (0, 0)  # type: ignore[arg-type]
            hits[label] += low <= float(true[label]) + 0.5 and high >= float(true[label]) - 0.5
    # Each number by itself, for those of one release depend on each other: of 200 intervals at least 167 or so.
    assert min(hits[label] for label in true) >= least_hits(tries, 0.95, CHANCE / len(true))


def test_the_error_of_a_mean_is_known_once_the_noisy_count_is_there() -> None:
    question = Mean("age", 0.0, 100.0)
    assert answered("mean age 0 100", epsilon=Fraction(1)).error95 is not None
    project = plan(questions=(PlannedQuestion(question),), rows=0)
    assert question.typical(project.public(PlannedQuestion(question))) == 10


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        ("histogram sex", "categories of “sex” are not public"),
        ("histogram sex F,F", "overlap"),
        ("histogram school low,none", "overlap"),
        ("two-way sex school", "categories of “sex”"),
        ("mean age 9 1", "bounds of “age” are not public"),
        ("grid age 0 1 age 1 1 2 2", "bounds of “age”"),
        ("histogram day 2024-12-31 2024-01-01 day", "first and last day"),
        ("histogram day soon later day", "first and last day"),
        ("levels sex", "no hierarchy"),
        ("top 9 sex F,M", "fewer than 9 candidates"),
        ("sum age 1e15 1000000000000001", "too far from 0"),
        ("histogram day 0001-01-01 9999-12-31 day", "too many spans"),
        ("grid age 0 1 age 0 1 9999 9999", "too many cells"),
    ],
)
def test_what_is_not_public_is_refused_with_the_way_out(ask: str, message: str) -> None:
    with pytest.raises(BadParameter, match=message) as raised:
        answered(ask)
    assert raised.value.hint
