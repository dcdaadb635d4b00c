"""Options of reading and writing are parameters: saved, typed, checked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import check_params, from_json, from_texts, params_of, to_json
from anonymizer_gui.engine.data.tables.io.contract import READERS
from anonymizer_gui.engine.data.tables.io.options import ENCODINGS, ReadOptions, WriteOptions
from anonymizer_gui.engine.data.tables.io.read_report import Lines
from anonymizer_gui.engine.data.tables.normalisation import normalise_text, repair_names


def test_options_survive_json() -> None:
    options = ReadOptions("\t", "", "cp1254", False, 3, ",", ("NA", "?"), "refuse", "drop", "sheet 2", "SELECT 1")
    assert from_json(ReadOptions, json.loads(json.dumps(to_json(options)))) == options


@pytest.mark.parametrize(("typed", "meant"), [("tab", "\t"), ("semicolon", ";"), (";", ";"), (" ", " "), ("\t", "\t")])
def test_a_delimiter_can_be_typed_or_named(typed: str, meant: str) -> None:
    assert from_texts(ReadOptions, {"delimiter": typed}).delimiter == meant


def test_no_quotation_mark_can_be_typed() -> None:
    assert from_texts(ReadOptions, {"quote": "none"}).quote == ""


@pytest.mark.parametrize(
    "wrong",
    [{"delimiter": ""}, {"delimiter": "ab"}, {"delimiter": "\n"}, {"delimiter": "§"}, {"quote": "''"},
     {"encoding": "klingon"}, {"skip_lines": -1}, {"decimal": ":"}, {"missing": "NA"}, {"long_rows": "pad"}],
)  # fmt: skip
def test_what_no_file_can_have_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadParameter):
        from_json(ReadOptions, wrong)


def test_every_encoding_on_offer_exists() -> None:
    for encoding in ENCODINGS:
        assert "abc\n".encode(encoding).decode(encoding) == "abc\n"


def test_the_defaults_follow_their_own_rules() -> None:
    assert check_params(ReadOptions()) == ReadOptions()
    assert check_params(WriteOptions()) == WriteOptions()


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise_text(normalise_text(text)) == normalise_text(text)


@given(st.text(st.sampled_from("é\u0301e\u200d\u200c\u200b \u00a0\u3000a\ufeff\u0600\0"), max_size=8))
def test_normalising_odd_characters_twice_changes_nothing_more(text: str) -> None:
    assert normalise_text(normalise_text(text)) == normalise_text(text)


@given(st.lists(st.text(max_size=3) | st.sampled_from(["a", "a (2)", "", "column 1", "column 2"]), max_size=8))
def test_repaired_names_are_distinct_and_stay_as_they_are(names: list[str]) -> None:
    fixed, renamed = repair_names(names)
    assert len(set(fixed)) == len(names)
    assert all(fixed)
    assert repair_names(fixed) == (fixed, ())
    assert len(renamed) == sum(old != new for old, new in zip(names, fixed, strict=True))


def test_ten_thousand_equal_names_are_numbered_in_no_time() -> None:
    assert repair_names(["a"] * 10_000)[0][-1] == "a (10000)"


def test_lines_are_named_up_to_ten_and_counted_beyond() -> None:
    lines = Lines().plus([3]).plus(list(range(10, 30)))
    assert lines.total == 21
    assert lines.named() == "lines 3, 10, 11, 12, 13, 14, 15, 16, 17, 18 and 11 more"
    assert Lines().plus([7]).named() == "line 7"


@pytest.mark.parametrize("name", READERS.names())
def test_a_reader_names_options_there_are(name: str) -> None:
    known = [param.name for param in params_of(ReadOptions)]
    assert set(READERS.get(name).choices) <= set(known)
    assert "missing" in READERS.get(name).choices
