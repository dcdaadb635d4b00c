"""Labels such as 20-24, >= 90 and 1950s are intervals when a node is split, merged or sorted."""

from datetime import date

import pytest

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.hierarchy import edits
from anonymizer_gui.engine.hierarchy.edits import joint_interval, joint_label, split_interval
from anonymizer_gui.engine.hierarchy.intervals import has_intervals, node_interval, parse_days
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval

AGES = Hierarchy.from_nested(
    {"*": {">= 90": ["95", "91"], "20-24": ["23", "20"], "25-29": ["27"], "old": ["80"], "<20": ["19"]}}
)


def node(tree: Hierarchy, label: str) -> int:
    return tree.node_of_label[label]


def test_a_spelt_interval_is_split_in_the_style_of_its_siblings() -> None:
    tree = split_interval(AGES, node(AGES, "20-24"), [22])
    assert [tree.labels[tree.parents[node(tree, value)]] for value in ("20", "23")] == ["20-21", "22-24"]
    tree = split_interval(AGES, node(AGES, ">= 90"), [95])
    assert [tree.labels[tree.parents[node(tree, value)]] for value in ("91", "95")] == ["90-94", ">=95"]


def test_years_of_a_decade_are_split_as_years_and_dates_as_days() -> None:
    years = Hierarchy.from_nested({"*": {"1950s": ["1951", "1958"], "1960s": ["1960"]}})
    assert "1955-1959" in split_interval(years, 1, [1955]).labels
    dates = Hierarchy.from_nested({"*": {"1950s": ["1951-02-03", "1958-04-05"], "1960s": ["1960-01-01"]}})
    found = node_interval(dates, 1)
    assert found == parse_days("1950s") == parse_days("1950-1959")
    assert found is not None
    assert found.high - found.low == 3652
    with pytest.raises(BadHierarchy):
        split_interval(dates, 1, [1955])


@pytest.mark.parametrize(
    ("nodes", "label"),
    [(("20-24", "25-29"), "20-29"), (("<20", "20-24"), "<=24"), (("1950s", "1960s"), "1950-1969")],
)
def test_spelt_neighbours_make_one_interval(nodes: tuple[str, str], label: str) -> None:
    tree = Hierarchy.from_nested({"*": {"1950s": ["1951"], "1960s": ["1960"]}}) if "1950s" in nodes else AGES
    chosen = [node(tree, each) for each in nodes]
    joint = joint_interval([node_interval(tree, each) for each in chosen])
    assert joint is not None
    assert joint_label(tree, chosen, joint) == label
    merged = edits.merge(tree, chosen, label)
    assert merged.intervals[node(merged, label)] == joint


def test_sorting_by_interval_reads_labels_and_values() -> None:
    tree = edits.sort(AGES, by="interval")
    assert [tree.labels[child] for child in tree.children(0)] == ["<20", "20-24", "25-29", ">= 90", "old"]
    assert [tree.labels[child] for child in tree.children(node(tree, ">= 90"))] == ["91", "95"]


def test_ranges_that_touch_leave_the_end_to_the_next() -> None:
    tree = Hierarchy.from_nested({"*": {"30-35": ["30"], "35-40": ["35", "40"]}})
    assert node_interval(tree, node(tree, "30-35")) == Interval(30, 35)
    assert node_interval(tree, node(tree, "35-40")) == Interval(35, 40, closed=True)


def test_a_label_that_contradicts_its_values_is_no_interval() -> None:
    tree = Hierarchy.from_nested({"*": {"20-24": ["20", "31"], "25-29": ["27"]}})
    assert node_interval(tree, 1) is None
    assert node_interval(tree, node(tree, "25-29")) is not None
    assert has_intervals(tree)
    assert not has_intervals(Hierarchy.from_nested({"*": {"Europe": ["Italy"]}}))


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("1953", "1953-01-01", "1953-12-31"),
        ("1953-Q2", "1953-04-01", "1953-06-30"),
        ("1953-04", "1953-04-01", "1953-04-30"),
        ("1953-H2", "1953-07-01", "1953-12-31"),
        ("2024-W10", "2024-03-04", "2024-03-10"),
    ],
)
def test_stretches_of_days_are_read(label: str, first: str, last: str) -> None:
    found = parse_days(label)
    assert found is not None
    assert found.holds(date.fromisoformat(first).toordinal())
    assert found.holds(date.fromisoformat(last).toordinal() + 0.9)
    assert not found.holds(date.fromisoformat(last).toordinal() + 1)
    assert not found.holds(date.fromisoformat(first).toordinal() - 1)


@pytest.mark.parametrize("label", ["1953-Q5", "1953-13", "1953-W60", "1960-1950", "12", "soon"])
def test_what_names_no_days_is_not_read(label: str) -> None:
    assert parse_days(label) is None
