"""The kindest distribution between bounds is no worse than any other between them."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from hypothesis import assume, given
from hypothesis import strategies as st

from anonymizer_gui.engine.rooms.microdata.composition.most_favourable_distribution import (
    ShareBounds,
    ValueTree,
    most_even,
    most_proportional,
    nearest_euclidean,
    path_tree,
)

Floats = npt.NDArray[np.float64]
_TWELFTHS = st.integers(0, 12)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[ShareBounds, Floats, Floats]:
    """Draw bounds, a reference, and some distribution between the bounds."""
    some = draw(st.lists(_TWELFTHS, min_size=2, max_size=5))
    assume(sum(some) > 0)
    inside = np.array(some) / sum(some)
    low = np.array([draw(_TWELFTHS) / 12 for _ in some]) * inside
    high = inside + np.array([draw(_TWELFTHS) / 12 for _ in some]) * (1 - inside)
    reference = np.array([draw(st.integers(1, 5)) for _ in some], dtype=np.float64)
    n = len(some)
    return ShareBounds(np.zeros(n, dtype=np.int64), np.arange(n), low, high, 1), reference / reference.sum(), inside


def between(box: ShareBounds, shares: Floats) -> bool:
    return bool(abs(shares.sum() - 1) < 1e-9 and (shares >= box.low - 1e-9).all() and (shares <= box.high + 1e-9).all())


def entropy(shares: Floats) -> float:
    there = shares[shares > 1e-15]
    return float(-(there * np.log(there)).sum())


@given(boxes())
def test_nothing_is_more_even_than_the_flattest(drawn: tuple[ShareBounds, Floats, Floats]) -> None:
    box, _, other = drawn
    found = most_even(box)
    assert between(box, found)
    assert found.max() <= other.max() + 1e-9
    assert entropy(found) >= entropy(other) - 1e-9
    assert np.count_nonzero(found > 1e-9) >= np.count_nonzero(other > 1e-9)


@given(boxes())
def test_nothing_is_nearer_to_the_reference(drawn: tuple[ShareBounds, Floats, Floats]) -> None:
    box, reference, other = drawn
    alike = most_proportional(box, reference)
    assert between(box, alike)
    divergences: list[Callable[[Floats], float]] = [
        lambda shares: float(np.abs(shares - reference).sum() / 2),
        lambda shares: float((shares / reference).max()),
        lambda shares: -entropy(shares) - float((shares * np.log(reference)).sum()),
    ]
    for apart in divergences:
        assert apart(alike) <= apart(other) + 1e-9
    close = nearest_euclidean(box, reference)
    assert between(box, close)
    assert np.square(close - reference).sum() <= np.square(other - reference).sum() + 1e-9


@given(boxes())
def test_nothing_takes_fewer_steps_along_the_order(drawn: tuple[ShareBounds, Floats, Floats]) -> None:
    box, reference, other = drawn
    found = np.array(path_tree(len(reference)).kindest(box.low.tolist(), box.high.tolist(), reference.tolist()))
    assert between(box, found)
    assert np.abs(np.cumsum(found - reference)).sum() <= np.abs(np.cumsum(other - reference)).sum() + 1e-9


@given(boxes())
def test_nothing_takes_fewer_steps_through_a_tree(drawn: tuple[ShareBounds, Floats, Floats]) -> None:
    box, reference, other = drawn
    n = len(reference)
    tree = ValueTree(
        [-1, 0, 0, *(1 + number % 2 for number in range(n))], [0.0, 2.0, 1.0, *([0.5] * n)], range(3, 3 + n)
    )
    found = np.array(tree.kindest(box.low.tolist(), box.high.tolist(), reference.tolist()))

    def cost(shares: Floats) -> float:
        apart = shares - reference
        return float(2.0 * abs(apart[::2].sum()) + abs(apart[1::2].sum()) + 0.5 * np.abs(apart).sum())

    assert between(box, found)
    assert cost(found) <= cost(other) + 1e-9


def test_values_the_reference_does_not_have_come_last() -> None:
    box = ShareBounds(np.zeros(2, dtype=np.int64), np.arange(2), np.zeros(2), np.array([0.25, 1.0]), 1)
    assert most_proportional(box, np.array([1.0, 0.0])).tolist() == [0.25, 0.75]
