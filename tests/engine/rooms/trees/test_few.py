"""k^(m,n)-anonymity: every pattern is counted by trying all of them, on the published records."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter, Infeasible
from anonymizer_gui.engine.rooms.trees.algorithms.kmn_anonymity import KmnAnonymity
from anonymizer_gui.engine.rooms.trees.attack import attack_release, attack_source, exposure, rare_patterns
from tests.engine.rooms.trees.making import plain_records, plain_supports, project_for, released, students, trees_of

STAYS = st.lists(
    st.fixed_dictionaries(
        {"place": st.sampled_from("123")},
        optional={"why": st.sampled_from(["flu", "cold"]), "drugs": st.lists(
            st.fixed_dictionaries({"drug": st.sampled_from("ab")}), max_size=2)},
    ),
    max_size=3,
)  # fmt: skip
RECORDS = st.lists(st.fixed_dictionaries({"sex": st.sampled_from("FM"), "stays": STAYS}), min_size=4, max_size=12)
BETRAYED = [
    {"sex": "F", "stays": [{"place": "1", "drugs": [{"drug": "a"}]}, {"place": "2", "drugs": [{"drug": "b"}]}]}
    for _ in range(4)
] + [{"sex": "F", "stays": [{"place": "1", "drugs": [{"drug": "b"}]}, {"place": "2", "drugs": [{"drug": "a"}]}]}]


@pytest.mark.parametrize(("k", "m", "n"), [(2, 1, 0), (3, 2, 0), (3, 2, 1), (5, 2, 1), (2, 3, 1), (3, 3, 2)])
def test_no_pattern_is_too_rare(k: int, m: int, n: int) -> None:
    release = released(students(60), KmnAnonymity(k=k, m=m, n=n))
    counts = plain_supports(plain_records(release), m, n)
    assert min(counts.values()) >= k
    assert release.measured.smallest_class == min(counts.values())


@given(RECORDS, st.sampled_from([(2, 1), (2, 0), (3, 1), (3, 2)]))
def test_any_records_hold_what_was_promised(values: list[Any], known: tuple[int, int]) -> None:
    release = released(values, KmnAnonymity(k=2, m=known[0], n=known[1], delete=1.0))
    counts = plain_supports(plain_records(release), *known)
    assert min(counts.values(), default=2) >= 2


def test_the_relation_that_betrays_somebody_is_cut_and_every_label_stays() -> None:
    release = released(BETRAYED, KmnAnonymity(k=2, m=2, n=1, delete=0.0))
    assert release.measured.lm == 0
    assert release.measured.disassociated == len(release.outcome.detached) == 2
    alone = plain_records(release)[-1]
    detached = sorted(next(iter(entry.values()))["drug"] for entry in alone["detached"])
    assert detached == ["a", "b"]
    assert {next(iter(entry)) for entry in alone["detached"]} == {"stays[].drugs[]"}
    assert [stay for stay in alone["stays"] if "drugs" in stay] == []


def test_two_labels_of_one_vertex_are_split_when_their_pair_betrays() -> None:
    values = [{"s": "x", "c": [{"p": "1", "q": "a"}, {"p": "2", "q": "b"}]} for _ in range(4)]
    values += [{"s": "x", "c": [{"p": "1", "q": "b"}, {"p": "2", "q": "a"}]}]
    release = released(values, KmnAnonymity(k=2, m=2, n=1, delete=0.0))
    assert release.measured.lm == 0
    assert len(release.outcome.split) == release.measured.disassociated == 2
    assert min(plain_supports(plain_records(release), 2, 1).values()) >= 2


def test_without_relations_nothing_is_cut() -> None:
    release = released(BETRAYED, KmnAnonymity(k=2, m=2, n=0, delete=0.0))
    assert release.measured.disassociated == 0
    assert plain_supports(plain_records(release), 2, 1).most_common()[-1][1] == 1


def test_a_name_that_is_taken_is_not_used_for_what_is_detached() -> None:
    values = [{**record, "detached": "yes"} for record in BETRAYED]
    release = released(values, KmnAnonymity(k=2, m=2, n=1, delete=0.0))
    assert release.detached == "detached_2"
    assert "detached_2" in plain_records(release)[-1]


def test_k_of_one_changes_nothing() -> None:
    release = released(students(12), KmnAnonymity(k=1, m=2, n=1))
    assert release.measured.lm == release.measured.changed == release.measured.disassociated == 0


def test_a_label_that_only_deleting_saves_needs_a_budget() -> None:
    values = [{"a": "x"}] * 5 + [{"a": "x", "rare": "y"}]
    with pytest.raises(Infeasible, match=r"14\.29% of all labels"):
        released(values, KmnAnonymity(k=3, m=2, n=1, delete=0.0))
    release = released(values, KmnAnonymity(k=3, m=2, n=1, delete=0.2))
    assert plain_records(release) == [{"a": "x"}] * 6
    assert release.notes[0] == "1 label was deleted."


def test_more_relations_than_labels_are_refused() -> None:
    with pytest.raises(BadParameter, match="more than n labels"):
        released(students(9), KmnAnonymity(k=2, m=1, n=1))


@pytest.mark.parametrize(("m", "n"), [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2)])
def test_the_attack_finds_exactly_the_rare_patterns(m: int, n: int) -> None:
    values = students(25)
    trees = trees_of(values)
    target = attack_source(trees, project_for(trees, KmnAnonymity()))
    counts = plain_supports(values, m, n)
    found = exposure(target, m, n, 3)
    assert (found.patterns, found.rare) == (len(counts), sum(count < 3 for count in counts.values()))
    listed = rare_patterns(target, m, n, below=3)
    assert len(listed) == min(found.rare, 500)
    assert all(each.support < 3 for each in listed)


def test_the_attack_on_a_release_finds_nobody() -> None:
    release = released(students(60), KmnAnonymity(k=4, m=2, n=1))
    assert exposure(attack_release(release), 2, 1, 4).exposed(4) == 0
    assert rare_patterns(attack_release(release), 2, 1, below=4) == ()


def test_a_pattern_is_found_by_its_words() -> None:
    trees = trees_of(BETRAYED)
    target = attack_source(trees, project_for(trees, KmnAnonymity()))
    found = rare_patterns(target, 2, 1, below=2, containing="place=2 and drug=a")
    assert [(each.words, each.support, each.record) for each in found] == [("place=2 → drug=a", 1, 4)]
