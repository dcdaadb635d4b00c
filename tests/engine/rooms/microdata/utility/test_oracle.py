"""Every utility measure against plain Python, on releases that hypothesis makes up.

A release is made cell by cell: any node above the value, a range around a number, or `*`; some rows are left out.
The domains have leaves no row has, a chain of only children, and missing values; one column has no hierarchy.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison, Metric
from anonymizer_gui.engine.rooms.microdata.utility.distributions import (
    ColumnDivergence,
    ContingencyChange,
    CorrelationChange,
)
from anonymizer_gui.engine.rooms.microdata.utility.information_loss import (
    AverageClassSize,
    Discernibility,
    LossMetric,
    MinimalDistortion,
    NonUniformEntropy,
    Precision,
    measure_loss,
)
from anonymizer_gui.engine.rooms.microdata.utility.query_error import CountQuery, answer_queries

PATHS = {
    "a": ("a", "ab", "*"),
    "b": ("b", "ab", "*"),
    "c": ("c", "alone", "*"),
    "d": ("d", "de", "*"),
    "e": ("e", "de", "*"),
    MISSING: (MISSING, "*"),
}
TREE = Hierarchy.from_nested({"*": {"ab": ["a", "b"], "alone": ["c"], "de": ["d", "e"], MISSING: []}})
WEIGHTS = {"q": 0.75, "n": 0.25}
LETTERS, NUMBERS, KINDS = tuple(PATHS), ("1", "2", "10", MISSING), ("u", "v")


@dataclass(frozen=True)
class Made:
    """A release in plain Python: rows before, and cells after, None for a row that was left out."""

    rows: list[tuple[str, str, str]]
    cells: list[tuple[str, str, str] | None]
    weights: dict[str, float]

    @property
    def kept(self) -> list[tuple[str, str, str]]:
        return [cell for cell in self.cells if cell is not None]

    @property
    def numbers(self) -> list[str]:
        """The domain of the column without hierarchy: what the original has, in order, missing last."""
        there = {row[1] for row in self.rows}
        return [value for value in NUMBERS if value in there]

    def comparison(self) -> Comparison:
        names = ("q", "n", "s")
        rows = np.array([i for i, cell in enumerate(self.cells) if cell is not None], dtype=np.int64)
        before, after = Table.from_rows(names, self.rows), Table.from_rows(names, self.kept)
        return Comparison(before, after, rows, ("q", "n"), ("s",), {"q": TREE}, self.weights)

    def covered(self, column: int, cell: str) -> list[str]:
        """Give the leaves a cell stands for."""
        if column == 0:
            return [leaf for leaf in LETTERS if cell in PATHS[leaf]]
        domain = self.numbers if column == 1 else sorted({row[2] for row in self.rows})
        if cell == "*":
            return domain
        if cell.startswith("["):
            low, high = cell[1:-1].split("-")
            return domain[domain.index(low) : domain.index(high) + 1]
        return [cell]

    def domain(self, column: int) -> list[str]:
        return self.covered(column, "*")

    def parts(self, cell: tuple[str, str, str] | None, column: int) -> dict[str, float]:
        """Spread a cell evenly over its leaves."""
        leaves = self.covered(column, "*" if cell is None else cell[column])
        return dict.fromkeys(leaves, 1 / len(leaves))


@st.composite
def releases(draw: st.DrawFn) -> Made:
    row = st.tuples(st.sampled_from(LETTERS), st.sampled_from(NUMBERS), st.sampled_from(KINDS))
    rows = draw(st.lists(row, min_size=1, max_size=12))
    plain = [value for value in NUMBERS[:-1] if value in {r[1] for r in rows}]
    cells: list[tuple[str, str, str] | None] = []
    for letter, number, kind in rows:
        ranges = [
            f"[{a}-{b}]" for i, a in enumerate(plain) for b in plain[i + 1 :] if number in plain[i : plain.index(b) + 1]
        ]
        published = (draw(st.sampled_from(PATHS[letter])), draw(st.sampled_from([number, "*", *ranges])), kind)
        cells.append(draw(st.sampled_from([published, published, published, None])))
    weights = draw(st.sampled_from([{}, WEIGHTS, {"q": 0.0}, {"n": 0.0}]))
    return Made(rows, cells, weights)


def losses(made: Made) -> list[tuple[float, float]]:
    """Give the loss of every record in both columns."""
    return [
        tuple(
            1.0 if cell is None else (len(made.covered(at, cell[at])) - 1) / max(len(made.domain(at)) - 1, 1)
            for at in (0, 1)
        )
        for cell in made.cells
    ]


def lm(made: Made) -> float:
    q, n = made.weights.get("q", 1.0), made.weights.get("n", 1.0)
    return sum((q * one + n * other) / (q + n) for one, other in losses(made)) / len(made.rows)


def climbed(made: Made, row: tuple[str, str, str], cell: tuple[str, str, str] | None) -> tuple[int, int]:
    letters = len(PATHS[row[0]]) - 1 if cell is None else PATHS[row[0]].index(cell[0])
    number = cell is None or cell[1] != row[1]
    return letters, int(number)


def md(made: Made) -> float:
    return sum(sum(climbed(made, row, cell)) for row, cell in zip(made.rows, made.cells, strict=True))


def precision(made: Made) -> float:
    both = [climbed(made, row, cell) for row, cell in zip(made.rows, made.cells, strict=True)]
    return 1 - sum(letters / 2 + number for letters, number in both) / (2 * len(both))


def sizes(made: Made) -> Counter[tuple[str, str]]:
    return Counter(cell[:2] for cell in made.kept)


def discernibility(made: Made) -> float:
    lost = len(made.rows) - len(made.kept)
    return sum(size**2 for size in sizes(made).values()) + lost * len(made.rows)


def class_size(made: Made) -> float:
    return len(made.kept) / max(len(sizes(made)), 1)


def entropy(made: Made) -> float:
    bits = most = 0.0
    for at in (0, 1):
        counts = Counter(row[at] for row in made.rows)
        for row, cell in zip(made.rows, made.cells, strict=True):
            leaves = made.covered(at, "*" if cell is None else cell[at])
            bits += math.log2(sum(counts[leaf] for leaf in leaves) / counts[row[at]])
            most += math.log2(len(made.rows) / counts[row[at]])
    return bits / most if most else 0.0


def spread(made: Made, columns: tuple[int, ...]) -> Counter[tuple[str, ...]]:
    """Read the joint distribution of some columns off the release."""
    found: Counter[tuple[str, ...]] = Counter()
    for cell in made.cells:
        parts = [made.parts(cell, at).items() for at in columns]
        for together in itertools.product(*parts):
            found[tuple(leaf for leaf, _ in together)] += math.prod(part for _, part in together) / len(made.cells)
    return found


def divergence(made: Made) -> float:
    found = 0.0
    for at in (0, 1):
        after, before = spread(made, (at,)), Counter(row[at] for row in made.rows)
        shares = {value: count / len(made.rows) for value, count in before.items()}
        found += sum(p * math.log2(p / after[value,]) for value, p in shares.items())
    return max(found, 0.0) / 2


def contingency(made: Made) -> float:
    changes = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        before = Counter((row[one], row[other]) for row in made.rows)
        after = spread(made, (one, other))
        keys = {*before, *after}
        changes.append(sum(abs(before[key] / len(made.rows) - after[key]) for key in keys) / 2)
    return sum(changes) / len(changes)


CASES: list[tuple[Metric, Callable[[Made], float]]] = [
    (LossMetric(), lm),
    (MinimalDistortion(), md),
    (Precision(), precision),
    (Discernibility(), discernibility),
    (AverageClassSize(), class_size),
    (NonUniformEntropy(), entropy),
    (ColumnDivergence(), divergence),
    (ContingencyChange(), contingency),
]


@pytest.mark.parametrize(("metric", "plain"), CASES, ids=lambda case: getattr(case, "name", ""))
@given(made=releases())
def test_every_measure_is_what_plain_counting_gives(made: Made, metric: Metric, plain: Callable[[Made], float]) -> None:
    assert metric.measure(made.comparison(), SILENT).value == pytest.approx(plain(made), abs=1e-9)


@given(made=releases())
def test_loss_is_told_both_ways_and_per_column(made: Made) -> None:
    both = made.comparison()
    loss = measure_loss(
        both.published, both.qis, both.hierarchies, None, both.original, both.rows, made.weights, both.suppressed
    )
    assert loss.lm == pytest.approx(lm(made))
    assert loss.lm_total == pytest.approx(lm(made) * len(made.rows))
    columns = [sum(column) / len(made.rows) for column in zip(*losses(made), strict=True)]
    assert list(loss.lm_columns.values()) == pytest.approx(columns)
    assert loss.md == md(made)


@given(made=releases(), data=st.data())
def test_a_query_is_answered_by_even_spread_in_every_cell(made: Made, data: st.DataObject) -> None:
    letters = data.draw(st.frozensets(st.sampled_from(LETTERS), min_size=1))
    numbers = data.draw(st.frozensets(st.sampled_from(made.numbers), min_size=1))
    if MISSING not in {row[0] for row in made.rows}:
        letters = letters - {MISSING} or frozenset({"a"})
    answer = answer_queries(made.comparison(), [CountQuery({"q": letters, "n": numbers})])[0]
    truth = sum(row[0] in letters and row[1] in numbers for row in made.rows)
    estimate = sum(
        sum(part for leaf, part in made.parts(cell, 0).items() if leaf in letters)
        * sum(part for leaf, part in made.parts(cell, 1).items() if leaf in numbers)
        for cell in made.kept
    )
    assert (answer.truth, answer.estimate) == (truth, pytest.approx(estimate))
    assert answer.relative_error == pytest.approx(abs(estimate - truth) / max(truth, 1))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2)), min_size=2, max_size=12))
def test_correlation_is_that_of_the_middles_of_cells(rows: list[tuple[int, int, int]]) -> None:
    before = [[str(x), str(y)] for x, y, _ in rows]
    xs = sorted({x for x, _, _ in rows})
    mean = sum(xs) / len(xs)
    after = [["*" if how == 0 else str(x), str(y)] for x, y, how in rows]
    both = Comparison(
        Table.from_rows(["x", "y"], before), Table.from_rows(["x", "y"], after), np.arange(len(rows)), ("x", "y")
    )
    old = pearson([(x, y) for x, y, _ in rows])
    new = pearson([(mean if how == 0 else x, y) for x, y, how in rows])
    assert CorrelationChange().measure(both, SILENT).value == pytest.approx(abs(old - new), abs=1e-9)


def pearson(points: list[tuple[float, float]]) -> float:
    n = len(points)
    x, y = sum(p for p, _ in points) / n, sum(q for _, q in points) / n
    xx, yy = sum((p - x) ** 2 for p, _ in points), sum((q - y) ** 2 for _, q in points)
    if xx < 1e-12 or yy < 1e-12:
        return 0.0
    return sum((p - x) * (q - y) for p, q in points) / math.sqrt(xx * yy)
