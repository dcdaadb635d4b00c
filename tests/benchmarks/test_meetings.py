"""A release of 100,000 people meets nine earlier ones of the ledger: in less than ten seconds, reading included."""

import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from anonymizer_gui.engine.releases.ledger.releases import NewEntry, ReleaseLedger
from anonymizer_gui.engine.rooms.microdata.composition.ledger_records import (
    NewRelease,
    attack_with_ledger,
    record_parts,
)
from anonymizer_gui.engine.rooms.microdata.composition.published_view import (
    PublishedView,
    ValueCombinations,
    count_combinations,
)

PEOPLE = 100_000
KEY = bytes(range(32))
SHARES = (0.3, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.04, 0.03, 0.03)
SECONDS = 10
GOALS = tuple(
    {"model": model, "parameters": parameters}
    for model, parameters in (
        ("k", {"k": 5}),
        ("l", {"l": 3, "column": "", "several": "each"}),
        ("t", {"t": 0.4, "distance": "emd-equal", "column": "", "several": "each"}),
    )
)
Ints = npt.NDArray[np.int64]
pytestmark = pytest.mark.bench


def shown(number: int, people: Ints, classes: Ints, values: Ints) -> PublishedView:
    """Make a release of numbered people."""
    keys = np.array([b"%015d." % who for who in people.tolist()], dtype="S16")
    held, entry = count_combinations(pd.factorize(classes)[0].astype(np.int64), [values])
    labels = (tuple(f"v{value}" for value in range(len(SHARES))),)
    combinations = ValueCombinations(("illness",), labels, *held)
    return PublishedView(
        f"R{number}", keys, pd.factorize(classes)[0].astype(np.int64), (combinations,), GOALS, known=entry
    )


def levels() -> list[PublishedView]:
    """The same people at ten levels of two columns."""
    rng = np.random.default_rng(1)
    age, town, value = rng.integers(0, 64, PEOPLE), rng.integers(0, 64, PEOPLE), rng.choice(10, PEOPLE, p=SHARES)
    which = ((0, 3), (1, 2), (2, 2), (3, 1), (2, 1), (1, 3), (3, 0), (2, 3), (1, 1), (0, 4))
    return [
        shown(number, np.arange(PEOPLE), (age >> a) * 64 + (town >> b), value) for number, (a, b) in enumerate(which)
    ]


def months() -> list[PublishedView]:
    """The same levels every month, with one in a hundred leaving and joining."""
    rng = np.random.default_rng(2)
    everybody = 2 * PEOPLE
    place, value = rng.integers(0, 5_000, everybody), rng.choice(10, everybody, p=SHARES)
    inside = np.arange(everybody) < PEOPLE
    found = []
    for number in range(10):
        found.append(shown(number, np.flatnonzero(inside), place[inside], value[inside]))
        leaving = rng.choice(np.flatnonzero(inside), PEOPLE // 100, replace=False)
        joining = rng.choice(np.flatnonzero(~inside), PEOPLE // 100, replace=False)
        inside[leaving], inside[joining] = False, True
    return found


def cuts() -> list[PublishedView]:
    """The same people in ten kinds of classes of a hundred that have nothing to do with each other."""
    rng = np.random.default_rng(3)
    value = rng.choice(10, PEOPLE, p=SHARES)
    return [shown(number, np.arange(PEOPLE), rng.permutation(PEOPLE) // 100, value) for number in range(10)]


@pytest.mark.parametrize("make", [levels, months, cuts], ids=lambda make: make.__name__)
def test_ten_releases_of_100_000_people_meet_in_time(make: object, tmp_path: Path) -> None:
    *earlier, new = make()  # type: ignore[operator]
    ledger = ReleaseLedger(tmp_path / "ledger")
    for release in earlier:
        ledger.enter(NewEntry("microdata", release.name, "", release.name, {}, record_parts(release, {})), KEY)
    start = time.process_time()
    meeting = attack_with_ledger(ledger, NewRelease(new, {}), KEY)
    seconds = time.process_time() - start
    sys.stdout.write(f"{seconds:.1f} s: {meeting.sentence()}\n")
    assert seconds < SECONDS
