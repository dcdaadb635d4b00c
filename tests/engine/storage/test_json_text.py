"""JSON as indented text: exactly what Python's own encoder writes."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.storage import json_io
from anonymizer_gui.engine.storage.json_io import indented_json

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(PLAIN, lambda below: st.lists(below) | st.dictionaries(st.text(), below))


def python_text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)


@given(VALUES)
def test_the_text_is_that_of_pythons_encoder(value: Json) -> None:
    assert indented_json(value) == python_text(value)


@pytest.mark.parametrize("items", [["a", 1, ["b"], "c", "d"], ["a", "b", "c", "d", {"e": "f"}], list("abcdefg")])
def test_a_list_written_in_pieces_is_the_same(items: list[Json], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_io, "_AT_ONCE", 2)
    assert indented_json({"items": items}) == python_text({"items": items})


def test_a_number_json_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        indented_json([1.0, math.nan])
