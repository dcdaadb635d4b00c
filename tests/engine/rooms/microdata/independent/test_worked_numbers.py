"""The numbers of the worked examples, counted from files."""

import math

import pytest

from anonymizer_gui.engine.rooms.microdata.independent import KnownFacts, Order, Tree
from anonymizer_gui.engine.rooms.microdata.independent.interface import PlainGoal
from tests.engine.rooms.microdata.independent.counted_files import Rows, asked, counted

HOSPITAL = ("Zip", "Age", "Nationality", "Disease")
DISEASES = ("Heart", "Heart", "Flu", "Flu", "Cancer", "Heart", "Flu", "Flu", *["Cancer"] * 4)
RELEASED = [
    [*cells, disease]
    for cells, disease in zip(
        [["130**", "<30", "*"]] * 4 + [["1485*", ">40", "*"]] * 4 + [["130**", "30-40", "*"]] * 4, DISEASES, strict=True
    )
]
SYSTEMS = ("iOS", "Android", "MacOS", "Windows", "Linux", "Windows", "MacOS", "Windows", "Android")
PHONES = [[str(number // 3), system] for number, system in enumerate(SYSTEMS)]


def of_classes(*classes: str) -> Rows:
    """Give rows (class, value) from texts with one letter for each record."""
    return [[str(number), value] for number, held in enumerate(classes) for value in held]


def value(rows: Rows, goal: PlainGoal, known: KnownFacts | None = None) -> float | None:
    return counted(("q", "s"), rows, ["q"], ["s"], [goal], known).verdicts[0].value


def holds(rows: Rows, goal: PlainGoal, known: KnownFacts | None = None) -> bool | None:
    return counted(("q", "s"), rows, ["q"], ["s"], [goal], known).verdicts[0].holds


def against(counts: dict[str, float]) -> KnownFacts:
    return KnownFacts(references={"own": {"s": counts}})


def test_the_hospital_is_4_anonymous_and_1_diverse() -> None:
    found = counted(HOSPITAL, RELEASED, HOSPITAL[:3], HOSPITAL[3:])
    assert (found.rows, found.classes, found.k, found.sizes) == (12, 3, 4, {4: 3})
    assert found.l["Disease"]["distinct"] == 1
    assert found.largest_share == {"Disease": 1.0}
    assert found.emptied == 0


def test_the_phones_are_five_ninths_away() -> None:
    found = counted(("q", "s"), PHONES, ["q"], ["s"])
    assert found.t["s"]["variational"] == pytest.approx(5 / 9)
    first = counted(("q", "s"), PHONES[:3], ["q"], ["s"], [asked("t", t=1, distance="kl", reference="own")], against(
        {"Windows": 3, "Android": 2, "MacOS": 2, "iOS": 1, "Linux": 1}
    ))  # fmt: skip
    assert first.verdicts[0].value == pytest.approx((1 / 3) * math.log2(3) + (2 / 3) * math.log2(3 / 2))


def test_entropy_of_equal_and_of_unequal_counts() -> None:
    assert value(of_classes("aabb"), asked("entropy-l", l=2.0)) == pytest.approx(2)
    assert holds(of_classes("aabb"), asked("entropy-l", l=2.0))
    assert value(of_classes("aaab"), asked("entropy-l", l=2.0)) == pytest.approx(1.7548, abs=5e-5)


@pytest.mark.parametrize(
    ("c", "l", "expected"), [(1.0, 2, False), (1.001, 2, True), (2.0, 2, True), (3.0, 3, False), (4.0, 3, True)]
)
def test_recursive_diversity_of_flu_acne_and_shingles(c: float, l: int, expected: bool) -> None:  # noqa: E741
    assert holds(of_classes("fffaas"), asked("recursive-l", l=l, c=c)) is expected


def test_with_c_2_the_largest_recursive_l_is_2() -> None:
    assert value(of_classes("fffaas"), asked("recursive-l", l=2, c=2.0)) == 2


def test_an_exact_tie_fails_recursive_diversity() -> None:
    assert holds(of_classes("f" * 11 + "a" * 5 + "s" * 5), asked("recursive-l", l=2, c=1.1)) is False


@pytest.mark.parametrize(
    ("distance", "one", "two"), [("variational", 0.5, 0.5), ("kl", 1, 1), ("emd-ordered", 1 / 3, 1 / 6)]
)
def test_salaries_with_the_same_variational_distance_differ_by_order(distance: str, one: float, two: float) -> None:
    uniform = against(dict.fromkeys("1234", 0.25))
    goal = asked("t", t=0.2, distance=distance, reference="own")
    assert value(of_classes("12"), goal, uniform) == pytest.approx(one)
    assert value(of_classes("23"), goal, uniform) == pytest.approx(two)


def test_the_salaries_of_the_t_closeness_paper() -> None:
    salaries = [str(number) for number in range(3, 12)]
    goal, known = asked("t", t=0.2, distance="emd-ordered", reference="own"), against(dict.fromkeys(salaries, 1))
    assert value([["q", s] for s in ("3", "4", "5")], goal, known) == pytest.approx(0.375)
    assert value([["q", s] for s in ("6", "8", "11")], goal, known) == pytest.approx(1 / 6)


def test_skewness_is_seen_by_the_distance() -> None:
    known = against({"-": 0.99, "+": 0.01})
    goal = asked("t", t=0.2, distance="variational", reference="own")
    assert value(of_classes("+-"), goal, known) == pytest.approx(0.49)
    assert value(of_classes("--"), goal, known) == pytest.approx(0.01)
    assert holds(of_classes("+-"), asked("l", l=2))


def test_mass_that_stays_under_one_node_travels_less() -> None:
    tree = Tree(("*", "a", "0", "1", "b", "2", "3"), (-1, 0, 1, 1, 0, 4, 4))
    known = KnownFacts(trees={"s": tree}, references={"own": {"s": dict.fromkeys("0123", 1)}})
    goal = asked("t", t=0.2, distance="emd-hierarchical", reference="own")
    assert value(of_classes("02"), goal, known) == pytest.approx(0.25)
    assert value(of_classes("01"), goal, known) == pytest.approx(0.5)


def test_a_hierarchical_distance_is_not_decided_without_the_hierarchy() -> None:
    (verdict,) = counted(
        ("q", "s"), of_classes("01"), ["q"], ["s"], [asked("t", t=0.2, distance="emd-hierarchical")]
    ).verdicts
    assert (verdict.value, verdict.holds) == (None, None)
    assert verdict.sentence == "The hierarchy of the sensitive values is not known."


def test_a_class_of_equal_salaries_is_near_by_order_and_shown_as_one_value() -> None:
    rows = of_classes("5" * 10, "123456789")
    found = counted(("q", "s"), rows, ["q"], ["s"], [asked("t", t=0.3, distance="emd-ordered")])
    assert found.verdicts[0].holds
    assert found.largest_share == {"s": 1.0}


def test_a_distribution_nobody_gave_is_not_decided() -> None:
    goal = asked("t", t=0.2, distance="kl", reference="census")
    assert holds(of_classes("01"), goal) is None


@pytest.mark.parametrize("distribution", [[["1", 1], ["2", 1], ["3", 1], ["4", 1]], dict.fromkeys("1234", 0.25)])
def test_a_goal_may_name_its_distribution_itself(distribution: object) -> None:
    goal = asked("t", t=0.4, distance="emd-ordered", reference="own", distribution=distribution)
    assert value(of_classes("12"), goal) == pytest.approx(1 / 3)
    assert holds(of_classes("12"), asked("t", t=1, reference="own", distribution={"1": 0})) is None
    assert holds(of_classes("12"), asked("t", t=1, reference="own", distribution="a lot")) is None


def test_an_order_of_its_own_decides_the_ordered_distance() -> None:
    rows, goal = of_classes("ac", "bb"), asked("t", t=0.3, distance="emd-ordered")
    assert value(rows, goal) == pytest.approx(0.25)
    assert value(rows, goal, KnownFacts(orders={"s": Order("list", values=("a", "c", "b"))})) == pytest.approx(0.375)
    assert value(rows, goal, KnownFacts(orders={"s": Order("list", values=("a", "b", "c"))})) == pytest.approx(0.25)


def test_one_group_of_records_is_believed_only_if_the_table_has_it() -> None:
    rows = of_classes("a" * 30 + "b" * 30, "a" * 31 + "b" * 29, "a" * 30 + "c" * 40)
    goal = asked("n-t", t=0.52, n=60, distance="variational", group="one")
    near, stranger = {"a": 91, "b": 59, "c": 33}, {"a": 1000, "b": 500, "c": 500}
    wanted = value(rows, goal, KnownFacts(groups={0: {"s": near}}))
    assert wanted is not None
    assert value(rows, goal, KnownFacts(groups={0: {"s": stranger}})) == value(rows, goal)


def test_a_goal_that_only_a_group_could_meet_is_not_decided_without_it() -> None:
    rows = of_classes("a" * 30 + "b" * 30 + "c" * 5, "a" * 31 + "b" * 29 + "c" * 5, "a" * 400 + "b" * 400 + "d" * 900)
    goal = asked("n-t", t=0.3, n=130, distance="variational", group="one")
    assert holds(rows, goal) is None
    assert holds(rows, goal, KnownFacts(groups={0: {"s": {"a": 300, "b": 300, "c": 10, "d": 250}}})) is True


def test_a_goal_that_lacks_a_parameter_or_that_nobody_knows_is_not_decided() -> None:
    assert holds(of_classes("ab"), asked("k")) is None
    assert holds(of_classes("ab"), asked("k-something", k=3)) is None


def test_an_empty_release_has_nothing_to_count() -> None:
    found = counted(("q", "s"), [], ["q"], ["s"], [asked("k", k=2), asked("l", l=2)])
    assert (found.rows, found.classes, found.k, found.sizes) == (0, 0, 0, {})
    assert [verdict.value for verdict in found.verdicts] == [0.0, 0.0]


def test_rows_with_nothing_left_are_counted() -> None:
    rows = [["*", "*", "x"]] * 3 + [["*", "1", "y"]] * 2
    assert counted(("a", "b", "s"), rows, ["a", "b"], ["s"]).emptied == 3
    assert counted(("a", "b", "s"), rows, [], ["s"]).emptied == 0
