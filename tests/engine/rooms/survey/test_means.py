"""Questions for a number: the truth beside the estimate, made-up reports, and the estimator in writing."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.design import mean_error, mean_protocol
from anonymizer_gui.engine.dp.local.estimation import estimate_mean, poison_mean
from anonymizer_gui.engine.rooms.survey.collection import Question, protocol_document
from anonymizer_gui.engine.rooms.survey.cost_preview import preview_protocols
from anonymizer_gui.engine.rooms.survey.estimates import estimate_questions, true_answer
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.reports import ReportFile, sift_reports
from anonymizer_gui.engine.rooms.survey.run import perturb_answers
from anonymizer_gui.engine.rooms.survey.simulation import SimulationPlan, simulate_column


def test_the_truth_is_found_in_a_table_with_decimal_commas() -> None:
    table = Table.from_rows(("age",), [["20,5"], ["40,5"]])
    question = Question("age", low=0.0, high=100.0)
    assert true_answer(question, table, 2, ",") == [30.5]
    assert true_answer(replace(question, bins=4), table, 2, ",") == [1.0, 1.0, 0.0, 0.0]
    # With one question each, only some of the people answered it.
    assert true_answer(replace(question, bins=4), table, 1, ",") == [0.5, 0.5, 0.0, 0.0]
    assert true_answer(question, table, 2) is None


@pytest.mark.parametrize(("protocol", "top"), [("duchi", 1), ("piecewise", 1023)])
def test_made_up_reports_push_a_mean_as_far_as_told(protocol: str, top: int) -> None:
    made, honest = mean_protocol(protocol, Fraction(1)), np.zeros(900, dtype=np.int64)
    before = estimate_mean(made, honest, 20.0, 100.0).mean
    after, bound = poison_mean(made, before, 900, (20.0, 100.0), 100)
    pushed = estimate_mean(made, np.concatenate([honest, np.full(100, top)]), 20.0, 100.0).mean
    assert pushed == pytest.approx(after)
    # All honest reports say the least, so that the bound is reached.
    assert after - before == pytest.approx(bound)
    assert bound > 8.0


@pytest.mark.parametrize("protocol", ["duchi", "piecewise"])
def test_the_protocol_in_writing_tells_how_a_mean_is_estimated(protocol: str) -> None:
    question = Question("age", low=20.0, high=100.0, protocol=protocol)
    collection = Project(questions=(question,), epsilon=Fraction(2)).collection()
    told = re.search(r"\(m − (\S+)\) / (\S+) estimates the mean", protocol_document(collection))
    assert told is not None
    records = list(perturb_answers(collection, {"age": np.full(50, 300_000)}))
    mean = np.mean([int(record.answers["age"]) for record in records])
    found = estimate_questions(collection, sift_reports(collection, ReportFile(None, tuple(records))))[0]
    assert found.cells[0].estimate == pytest.approx(20 + 80 * (mean - float(told[1])) / float(told[2]))


@pytest.mark.parametrize("name", ["duchi", "piecewise"])
def test_a_column_of_numbers_is_played_through_the_protocols_for_means(name: str) -> None:
    rows = [[f"{20 + at % 41},5", "x"] for at in range(1000)]
    table = Table.from_rows(("age", "letter"), rows)
    asked = Question("age", low=0.0, high=100.0)
    played = simulate_column(SimulationPlan("age", name, Fraction(2), 400, 5, asked, ","), table)
    found = played.simulation
    assert (played.values, found.n, played.protocol) == ((), 1000, name)
    assert found.true[0] == pytest.approx(np.mean([20.5 + at % 41 for at in range(1000)]) / 100, abs=1e-6)
    assert found.ratio == pytest.approx(1.0, abs=0.3)
    assert abs(found.bias[0]) < 5
    _, local, central = played.against[0]
    assert local == pytest.approx(mean_error(name, Fraction(2), 100))
    assert central == pytest.approx(math.sqrt(2) / 2 / 100, rel=1e-4)
    # Without a question the bounds are those of the column, and words are no numbers.
    own = simulate_column(SimulationPlan("age", name, Fraction(2), 2, 1, None, ","), table).question
    assert (own.low, own.high) == (20.5, 60.5)
    with pytest.raises(BadParameter, match="does not hold numbers"):
        simulate_column(SimulationPlan("letter", name), table)


def test_a_number_that_is_asked_in_ranges_is_played_in_ranges() -> None:
    table = Table.from_rows(("age",), [[str(at % 80)] for at in range(800)])
    asked = Question("age", low=0.0, high=80.0, bins=4)
    played = simulate_column(SimulationPlan("age", epsilon=Fraction(1), repeats=3, asked=asked), table)
    assert played.values == ("0–20", "20–40", "40–60", "60–80")
    assert played.simulation.true.tolist() == [200.0] * 4


@pytest.mark.parametrize("along", ["epsilon", "answers", "values"])
def test_the_error_of_a_mean_is_drawn_along_epsilon_and_answers(along: str) -> None:
    project = Project(questions=(Question("age", low=0.0, high=9.0),), answers=400)
    seen = preview_protocols(project, 0, along)
    assert seen.along == {"values": "epsilon"}.get(along, along)
    assert set(seen.curves) == {"duchi", "piecewise"}
    errors = [error for _, error in seen.curves["duchi"]]
    assert errors == sorted(errors, reverse=True)
    if along == "answers":
        assert seen.curves["duchi"][0] == (100, pytest.approx(mean_error("duchi", Fraction(1), 100)))


@pytest.mark.parametrize(
    ("question", "answers", "reports"),
    [
        (Question("q", values=("a", "b", "c"), protocol="grr"), ("a", "b", "c"), ("a", "b", "c")),
        (Question("q", values=("a", "b"), protocol="oue"), ("a", "b"), ("00", "01", "10", "11")),
        (Question("q", values=tuple("abcdef"), protocol="sue"), tuple("abcd"), None),
        (Question("q", values=tuple("abcdef"), protocol="olh"), None, ("0", "1", "2", "3")),
        (Question("q", low=0.0, high=10.0, protocol="duchi"), ("0", "5", "10"), ("0", "1")),
        (Question("q", low=0.0, high=10.0, protocol="piecewise"), ("0", "5", "10"), ("0", "512", "1023")),
    ],
    ids=lambda each: each.protocol if isinstance(each, Question) else "",
)
def test_every_chance_of_the_proof_has_an_answer_and_a_report(
    question: Question, answers: tuple[str, ...] | None, reports: tuple[str, ...] | None
) -> None:
    seen = preview_protocols(Project(questions=(question,)), 0, "epsilon")
    assert answers is None or seen.answers == answers
    assert reports is None or seen.reports == reports
    assert [len(row) for row in seen.matrix] == [len(seen.reports)] * len(seen.answers)
