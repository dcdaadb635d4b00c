"""Is this differentially private? The verdicts of the worked examples, and no proof that a counterexample breaks."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.budget import NO_BUDGET, Budget
from anonymizer_gui.engine.core.errors import BadParameter, Cancelled
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.dp.checker.check import EXAMPLES, Example, check, compare_neighbours
from anonymizer_gui.engine.dp.checker.counterexample import refute, table_text
from anonymizer_gui.engine.dp.checker.expression import parse_expression
from anonymizer_gui.engine.dp.checker.proof import prove
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit

ROW, CHANGE = PrivacyUnit.parse("row"), PrivacyUnit.parse("change")


def claimed(epsilon: str, delta: str = "0") -> Budget:
    return Budget(epsilon=Fraction(epsilon), delta=Fraction(delta))


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [("42", "proven"), ("count() + 10", "refuted"), ("row(1)", "refuted"), ("count() + laplace(1)", "proven")],
)
def test_the_four_functions_of_the_worked_examples_come_out_right(expression: str, verdict: str) -> None:
    assert check(expression).verdict == verdict


VERDICTS = {
    "constant": ("proven", 0), "shift": ("refuted", None), "row": ("refuted", None), "laplace": ("proven", 1),
    "gaussian": ("proven", 0), "unbounded": ("refuted", None), "mean": ("proven", 1), "exponential": ("proven", 0.5),
    "noisy-max": ("proven", 0.5), "randomised-response": ("proven", math.log(3)), "bins-from-data": ("refuted", None),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_named_mechanism_has_its_verdict(example: Example) -> None:
    verdict, epsilon = VERDICTS[example.name]
    found = check(example.expression, example.unit)
    assert found.verdict == verdict
    assert found.argument
    told = json.loads(json.dumps(found.to_json()))
    assert told["verdict"] == verdict
    if epsilon is not None:
        assert told["epsilon"] == pytest.approx(epsilon, abs=1e-9)
        assert told["epsilon"] >= epsilon
    else:
        assert told["neighbours"]
        assert told["output"]


# What it costs under a row more or less, and under a changed row; nothing when it is not proven.
COSTS = [
    ("count(x > 5) + laplace(2)", 0.5, 0.5),
    ("2 * count() + laplace(1)", 2, 0),
    ("count() + 3 * laplace(1) - 1", Fraction(1, 3), 0),
    ("count() - count()", 0, 0),
    ("sum(x, -10, 30) + laplace(10)", 3, 4),
    ("mean(x, 0, 1) + laplace(1)", 1, 1),
    ("median(x, 0, 100) / 100 + laplace(1)", 1, 1),
    ("clip(sum(x), 0, 7) + laplace(7)", 1, 1),
    ("clip(sum(x) + laplace(7), 0, 7)", None, None),
    ("abs(round(count() + laplace(1)))", 1, 0),
    ("round(count()) + laplace(2)", 1, 0),
    ("histogram(0, 5, 10) + laplace(1)", 1, 2),
    ("(count() + laplace(2), max(x, 0, 4) + laplace(8))", 1, 0.5),
    ("count() + laplace(1) + laplace(4)", 0.25, 0),
    ("count() + laplace(0)", None, 0),
    ("laplace(1) * gaussian(1) + 7", 0, 0),
    ("count() * laplace(1)", None, 0),
    ("exponential(2)", 1, 2),
    ("noisy_max(1) + noisy_max(1)", 2, 4),
    ("noisy_max(0)", None, None),
    ("randomised_response(1/2)", None, 0),
    ("randomised_response(1)", None, None),
    ("histogram()", None, None),
]


@pytest.mark.parametrize(("expression", "row", "change"), COSTS)
def test_an_expression_costs_what_its_parts_cost(expression: str, row: float | None, change: float | None) -> None:
    for unit, cost in ((ROW, row), (CHANGE, change)):
        proof = prove(parse_expression(expression), unit)
        assert (None if proof is None else proof.spend) == (None if cost is None else Budget(epsilon=Fraction(cost)))


def test_gaussian_noise_costs_rho() -> None:
    assert check("count() + gaussian(2)").spend == Budget(rho=Fraction(1, 8))
    assert check("count() + gaussian(3) + gaussian(4)").spend == Budget(rho=Fraction(1, 50))
    spend = check("histogram(0, 5, 10) + gaussian(1)", CHANGE).spend
    assert spend is not None
    assert 1 <= spend.rho <= 1 + Fraction(1, 10**9)


# Expression, claimed epsilon and delta, verdict, and for a counterexample the logarithm of its ratio.
CLAIMS = [
    ("count() + laplace(1)", "1", "0", "proven", None),
    ("count() + laplace(1)", "0.99", "0", "refuted", 1.0),
    ("(count() + laplace(2), sum(x, 0, 1) + laplace(2))", "0.9", "0", "refuted", 1.0),
    ("sum(x) + laplace(1)", "5", "0.5", "refuted", 10**6),
    ("count() + laplace(1)", "0.5", "0.2", "refuted", 1.0),
    ("count() + gaussian(5)", "1", "1e-5", "proven", None),
    ("count() + gaussian(1)", "3", "0", "refuted", 4.0),
    ("count() + gaussian(1)", "1", "0.1", "refuted", 2.0),
    ("exponential(1)", "0.3", "0", "refuted", None),
    ("count() + 10", "100", "0.9", "refuted", math.inf),
    ("noisy_max(0)", "9", "0", "refuted", math.inf),
]


@pytest.mark.parametrize(("expression", "epsilon", "delta", "verdict", "power"), CLAIMS)
def test_a_claim_is_held_against_the_mechanism(
    expression: str, epsilon: str, delta: str, verdict: str, power: float | None
) -> None:
    found = check(expression, claim=claimed(epsilon, delta))
    assert found.verdict == verdict
    assert found.bound is None
    if power is not None:
        assert found.example is not None
        assert found.example.log_ratio == pytest.approx(power)


def test_the_delta_of_gaussian_noise_is_exact() -> None:
    """Balle and Wang: sigma 1 and epsilon 1 leave a delta of 0.12693."""
    assert check("count() + gaussian(1)", claim=claimed("1", "0.1269")).verdict == "refuted"
    assert check("count() + gaussian(1)", claim=claimed("1", "0.1270")).verdict != "refuted"


def test_what_no_theorem_covers_is_sampled() -> None:
    found = check("count() + laplace(1) + laplace(1)", claim=claimed("0.9"), seed=4)
    assert found.verdict == "open"
    assert found.bound is not None
    assert 0.5 < found.bound.epsilon < 0.9
    assert found.spend == Budget(epsilon=Fraction(1))
    again = check("count() + laplace(1) + laplace(1)", claim=claimed("0.9"), seed=4)
    assert again == found


@pytest.mark.parametrize(
    "expression", ["count() * laplace(1)", "noisy_max(1)", "clip(histogram(0, 5), 0, 1) + laplace(1/2)"]
)
def test_sampling_refutes_too(expression: str) -> None:
    found = check(expression, claim=claimed("0.2"))
    assert found.verdict == "refuted"
    assert found.example is not None
    assert found.example.log_ratio > 0.2


def test_sampling_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        check("count() * laplace(1)", progress=Progress(is_cancelled=lambda: True))


WRONG = [
    "", "x", "count(", "count(1)", "count(y > 1)", "count(x > y)", "count(0 < x < 1)", "sum(y)", "sum(x, 1)",
    "sum(x, 2, 1)", "row(0)", "laplace()", "laplace(-1)", "laplace(count())", "laplace(1, 2)", "laplace(scale=1)",
    "gaussian(1e400)", "randomised_response(2)", "randomised_response(1/2) + 1", "histogram(1)", "histogram(2, 1)",
    "histogram(0, 1) + histogram(0, 2, 3)", "histogram(0, 1, 2) + count()", "((1, 2), 3)", "()", "count() ** 2",
    "count() // 2", "1 if count() else 2", "[1]", "{1}", "'a'", "True", "1j", "lambda: 1", "count().real", "1/0 + a",
    "__import__('os').system('true')", "open('a')", "count()\0", "(" * 300, "-" * 499 + "1", "1 +" * 400 + "1",
    "count() + laplace(1); 2", "x := 1", "await x", "*x", "clip(1, 2)", "f'{x}'", "yield",
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_known_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadParameter) as refused:
        check(text)
    assert refused.value.message.endswith(".")
    assert refused.value.hint.endswith(".")


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("count + laplace(1)", "count() + laplace(1)"),
        ("count + 10", "count() + 10"),
        ("sum + laplace(1)", "sum(x) + laplace(1)"),
        ("sum(clip(x, 0, 100)) + laplace(100)", "sum(x, 0, 100) + laplace(100)"),
    ],
)
def test_questions_may_be_written_shortly(short: str, whole: str) -> None:
    one, other = check(short), check(whole)
    assert (one.verdict, one.spend) == (other.verdict, other.spend)


def test_the_checker_knows_no_people() -> None:
    with pytest.raises(BadParameter, match="rows, not at people"):
        check("count()", PrivacyUnit.parse("person=p:2"))


numbers = st.sampled_from(["0", "1", "2", "1/2", "5"])
data = st.sampled_from(
    ["count()", "count(x >= 1)", "sum(x, 0, 2)", "sum(x, -1, 1)", "mean(x, 0, 3)", "median(x, -1, 2)", "sum(x)"]
)  # fmt: skip
noise = st.sampled_from(["laplace(1)", "laplace(1/2)", "gaussian(1)", "laplace(0)"])
expressions = st.recursive(
    st.one_of(numbers, data, noise, st.builds("{} + {}".format, data, noise), st.just("exponential(1)")),
    lambda inner: st.one_of(
        st.builds("({} + {})".format, inner, inner),
        st.builds("({} - {})".format, inner, inner),
        st.builds("({} * {})".format, inner, numbers),
        st.builds("({} / {})".format, inner, inner),
        st.builds("clip({}, -1, 3)".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("round({})".format, inner),
    ),
    max_leaves=5,
)


@settings(max_examples=80, deadline=None)
@given(st.lists(expressions, min_size=1, max_size=2), st.sampled_from([ROW, CHANGE]))
def test_what_is_proven_has_no_counterexample(items: list[str], unit: PrivacyUnit) -> None:
    term = parse_expression(items[0] if len(items) == 1 else f"({', '.join(items)})")
    proof = prove(term, unit)
    if proof is not None and not proof.spend.rho:
        assert refute(term, unit, proof.spend) is None
    if proof is not None:
        assert refute(term, unit, None) is None
    if proof is not None and proof.spend == NO_BUDGET:
        assert all(step.endswith(".") for step in proof.steps)


def test_examples_and_sentences_are_there_in_german() -> None:
    known = json.loads(resource_path("translations", "de", "engine", "dp.json").read_text(encoding="utf-8"))
    assert [text for example in EXAMPLES for text in (example.title, example.summary) if text not in known] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_answers_about_two_neighbours_are_drawn(example: Example) -> None:
    answer = check(example.expression, example.unit)
    drawn = compare_neighbours(answer)
    if example.name == "bins-from-data":
        assert drawn is None
        return
    assert drawn is not None
    assert sum(drawn.one) == pytest.approx(1)
    assert sum(drawn.other) == pytest.approx(1)
    assert len(drawn.labels) == len(drawn.one) == len(drawn.other) <= 25
    assert drawn == compare_neighbours(answer)
    if answer.spend is not None and answer.spend.epsilon:
        most = math.exp(float(answer.spend.epsilon)) * 1.15  # they are drawn
        frequent = [(one, other) for one, other in zip(drawn.one, drawn.other, strict=True) if min(one, other) > 0.01]
        assert frequent
        assert all(max(pair) <= most * min(pair) for pair in frequent)


def test_the_pair_that_refutes_is_the_one_that_is_drawn() -> None:
    answer = check("count() + 10")
    drawn = compare_neighbours(answer)
    assert answer.example is not None
    assert drawn is not None
    assert (drawn.first, drawn.second) == (table_text(answer.example.first), table_text(answer.example.second))
    assert not any(one and other for one, other in zip(drawn.one, drawn.other, strict=True))
