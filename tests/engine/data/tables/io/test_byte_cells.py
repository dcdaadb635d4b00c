"""Coding cells as bytes is exact: whatever their length, whatever their number, even when keys collide."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.data.tables import dictionary_encoding as cells_module
from anonymizer_gui.engine.data.tables.dictionary_encoding import ByteCells, DictionaryEncoder, padded

EDGES = ["a" * size for size in (7, 8, 9, 15, 16, 17, 64, 65, 511, 512, 513, 600)]
texts = st.lists(
    st.text(st.sampled_from("abé"), max_size=20) | st.sampled_from([*EDGES, "a" * 600 + "b", "b" + "a" * 600]),
    max_size=30,
)


def cells_of(values: list[str]) -> ByteCells:
    data = [value.encode() for value in values]
    lengths = np.array([len(value) for value in data], dtype=np.int64)
    return ByteCells(padded(b"".join(data)), np.cumsum(lengths) - lengths, lengths)


def decoded(values: list[str], blocks: int = 1) -> list[str]:
    coder = DictionaryEncoder()
    for part in np.array_split(np.arange(len(values)), blocks):
        coder.add(cells_of([values[i] for i in part]))
    codes, labels = coder.finish()
    assert labels == sorted(set(values))
    return [labels[code] for code in codes]


@given(texts, st.integers(1, 4))
def test_every_cell_comes_back_and_labels_are_sorted(values: list[str], blocks: int) -> None:
    assert decoded(values, blocks) == values


@given(texts)
def test_equal_numbers_mean_equal_cells(values: list[str]) -> None:
    codes, example = cells_of(values).distinct()
    assert [values[example[code]] for code in codes] == values
    assert len(example) == len(set(values))


def test_cells_that_fall_on_one_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells_module, "_FACTOR", np.uint64(0))
    values = ["aaaaaaaa" + end for end in ("x", "y", "x")] + ["bbbbbbbbx", "bbbbbbbbx"]
    codes, example = cells_of(values).distinct()
    assert [values[example[code]] for code in codes] == values
    assert len(example) == 3


def test_a_column_of_all_different_cells_is_coded_over_many_blocks() -> None:
    values = [f"value number {i % 900}" for i in range(1000)]
    assert decoded(values, 10) == values


def test_no_rows_give_no_labels() -> None:
    codes, labels = DictionaryEncoder().finish()
    assert (len(codes), labels) == (0, [])
