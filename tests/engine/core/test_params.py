"""Parameters are declared once; checking, reading, saving and describing follow."""

import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import (
    Choice,
    Flag,
    Float,
    Int,
    Kind,
    ListOf,
    PerColumn,
    Shares,
    Text,
    check_params,
    from_json,
    from_texts,
    param,
    params_of,
    to_json,
)


@dataclass(frozen=True, slots=True)
class Everything:
    """One parameter of every kind."""

    whole: int = param(Int(low=1, high=9), default=5, label="Whole", help="A whole number.")
    number: float = param(Float(low=0, high=1, above=True), default=0.5, label="Number", help="A share.")
    choice: str = param(Choice({"a": "first", "b": "second"}), default="a", label="Choice", help="One of two.")
    flag: bool = param(Flag(), default=False, label="Flag", help="Yes or no.")
    text: str = param(Text(), default="", label="Text", help="Any text.")
    several: tuple[int, ...] = param(ListOf(Int()), default=(), label="Several", help="Numbers.")
    per_column: tuple[tuple[str, int], ...] = param(PerColumn(Int(low=0)), default=(), label="Levels", help="Levels.")
    silent: int = 0


values = st.builds(
    Everything,
    whole=st.integers(1, 9),
    number=st.floats(0, 1, exclude_min=True),
    choice=st.sampled_from("ab"),
    flag=st.booleans(),
    text=st.text(),
    several=st.lists(st.integers()).map(tuple),
    per_column=st.dictionaries(st.text(min_size=1), st.integers(0, 9)).map(lambda d: tuple(sorted(d.items()))),
)


@given(values)
def test_what_is_saved_as_json_is_read_back_the_same(value: Everything) -> None:
    assert from_json(Everything, json.loads(json.dumps(to_json(value)))) == value


@given(values)
def test_a_value_that_follows_its_rules_is_checked_unchanged(value: Everything) -> None:
    assert check_params(value) == value


def test_everything_is_read_from_what_a_person_typed() -> None:
    typed = {
        "whole": " 7 ",
        "number": "0,25",
        "choice": "b",
        "flag": "Yes",
        "text": " x ",
        "several": "1, 2,",
        "per_column": "age=3, a=b=2",
    }
    assert from_texts(Everything, typed) == Everything(7, 0.25, "b", True, "x", (1, 2), (("a=b", 2), ("age", 3)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("whole", 0), ("whole", 10), ("whole", True), ("whole", 1.0), ("whole", "5"), ("whole", None),
        ("number", 0), ("number", 1.1), ("number", float("nan")), ("number", float("inf")), ("number", "x"),
        ("number", True), ("choice", "c"), ("choice", 1), ("flag", 1), ("flag", "yes"), ("text", 5),
        ("several", "12"), ("several", [1, "x"]), ("per_column", [["a"]]), ("per_column", {"a": -1}), ("per_column", 5),
    ],
)  # fmt: skip
def test_a_value_against_the_rule_is_refused_with_the_rule(name: str, value: object) -> None:
    with pytest.raises(BadParameter) as caught:
        from_json(Everything, {name: value})
    label = next(p.label for p in params_of(Everything) if p.name == name)
    assert f"“{label}”" in caught.value.message


@pytest.mark.parametrize(
    ("name", "typed"),
    [("whole", "x"), ("whole", "1.5"), ("number", "-1"), ("number", "nan"), ("choice", "A"), ("flag", "perhaps"),
     ("several", "1,x"), ("per_column", "age"), ("per_column", "age=x")],
)  # fmt: skip
def test_a_typing_mistake_is_refused(name: str, typed: str) -> None:
    with pytest.raises(BadParameter):
        from_texts(Everything, {name: typed})


def test_an_unknown_parameter_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadParameter) as caught:
        from_json(Everything, {"kk": 1})
    assert "whole" in caught.value.hint


def test_a_value_made_past_its_rules_does_not_pass_the_check() -> None:
    with pytest.raises(BadParameter):
        check_params(Everything(whole=99))


def test_parameters_are_described_in_order_with_their_defaults() -> None:
    assert [(p.name, p.default) for p in params_of(Everything)][:2] == [("whole", 5), ("number", 0.5)]
    assert "silent" not in {p.name for p in params_of(Everything)}


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (Int(), "a whole number"),
        (Int(low=1), "a whole number of at least 1"),
        (Int(high=9), "a whole number of at most 9"),
        (Int(1, 9), "a whole number from 1 to 9"),
        (Float(0, 1), "a number from 0 to 1"),
        (Float(0, above=True), "a number above 0"),
        (Float(0, 1, above=True), "a number above 0 and at most 1"),
        (Choice({"a": "x", "b": "y"}), "one of a, b"),
        (Flag(), "yes or no"),
        (Text(column=True), "the name of a column"),
        (ListOf(Flag()), "a list, each yes or no"),
        (PerColumn(Int()), "column=value pairs, each value a whole number"),
        (Shares(), "value=share pairs, no share below 0 and one above"),
    ],
)
def test_rules_are_said_in_words(kind: Kind, rule: str) -> None:
    assert kind.rule() == rule


def test_shares_are_read_with_doubled_commas_and_sorted_by_value() -> None:
    assert Shares().parse("b=2, a,, c=0.5,x=y=0") == (("a, c", 0.5), ("b", 2.0), ("x=y", 0.0))
    assert Shares().check({"b": 1, "a": 2}) == (("a", 2.0), ("b", 1.0))
    assert Shares().parse("") == ()


@pytest.mark.parametrize("text", ["a", "a=", "a=b", "a=-1", "a=0,b=0", "=5x"])
def test_what_are_no_shares_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="pairs"):
        Shares().parse(text)


@pytest.mark.parametrize("entry", [5, "a", [["a"]], [["a", "b"]], {"a": True}, {"a": -1}, [["a", float("nan")]]])
def test_entries_that_are_no_shares_are_refused(entry: object) -> None:
    with pytest.raises(ValueError, match="pairs"):
        Shares().check(entry)
