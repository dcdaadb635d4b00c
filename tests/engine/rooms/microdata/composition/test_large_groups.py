"""Groups too large to be searched: what exchanges and flows find agrees with a search of the whole."""

import numpy as np
import pytest

from anonymizer_gui.engine.rooms.microdata.composition import equations, exact_search
from anonymizer_gui.engine.rooms.microdata.composition.attack import attack_composition
from anonymizer_gui.engine.rooms.microdata.composition.equations import linear_system
from anonymizer_gui.engine.rooms.microdata.composition.exact_search import (
    Effort,
    EffortExceeded,
    IntegerSystem,
    arcs_on_cycles,
    refine_bounds,
)
from anonymizer_gui.engine.rooms.microdata.composition.published_view import PublishedView, intersect_classes
from anonymizer_gui.engine.rooms.microdata.composition.solution_bounds import (
    FeasibleCounts,
    feasible_counts,
    known_counts,
)
from tests.engine.rooms.microdata.composition.made_up import release


def cut_twice(people: int, size: int, values: int, releases: int = 2, seed: int = 1) -> list[PublishedView]:
    """Put the same people into classes of one size, anew in each release."""
    rng = np.random.default_rng(seed)
    value = rng.integers(0, values, people)
    found = []
    for number in range(releases):
        place = np.argsort(rng.random(people)) // size
        rows = [(f"p{who}", f"c{place[who]}", f"v{value[who]}") for who in range(people)]
        found.append(release(f"R{number}", rows))
    return found


def looked_at(releases: list[PublishedView]) -> FeasibleCounts:
    cells = intersect_classes(releases)
    equations = linear_system(cells, releases, ["illness"])
    assert equations is not None
    left = feasible_counts(equations)
    refine_bounds(left, lambda now: np.ones(len(now.sums), dtype=np.bool_), known_counts(left, cells, releases))
    return left


def test_a_search_of_the_whole_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    releases = cut_twice(60, 6, 3)
    exact = looked_at(releases)
    monkeypatch.setattr(exact_search, "MAX_GROUP", 0)
    found = looked_at(releases)
    assert ((found.high > 0) >= (exact.high > 0)).all()
    assert ((found.seen_high > 0) <= (exact.seen_high > 0)).all()
    decided = (found.high > 0) == (found.seen_high > 0)
    assert decided.mean() > 0.8


def test_classes_of_many_people_keep_everybody_safe() -> None:
    new, *earlier = cut_twice(3_000, 300, 4, releases=3)
    meeting = attack_composition(new, earlier)
    assert (meeting.is_harmless, meeting.fewest_values) == (True, 4)


def test_what_is_too_much_to_work_out_is_said_and_not_called_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_search, "MAX_GROUP", 0)
    new, *earlier = cut_twice(400, 8, 8, releases=2)
    meeting = attack_composition(new, earlier)
    assert meeting.undecided > 0
    assert not meeting.is_harmless
    assert "too much to work out" in meeting.sentence()


def test_cells_with_more_values_than_can_be_looked_at_are_not_called_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    new, *earlier = cut_twice(200, 50, 10)
    assert attack_composition(new, earlier).is_harmless
    monkeypatch.setattr(equations, "MAX_PAIRS", 100)
    assert attack_composition(new, earlier).undecided > 0


def test_a_search_that_takes_too_many_steps_ends() -> None:
    n = 12
    pairs = [[one, other] for one in range(n) for other in range(one)]
    puzzle = IntegerSystem(n, [*pairs, list(range(n))], [0] * (len(pairs) + 1), [*([1] * len(pairs)), n])
    assert sum(puzzle.solve([0] * n, [1] * n, [1] * n, Effort(100_000)) or []) == 1
    with pytest.raises(EffortExceeded):
        puzzle.solve([0] * n, [1] * n, [1] * n, Effort(100_000).part(50))


def test_arcs_on_cycles_are_those_within_strong_components() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        tail, head = rng.integers(0, 8, 12), rng.integers(0, 8, 12)
        reaches = np.eye(8, dtype=np.bool_)
        for _ in range(8):
            for one, other in zip(tail, head, strict=True):
                reaches[:, other] |= reaches[:, one]
        assert arcs_on_cycles(tail, head).tolist() == reaches[head, tail].tolist()
