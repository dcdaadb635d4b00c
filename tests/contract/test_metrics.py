"""One battery over every registered utility measure."""

import dataclasses
import math

import numpy as np
import pytest

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.errors import Cancelled
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Column, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Comparison

METRIC_TYPES = list(METRICS)
AGES = [str(age) for age in range(20, 60)]
TREES = {
    "age": Hierarchy.from_nested({"*": {f"{a}s": [x for x in AGES if x[0] == a] for a in "2345"}}),
    "pay": Hierarchy.from_nested({"*": {"low": [str(n) for n in range(5)], "high": [str(n) for n in range(5, 10)]}}),
}


def comparison(how: str, n_rows: int = 3000) -> Comparison:
    """Give a table published as it was, by decades, or with nothing but `*`."""
    rng = np.random.default_rng(3)
    age = (40 * rng.random(n_rows) ** 2).astype(np.int64)  # skewed: even spread must be wrong somewhere
    pay = np.clip(age // 4 + rng.integers(-2, 3, n_rows), 0, 9)
    ill = (age + 3 * pay + rng.integers(0, 10, n_rows) > 28).astype(np.uint8)
    original = Table(
        (
            Column("age", age.astype(np.uint8), tuple(AGES)),
            Column("pay", pay.astype(np.uint8), tuple("0123456789")),
            Column("ill", ill, ("no", "yes")),
        )
    )
    published = {
        "same": (original.column("age"), original.column("pay")),
        "coarse": (
            Column("age", (age // 10).astype(np.uint8), ("2s", "3s", "4s", "5s")),
            Column("pay", (pay // 5).astype(np.uint8), ("low", "high")),
        ),
        "nothing": (Column("age", 0 * age, ("*",)), Column("pay", 0 * pay, ("*",))),
    }[how]
    table = Table((*published, original.column("ill")))
    return Comparison(original, table, np.arange(n_rows), ("age", "pay"), ("ill",), TREES)


def test_every_measure_is_a_frozen_value_with_words_for_people() -> None:
    words = ("title", "summary", "formula", "reference", "range")
    assert [metric.name for metric in METRIC_TYPES if not dataclasses.is_dataclass(metric)] == []
    assert [metric.name for metric in METRIC_TYPES if metric() != metric()] == []
    assert [(metric.name, word) for metric in METRIC_TYPES for word in words if not getattr(metric, word)] == []
    assert [metric.name for metric in METRIC_TYPES if metric.direction not in ("lower", "higher")] == []


def test_every_measure_survives_json() -> None:
    again = {metric: params.from_json(metric, params.to_json(metric())) for metric in METRIC_TYPES}
    assert [metric.name for metric, read in again.items() if read != metric()] == []


@pytest.mark.parametrize("metric", METRIC_TYPES, ids=lambda metric: metric.name)
def test_every_measure_finds_more_lost_the_less_is_published(metric: type) -> None:
    same, coarse, nothing = (metric().measure(comparison(how), SILENT).value for how in ("same", "coarse", "nothing"))
    if metric.direction == "higher":
        same, coarse, nothing = -same, -coarse, -nothing
    assert same <= coarse + 1e-9
    assert coarse <= nothing + 1e-9
    assert same < nothing


@pytest.mark.parametrize("metric", METRIC_TYPES, ids=lambda metric: metric.name)
def test_every_measure_gives_the_same_twice(metric: type) -> None:
    first, second = (metric().measure(comparison("coarse"), SILENT) for _ in range(2))
    assert first.value == second.value
    assert first.details == second.details


@pytest.mark.parametrize("metric", METRIC_TYPES, ids=lambda metric: metric.name)
def test_every_measure_can_be_cancelled(metric: type) -> None:
    with pytest.raises(Cancelled):
        metric().measure(comparison("coarse"), Progress(is_cancelled=lambda: True))


@pytest.mark.parametrize("metric", [m for m in METRIC_TYPES if m.name != "learning"], ids=lambda metric: metric.name)
def test_every_measure_takes_a_release_without_rows(metric: type) -> None:
    full = comparison("coarse")
    none = np.zeros(0, dtype=np.int64)
    empty = dataclasses.replace(full, published=full.published.take(none), rows=none)
    value = metric().measure(empty, SILENT).value
    assert math.isnan(value) or math.isfinite(value)
