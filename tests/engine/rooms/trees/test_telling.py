"""l-diversity beside k^(m,n): what all who fit a pattern have in common, found by trying all values."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.trees import release_candidate
from anonymizer_gui.engine.rooms.trees.algorithms import kmn_anonymity
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.published_records import SUPPRESSED, RecordComparison
from tests.engine.rooms.trees.making import plain_records, released, students

DRUGS = st.lists(
    st.fixed_dictionaries({"drug": st.sampled_from("ab")}, optional={"price": st.integers(1, 3)}), max_size=2
)
STAYS = st.lists(
    st.fixed_dictionaries(
        {"place": st.sampled_from("12")}, optional={"secret": st.sampled_from("xyz"), "drugs": DRUGS}
    ),
    max_size=2,
)  # fmt: skip
RECORDS = st.lists(
    st.fixed_dictionaries(
        {"sex": st.sampled_from("FM"), "stays": STAYS}, optional={"gpa": st.sampled_from([1, 2, None])}
    ),
    min_size=4,
    max_size=10,
)  # fmt: skip
SENSITIVE = ("gpa", "grade", "price", "secret")
Way = tuple[int, ...]


def walk(value: Any, path: str, way: Way) -> Iterator[tuple[str, Any, Way]]:
    """Give every label of a plain record: its path, what it says, and the objects above it without the record."""
    for key, inner in value.items():
        if key == "detached":
            for entry in inner:
                ((name, vertex),) = entry.items()
                yield from walk(vertex, name.replace("[]", ""), (id(vertex),))
        elif isinstance(inner, list):
            for each in inner:
                yield from walk(each, f"{path}.{key}".strip("."), (*way, id(each)))
        else:
            yield f"{path}.{key}".strip("."), inner, way


def in_line(one: Way, other: Way) -> bool:
    return bool(one) and bool(other) and (one[-1] in other or other[-1] in one)


def told(records: list[Any], m: int, n: int) -> dict[Any, list[set[Any]]]:
    """Give for every pattern, sensitive path and place what each record that fits says there."""
    found: dict[Any, list[set[Any]]] = {}
    for record in records:
        labels = list(walk(record, "", ()))
        known = [(f"{path}={value}", way) for path, value, way in labels if not path.endswith(SENSITIVE)]
        secret = [each for each in labels if each[0].endswith(SENSITIVE) and each[1] is not None]
        own: dict[Any, set[Any]] = {}
        for size in range(1, m + 1):
            for some in itertools.combinations(sorted(known), size):
                if len({name for name, _ in some}) == size:
                    _say(own, some, secret, n)
        for key, values in own.items():
            found.setdefault(key, []).append(values)
    return found


def _say(own: dict[Any, set[Any]], some: Any, secret: Any, n: int) -> None:
    pairs = itertools.combinations(range(len(some)), 2)
    links = [pair for pair in pairs if in_line(some[pair[0]][1], some[pair[1]][1])]
    names = tuple(name for name, _ in some)
    for many in range(min(n, len(links)) + 1):
        for chosen in itertools.combinations(links, many):
            for path, value, way in secret:
                own.setdefault((names, chosen, path, "record"), set()).add(value)
                for place, (_, spot) in enumerate(some):
                    if in_line(way, spot):
                        own.setdefault((names, chosen, path, place), set()).add(value)


def left_open(answers: list[set[Any]]) -> int:
    """Count the fewest values so that everybody has one of them, by trying all sets of values."""
    values = set().union(*answers)
    return next(
        size
        for size in range(1, len(values) + 1)
        if any(all(own & set(some) for own in answers) for some in itertools.combinations(values, size))
    )


def fewest(records: list[Any], m: int, n: int) -> int:
    return min(map(left_open, told(records, m, n).values()), default=99)


@pytest.mark.parametrize(
    ("k", "least", "m", "n", "many"),
    [(2, 3, 1, 0, 40), (3, 2, 2, 0, 24), (3, 2, 2, 1, 24), (8, 3, 1, 0, 40), (2, 2, 3, 1, 10)],
)
def test_no_pattern_tells_a_sensitive_value(k: int, least: int, m: int, n: int, many: int) -> None:
    values = students(many)
    assert fewest(plain_records(released(values, KmnAnonymity(k=k, m=m, n=n))), m, n) < least
    release = released(values, KmnAnonymity(k=k, m=m, n=n, l=least))
    assert fewest(plain_records(release), m, n) >= least
    assert [(promise.name, promise.value) for promise in release.promises][1] == ("few_l", least)
    assert any("withheld" in note for note in release.notes)


@given(RECORDS, st.sampled_from([(2, 1, 2), (2, 0, 3), (3, 2, 2), (1, 0, 2)]))
def test_any_records_tell_no_more_than_was_promised(values: list[Any], given: tuple[int, int, int]) -> None:
    m, n, least = given
    release = released(values, KmnAnonymity(k=2, m=m, n=n, l=least, delete=1.0))
    assert fewest(plain_records(release), m, n) >= least


def test_all_who_fit_lose_the_path_that_is_told_and_nobody_else() -> None:
    values = [{"a": "x", "secret": "1"}] * 3 + [{"a": "y", "secret": str(at)} for at in range(3)]
    release = released(values, KmnAnonymity(k=3, m=1, n=0, l=2))
    assert plain_records(release) == [{"a": "x"}] * 3 + values[3:]
    assert release.measured.lm == 0
    assert release.measured.changed == 3
    assert [line.mark for line in RecordComparison(release).lines(0) if line.name == "secret"] == [SUPPRESSED]


def test_what_stands_at_a_known_label_is_told_however_various_the_records_are() -> None:
    others = [{"place": "2", "secret": secret} for secret in "xyxy"]
    values = [{"s": "F", "stays": [{"place": "1", "secret": "z"}, other]} for other in others]
    values += [{"s": "F", "stays": [{"place": "1"}, {"place": "2", "secret": secret}]} for secret in "xy"]
    release = released(values, KmnAnonymity(k=2, m=1, n=0, l=2))
    at_first = [
        stay.get("secret") for record in plain_records(release) for stay in record["stays"] if stay["place"] == "1"
    ]
    at_second = [
        stay["secret"] for record in plain_records(release) for stay in record["stays"] if stay["place"] == "2"
    ]
    assert at_first == [None] * 6
    assert sorted(at_second) == list("xxxyyy")


def test_a_value_that_everybody_has_among_others_is_told() -> None:
    values = [{"a": "x", "c": [{"secret": "1"}, {"secret": other}]} for other in "234"]
    release = released(values, KmnAnonymity(k=3, m=1, n=0, l=2))
    assert plain_records(release) == [{"a": "x", "c": [{}, {}]}] * 3


def test_code_that_withholds_nothing_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        kmn_anonymity, "labels_to_withhold", lambda held, *more: tuple(frozenset[int]() for _ in held.sensitive)
    )
    with pytest.raises(PromiseBroken, match="l-diversity of every pattern"):
        released(students(40), KmnAnonymity(k=3, m=2, n=1, l=2))


def test_code_that_looks_at_records_alone_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.rooms.trees.background_knowledge import SensitivePath

    monkeypatch.setattr(SensitivePath, "places", lambda self, size: range(-1, 0))
    values = [{"s": "F", "stays": [{"place": "1", "secret": "z"}]}] * 3
    values += [{"s": "F", "stays": [{"place": "1"}, {"place": "2", "secret": secret}]} for secret in "xyxy"]
    with pytest.raises(PromiseBroken, match="l-diversity of every pattern"):
        released(values, KmnAnonymity(k=3, m=1, n=0, l=2))


def test_the_checklist_is_green_when_the_sensitive_paths_are_protected() -> None:
    checks = {
        least: {
            check.name: check.holds
            for check in release_candidate.prepare_candidate(release, Safeguards(), SILENT).checks
        }
        for least in (1, 2)
        for release in [released(students(40), KmnAnonymity(k=3, m=2, n=1, l=least))]
    }
    assert not checks[1]["sensitive"]
    assert checks[2]["sensitive"]
    assert checks[2]["few_l"]
