"""Noise, rank swapping, PRAM and made-up records: what each keeps by its own theory, against plain counting."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.data.tables.table import MISSING, Column, Table
from anonymizer_gui.engine.rooms.microdata.masking.contract import STEPS, Step
from anonymizer_gui.engine.rooms.microdata.masking.effects import distance_linkage
from anonymizer_gui.engine.rooms.microdata.masking.global_recoding import RoundNumbers
from anonymizer_gui.engine.rooms.microdata.masking.noise_addition import AddNoise
from anonymizer_gui.engine.rooms.microdata.masking.pram import Pram, invariant_matrix
from anonymizer_gui.engine.rooms.microdata.masking.pram import parse_matrix as given_chances
from anonymizer_gui.engine.rooms.microdata.masking.rank_swapping import SwapRanks, swap_partners
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import KeepRows, SyntheticRows, TakeSample
from anonymizer_gui.engine.rooms.microdata.masking.steps import (
    PreparedTable,
    apply_steps,
    steps_of,
    unprepared,
    untruthful_columns,
    with_steps,
)
from anonymizer_gui.engine.storage.sources import Source

RANDOM = np.random.default_rng(5)
BASE = RANDOM.standard_normal((4000, 1))
VALUES = np.hstack([50 + 10 * BASE, 100 + 30 * BASE + 10 * RANDOM.standard_normal((4000, 1))]).round(2)


def table_of(values: np.ndarray) -> Table:
    columns = [Column.from_texts(name, [f"{v:.2f}" for v in values[:, at]]) for at, name in enumerate(("x", "y"))]
    return Table((*columns, Column.from_texts("sex", [("f", "m", "x")[i % 7 % 3] for i in range(len(values))])))


def numbers(table: Table, *names: str) -> np.ndarray:
    return np.array([[float(text) for text in table.column(name).texts()] for name in names]).T


def done(table: Table, *steps: Step) -> Table:
    return apply_steps(table, with_steps(Source("x.csv"), steps))[0]


def test_correlated_noise_has_a_share_of_the_covariance() -> None:
    table = table_of(VALUES)
    noise = numbers(AddNoise(("x", "y"), 0.5, "correlated", seed=1).apply(table, ".").table, "x", "y") - VALUES
    assert np.cov(noise, rowvar=False) == pytest.approx(0.25 * np.cov(VALUES, rowvar=False), rel=0.1)


def test_independent_noise_has_a_share_of_each_spread_and_no_correlation() -> None:
    noise = numbers(AddNoise(("x", "y"), 0.3, seed=1).apply(table_of(VALUES), ".").table, "x", "y") - VALUES
    assert noise.std(axis=0) == pytest.approx(0.3 * VALUES.std(axis=0), rel=0.06)
    assert abs(np.corrcoef(noise, rowvar=False)[0, 1]) < 0.05
    assert abs(noise.mean(axis=0) / VALUES.std(axis=0)).max() < 0.03


def test_noise_is_repeatable_by_its_seed_and_keeps_the_digits() -> None:
    table = table_of(VALUES[:50])
    one, same, other = (
        AddNoise(("x",), 0.5, seed=seed).apply(table, ".").table.column("x").texts() for seed in (3, 3, 4)
    )
    assert one.tolist() == same.tolist() != other.tolist()
    assert {len(text.partition(".")[2]) for text in one} == {2}


@given(st.integers(1, 200), st.integers(1, 40), st.integers(0, 9))
def test_no_rank_goes_farther_than_allowed(count: int, farthest: int, seed: int) -> None:
    found = swap_partners(count, farthest, np.random.default_rng(seed))
    assert np.abs(found - np.arange(count)).max(initial=0) <= farthest
    assert found[found].tolist() == list(range(count))


def test_swapping_keeps_every_value_and_its_distance() -> None:
    table = table_of(VALUES)
    swapped = SwapRanks(("x",), 0.02, seed=1).apply(table, ".")
    before, after = numbers(table, "x")[:, 0], numbers(swapped.table, "x")[:, 0]
    assert sorted(before) == sorted(after)
    assert swapped.cells > 3000
    ordered = np.sort(before)
    low, high = np.searchsorted(ordered, after, "left"), np.searchsorted(ordered, after, "right") - 1
    own_low, own_high = np.searchsorted(ordered, before, "left"), np.searchsorted(ordered, before, "right") - 1
    assert (np.maximum(low - own_high, own_low - high)).max() <= 0.02 * len(before)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.floats(0, 1))
def test_the_invariant_matrix_keeps_expected_frequencies(counts: list[int], keep: float) -> None:
    matrix = invariant_matrix(np.array(counts, dtype=float), keep)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(len(counts)))
    assert np.array(counts) @ matrix == pytest.approx(np.array(counts))
    assert (matrix >= -1e-12).all()


def test_pram_moves_cells_and_keeps_frequencies_nearly() -> None:
    table = Table((Column.from_texts("c", ["a"] * 6000 + ["b"] * 3000 + ["c"] * 1000 + [MISSING] * 10),))
    moved = Pram("c", keep=0.6, seed=1).apply(table, ".")
    counts = Counter(moved.table.column("c").texts().tolist())
    assert moved.cells > 2000
    assert counts[MISSING] == 10
    assert [counts[name] for name in "abc"] == pytest.approx([6000, 3000, 1000], rel=0.08)


def test_given_chances_are_those_that_happen() -> None:
    table = Table((Column.from_texts("c", ["a"] * 10_000 + ["b"] * 10_000),))
    moved = Pram("c", "given", moves=("a>b=0.25",), seed=1).apply(table, ".").table.column("c").texts()
    assert np.mean(moved[:10_000] == "b") == pytest.approx(0.25, abs=0.02)
    assert set(moved[10_000:]) == {"b"}
    for wrong in (("a>z=0.1",), ("a>b=2",), ("a>b",), (), ("a>b=0.6", "a>b=0.6")):
        with pytest.raises(BadParameter):
            given_chances(["a", "b"], wrong)


def test_made_up_records_name_nobody_and_keep_neighbours_together() -> None:
    rows = [[f"Person {i}", "ab"[i % 2], "AB"[i % 2]] for i in range(200)]
    made = SyntheticRows(0.5, seed=1).apply(Table.from_rows(("name", "low", "high"), rows), ".")
    assert (made.added, made.table.n_rows) == (100, 300)
    assert set(made.table.column("name").texts()[200:]) == {MISSING}
    pairs = zip(made.table.column("low").texts()[200:], made.table.column("high").texts()[200:], strict=True)
    assert {(low.upper() == high) for low, high in pairs} == {True}


def test_the_table_remembers_its_columns_as_they_were_read() -> None:
    table = table_of(VALUES[:100])
    out = done(
        table, KeepRows("sex=f"), AddNoise(("x",), 0.5, seed=3), RoundNumbers("y", 10.0), SyntheticRows(0.1, seed=3)
    )
    kept = [at for at, sex in enumerate(table.column("sex").texts()) if sex == "f"]
    assert isinstance(out, PreparedTable)
    assert out.made_up == round(0.1 * len(kept))
    for name in ("x", "y"):
        assert unprepared(out).column(name).texts()[: len(kept)].tolist() == table.column(name).texts()[kept].tolist()
    assert set(unprepared(out).column("x").texts()[len(kept) :]) == {MISSING}


def test_steps_that_lie_are_told_by_column() -> None:
    source = with_steps(Source("x.csv"), (RoundNumbers("y", 10.0), AddNoise(("x",), 0.5, seed=3)))
    assert untruthful_columns(source, ("x", "y", "sex")) == ("x",)
    assert untruthful_columns(with_steps(source, (SyntheticRows(seed=3),)), ("x", "y")) == ("x", "y")


def plain_linkage(before: list[tuple[float, str]], after: list[tuple[float, str]]) -> float:
    """Link by brute force, with nothing but lists."""
    mean = sum(x for x, _ in before) / len(before)
    spread = (sum((x - mean) ** 2 for x, _ in before) / len(before)) ** 0.5 or 1.0
    right = 0.0
    for at, (x, c) in enumerate(before):
        apart = [((x - y) / spread) ** 2 + (c != d) for y, d in after]
        nearest = [j for j, far in enumerate(apart) if far <= min(apart) + 1e-12]
        right += (at in nearest) / len(nearest)
    return right / len(before)


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from("ab"), st.integers(-3, 3), st.sampled_from("ab")),
        min_size=2,
        max_size=25,
    )
)
def test_linkage_by_distance_is_that_of_brute_force(people: list[tuple[int, str, int, str]]) -> None:
    before, after = [(float(x), c) for x, c, _, _ in people], [(float(x + e), d) for x, _, e, d in people]
    pairs = [
        (Column.from_texts("x", [f"{x:g}" for x, _ in before]), Column.from_texts("x", [f"{x:g}" for x, _ in after])),
        (Column.from_texts("c", [c for _, c in before]), Column.from_texts("c", [c for _, c in after])),
    ]
    assert distance_linkage(pairs, ".")[0] == pytest.approx(plain_linkage(before, after))


@pytest.mark.parametrize(
    "declared", [each for each in STEPS if "seed" in {p.name for p in params_of(each)}], ids=lambda each: each.name
)
def test_a_seed_nobody_chose_is_drawn_and_cannot_be_guessed(declared: type[Step]) -> None:
    drawn = [declared().with_secret_seed() for _ in range(3)]
    assert len(set(drawn)) == 3
    assert declared() not in drawn
    assert drawn[0].with_secret_seed() == drawn[0]


def test_no_step_is_done_with_a_seed_that_everybody_knows() -> None:
    """As a project of before names none: the steps draw one when the table is read, and the source keeps it."""
    unseeded = SwapRanks(("x",), 0.2, seed=0), TakeSample(0.5, seed=0)
    table, source = table_of(VALUES[:200]), with_steps(Source("x.csv"), unseeded)
    once, kept = apply_steps(table, source)
    other, _ = apply_steps(table, source)
    again, same = apply_steps(table, kept)
    assert all(step.seed for step in steps_of(kept))  # type: ignore[attr-defined]
    assert once.column("x").texts().tolist() == again.column("x").texts().tolist() != other.column("x").texts().tolist()
    assert same == kept
    with pytest.raises(BadParameter, match="has no seed"):
        SwapRanks(("x",), 0.2, seed=0).apply(table, ".")


def test_whoever_knows_the_seed_undoes_the_swaps_of_a_shuffled_release() -> None:
    """That is why none may be known: the values stay, and so do their ranks."""
    true = np.arange(100, 300, dtype=float)
    step = SwapRanks(("x",), 0.1, seed=7)
    swapped = numbers(step.apply(table_of(np.column_stack([true, true])), ".").table, "x", "y")
    shuffled = np.random.default_rng(1).permutation(swapped)
    partner = swap_partners(len(true), 20, np.random.default_rng(7))
    ranked = np.sort(shuffled[:, 0])
    undone = ranked[partner][np.searchsorted(ranked, shuffled[:, 0])]
    assert (swapped[:, 0] != swapped[:, 1]).mean() > 0.9
    assert undone.tolist() == shuffled[:, 1].tolist()
