"""Auto tries what suits the size of the table."""

import re
from dataclasses import astuple

import pytest

from anonymizer_gui.engine.rooms.microdata.algorithms.auto import Auto, suitable_algorithms
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence, KMap


def names(n_tuples: int, *models: object) -> set[str]:
    return {algorithm.name for algorithm in suitable_algorithms(n_tuples, models)}  # type: ignore[arg-type]


def test_a_small_table_gets_every_algorithm_with_and_without_a_population() -> None:
    everything = {"mondrian", "top-down", "bottom-up", "best-loss", "cluster"}
    assert names(10_000, KAnonymity(5)) == everything
    assert names(10_000, KAnonymity(5), DeltaPresence(0.5)) == everything


@pytest.mark.parametrize(
    ("n_tuples", "left_out"),
    [(20_001, {"cluster"}), (300_001, {"cluster", "best-loss"}), (500_001, {"cluster", "best-loss", "bottom-up"})],
)
def test_what_would_take_too_long_is_left_out(n_tuples: int, left_out: set[str]) -> None:
    assert names(1, KAnonymity(5)) - names(n_tuples, KAnonymity(5)) == left_out


def test_people_are_not_counted_in_overlapping_cells_of_a_large_table() -> None:
    assert names(100_001, KMap(5)) == {"top-down", "bottom-up"}


def test_it_tries_the_quickest_first_and_neither_itself_nor_what_is_told_its_result() -> None:
    tried = [algorithm.name for algorithm in suitable_algorithms(10_000, [KAnonymity(5)])]
    assert tried == ["mondrian", "top-down", "bottom-up", "best-loss", "cluster"]


def test_its_words_name_every_limit() -> None:
    limits = {limit for declared in ALGORITHMS if declared.reach for limit in astuple(declared.reach) if limit}
    assert {f"{limit:,}" for limit in limits} == set(re.findall(r"\d+,\d+", Auto.summary))
