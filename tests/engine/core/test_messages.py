"""Sentences are plain English text wherever they go, and know their pattern and values."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import (
    Message,
    as_message,
    join_messages,
    message,
    pack_message,
    quote,
    unpack_message,
)

NASTY = ["{}", "{name}", "{0}", "{name.__class__}", "%s", "%n", "{rows:row|rows}", "}{", "a number", "\0", "“x”"]


@pytest.mark.parametrize(("pattern", "values", "text"), [
    ("{rows:row|rows}", {"rows": 1}, "1 row"),
    ("{rows:row|rows}", {"rows": 2000}, "2,000 rows"),
    ("{rows:row|rows}", {"rows": 0}, "0 rows"),
    ("{rows:row|rows}", {"rows": np.int64(1)}, "1 row"),
    ("{rows:row|rows}", {"rows": 2000.0}, "2,000 rows"),
    ("{rows:row has|rows have} none", {"rows": 1}, "1 row has none"),
    ("{rows:row|rows} {rows:~has|have} none", {"rows": 2}, "2 rows have none"),
    ("{rows:row|rows} {rows:~has|have} none", {"rows": 1}, "1 row has none"),
    ("{share:.1%} of {k}", {"share": 0.4834, "k": 5}, "48.3% of 5"),
    ("{size:g}", {"size": 0.5}, "0.5"),
    ("{count:,}", {"count": 1234567}, "1,234,567"),
    ("{item!r}", {"item": "x"}, "'x'"),
    ("{names}", {"names": ["a", "b"]}, "a, b"),
    ("{numbers:,}", {"numbers": (1000, 2)}, "1,000, 2"),
    ("a {brace", {}, "a {brace"),
    ("is {flag}", {"flag": True}, "is True"),
])  # fmt: skip
def test_values_stand_in_their_places(pattern: str, values: dict[str, object], text: str) -> None:
    said = message(pattern, **values)
    assert said == text
    assert (said.pattern, said.values) == (pattern, values)


@pytest.mark.parametrize("name", NASTY)
def test_a_value_is_never_taken_for_a_pattern(name: str) -> None:
    assert message("“{name}” is empty.", name=name) == f"“{name}” is empty."
    assert message("{what}", what=message("“{name}” is empty.", name=name)) == f"“{name}” is empty."
    assert message("{names}", names=quote([name, "b"])) == f"“{name}”, “b”"


def test_a_place_without_a_value_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        message("{name} is {size}", name="a")


def test_sentences_are_put_together_and_empty_ones_left_out() -> None:
    said = join_messages(message("It has {rows:row|rows}.", rows=1), "", "Choose {another} file.")
    assert said == "It has 1 row. Choose {another} file."
    assert list(said.values.values()) == ["It has 1 row.", "Choose {another} file."]
    assert join_messages("", "") == ""


def test_a_sentence_is_taken_as_it_is_and_a_text_becomes_one() -> None:
    said = message("It has {rows:row|rows}.", rows=1)
    assert as_message(said) is said
    assert as_message("{} has none.").pattern == as_message("{} has none.") == "{} has none."


@dataclasses.dataclass(frozen=True, slots=True)
class Holder:
    text: str


@pytest.mark.parametrize("carry", [
    lambda said: Holder(said).text,
    lambda said: dataclasses.replace(Holder(said)).text,
    lambda said: dataclasses.asdict(Holder(said))["text"],
    lambda said: BadParameter(said, said).message,
    lambda said: BadParameter(said, said).hint,
    copy.deepcopy,
    lambda said: pickle.loads(pickle.dumps(said)),
])  # fmt: skip
def test_the_memory_survives_being_carried_about(carry: object) -> None:
    said = carry(message("“{name}” has {rows:row|rows}.", name="a", rows=3))  # type: ignore[operator]
    assert isinstance(said, Message)
    assert (said.pattern, said.values) == ("“{name}” has {rows:row|rows}.", {"name": "a", "rows": 3})


@pytest.mark.parametrize(
    "pattern", ["{x.__class__}", "{x[0]}", "{x!r}", "{x:>999999999}", "{x:{y}}", "{0}", "{}", "{x"]
)
def test_a_pattern_of_a_stranger_neither_looks_into_values_nor_fills_up_memory(pattern: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of Python's own, or ours
        unpack_message({"pattern": pattern, "values": {"x": "text", "y": "999999999"}})


def test_a_sentence_is_plain_text_to_everybody_else() -> None:
    said = message("“{name}” is empty.", name="a")
    assert json.dumps({"x": said}, ensure_ascii=False) == '{"x": "“a” is empty."}'
    assert {said: 1}["“a” is empty."] == 1
    assert str(BadParameter(said, "Choose another.")) == "“a” is empty. Choose another."
    assert not isinstance(f"{said}", Message)


@pytest.mark.parametrize(
    "value",
    [
        message("It has {rows:row|rows}.", rows=2000),
        message("It has {rows:row|rows}.", rows=np.int64(1)),
        "a plain {text}",
        7,
        0.5,
        None,
        True,
        message("{what} in {names}", what=message("“{name}” is empty.", name="{}"), names=quote(["a", "b"])),
    ],
)
def test_a_sentence_is_said_again_on_the_other_side(value: object) -> None:
    there = unpack_message(json.loads(json.dumps(pack_message(value))))
    assert there == value
    assert getattr(there, "pattern", None) == getattr(value, "pattern", None)
