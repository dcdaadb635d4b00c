"""Questions in words are read and written back, and what is not understood is told with the way out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.data.tables.conditions import parse_condition
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, questions_about
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions.counts import Count, DateHistogram, Histogram, NumberHistogram
from tests.engine.rooms.statistics.making import ASKS

NAMES = st.text(st.characters(exclude_characters='"', exclude_categories=["C", "Z"]) | st.just(" "), min_size=1).map(
    str.strip
)
WORDS = NAMES.filter(lambda text: text and text not in ("for", "with"))


@pytest.mark.parametrize("ask", ASKS)
def test_a_question_is_written_as_it_is_read(ask: str) -> None:
    assert question_text(parse_question(ask)) == ask
    assert parse_question(question_text(parse_question(ask))) == parse_question(ask)


def test_every_question_can_be_asked_in_words() -> None:
    assert {parse_question(ask).question.name for ask in ASKS} == {kind.name for kind in questions_about("table")}


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4), WORDS, WORDS)
def test_whatever_columns_and_values_are_called(column: str, values: list[str], part: str, value: str) -> None:
    asked = PlannedQuestion(
        Histogram(column, tuple(values)), epsilon=Fraction(1, 3), part=(part.replace("=", "-"), value)
    )
    assert parse_question(question_text(asked)) == asked


def test_a_histogram_is_told_by_what_follows_it() -> None:
    assert isinstance(parse_question("histogram age 0 100 10").question, NumberHistogram)
    assert isinstance(parse_question("histogram age 2024-01-01 2024-02-01 day").question, DateHistogram)
    assert parse_question("histogram sex").question == Histogram("sex")
    assert parse_question("histogram age 0,18,65").question == Histogram("age", ("0", "18", "65"))


def test_options_stand_behind_the_question() -> None:
    asked = parse_question(
        'count "marital status"=Married for ward=North with epsilon=0.5 weight=2 error=3 noise=gaussian'
    )
    assert asked == PlannedQuestion(
        Count('"marital status"=Married', "gaussian"), Fraction(1, 2), Fraction(2), 3.0, ("ward", "North")
    )


@pytest.mark.parametrize(
    "text",
    ["", "  ", "with epsilon=1", "what is this", "mean age", "mean age zero ten", "top none school", "histogram",
     "count age", "count >=5", 'count "age>=5', "count with epsilon", "count with epsilon=-1", "count for ward",
     "histogram age 0 10 0", "grid a 0 1 b 0 1 2", "quantile 1.5 age 0 1"],
)  # fmt: skip
def test_what_is_not_understood_is_told_with_a_way_out(text: str) -> None:
    with pytest.raises(BadParameter) as raised:
        parse_question(text)
    assert raised.value.message
    assert raised.value.hint


def test_a_condition_is_read_in_its_one_form() -> None:
    assert [c.text() for c in parse_condition(" age  >= 65 and sex=F and \"a b\"!=\"x and y\"")] == [
        "age>=65", "sex=F", '"a b"!="x and y"',
    ]  # fmt: skip
    assert parse_question("count age  >=  65") == parse_question("count age>=65")
    assert parse_condition("") == ()


def test_every_question_has_words_and_defaults() -> None:
    asked = [kind() for kind in QUESTIONS]
    assert [each.name for each in asked if params.from_json(type(each), params.to_json(each)) != each] == []
    assert [each.name for each in asked if not all((each.title, each.usage, each.verbs))] == []
    assert [each.name for each in asked if not each.summary.endswith(".")] == []
    assert [each.name for each in asked if each.shape not in DATA_KINDS.names()] == []
