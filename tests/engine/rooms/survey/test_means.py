"""Questions for a number: the truth beside the estimate, made-up reports, and the estimator in writing."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.dp.local.design import averaging
from anonymizer_gui.engine.dp.local.estimating import estimate_mean
from anonymizer_gui.engine.dp.local.poisoning import pushed_mean
from anonymizer_gui.engine.rooms.survey.client import perturbed
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.protocol_text import protocol_text
from anonymizer_gui.engine.rooms.survey.question import Question
from anonymizer_gui.engine.rooms.survey.reports import Collected
from anonymizer_gui.engine.rooms.survey.results import results_of
from anonymizer_gui.engine.rooms.survey.sifting import sift
from anonymizer_gui.engine.rooms.survey.truth import true_numbers
from anonymizer_gui.engine.shapes.tables.table import Table


def test_the_truth_is_found_in_a_table_with_decimal_commas() -> None:
    table = Table.from_rows(("age",), [["20,5"], ["40,5"]])
    question = Question("age", low=0.0, high=100.0)
    assert true_numbers(question, table, ",") == [30.5]
    assert true_numbers(replace(question, bins=4), table, ",") == [1.0, 1.0, 0.0, 0.0]
    assert true_numbers(question, table) is None


@pytest.mark.parametrize(("protocol", "top"), [("duchi", 1), ("piecewise", 1023)])
def test_made_up_reports_push_a_mean_as_far_as_told(protocol: str, top: int) -> None:
    made, honest = averaging(protocol, Fraction(1)), np.zeros(900, dtype=np.int64)
    before = estimate_mean(made, honest, 20.0, 100.0).mean
    after, bound = pushed_mean(made, before, 900, (20.0, 100.0), 100)
    pushed = estimate_mean(made, np.concatenate([honest, np.full(100, top)]), 20.0, 100.0).mean
    assert pushed == pytest.approx(after)
    # All honest reports say the least, so that the bound is reached.
    assert after - before == pytest.approx(bound)
    assert bound > 8.0


@pytest.mark.parametrize("protocol", ["duchi", "piecewise"])
def test_the_protocol_in_writing_tells_how_a_mean_is_estimated(protocol: str) -> None:
    question = Question("age", low=20.0, high=100.0, protocol=protocol)
    collection = Project(questions=(question,), epsilon=Fraction(2)).collection()
    told = re.search(r"\(m − (\S+)\) / (\S+) estimates the mean", protocol_text(collection))
    assert told is not None
    records = list(perturbed(collection, {"age": np.full(50, 300_000)}))
    mean = np.mean([int(record.answers["age"]) for record in records])
    found = results_of(collection, sift(collection, Collected(None, tuple(records))))[0]
    assert found.cells[0].estimate == pytest.approx(20 + 80 * (mean - float(told[1])) / float(told[2]))
