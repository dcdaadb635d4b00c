"""Sentences that engine and workspace put together are said in every language we ship, values and all."""

import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import join_messages, message, quote
from anonymizer_gui.engine.core.params import Choice, Flag, Float, Int, ListOf, PerColumn, Text
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS
from anonymizer_gui.ui.i18n import error_text, tr

KINDS = [
    Int(), Int(low=1), Int(high=9), Int(low=1, high=9), Float(), Float(low=0, high=1, above=True),
    Float(low=0, above=True),
    Flag(), Text(), Text(column=True), ListOf(Int(low=1)), PerColumn(Float(low=0)), Choice({"cap": "x"}),
]  # fmt: skip
ENGLISH = {"number", "list", "text", "value", "least", "class", "every", "table", "each"}


def not_translated(sentences: list[str]) -> list[str]:
    """List the sentences that stay as they are in the language in use, or keep an English word."""
    return [text for text in sentences if tr(text) == text or ENGLISH & set(tr(text).replace(",", " ").split())]


def test_the_rule_of_every_field_is_translated(german: None) -> None:
    assert not_translated([kind.rule() for kind in KINDS]) == []


def test_the_sentence_of_every_goal_is_translated(german: None) -> None:
    assert not_translated([model().sentence() for model in PRIVACY_MODELS]) == []


def test_a_sentence_is_said_by_its_pattern_with_its_values(german: None) -> None:
    said = message("Measured {count:,} of {total:,} sets of columns", count=1000, total=2)
    assert tr(said) == "1.000 von 2 Spaltengruppen gemessen"
    assert said == "Measured 1,000 of 2 sets of columns"
    assert tr(message("Reading {count:row|rows}", count=1250)) == "1.250 Zeilen lesen"
    assert tr(message("Reading {count:row|rows}", count=1)) == "1 Zeile lesen"
    assert (
        tr(message("There are nearly as many different values as rows ({share:.1%}).", share=0.955))
        == "Es gibt fast so viele verschiedene Werte wie Zeilen (95,5\N{NO-BREAK SPACE}%)."
    )
    goals = [message("k-anonymity"), message("t-closeness")]
    assert tr(message("Not met: {goals}.", goals=goals)) == "Nicht erfüllt: k-Anonymität, t-Closeness."
    assert tr(message("{number:,.2f}", number=1234.5)) == "1.234,50"
    rule = message("a list, each {rule}", rule=message("a number of at least {low:g}", low=0.5))
    assert tr(rule) == "eine Liste, jedes Element: eine Zahl ab 0,5"
    assert tr(message("Published unchanged and not yet agreed to: {listed}.", listed=quote(["a", "b"]))).endswith(
        "„a“, „b“."
    )
    assert tr(join_messages(message("No algorithm is chosen."), "Choose UTF-8.")).endswith(" Wählen Sie UTF-8.")


@pytest.mark.parametrize("name", ["{}", "{rows:row|rows}", "%s", "%n", "a number", "k-anonymity", "Reading the table"])
def test_a_value_of_the_user_is_never_translated_or_filled(name: str, german: None) -> None:
    assert tr(message("“{name}” is damaged.", name=name)) == f"„{name}“ ist beschädigt."
    assert tr(message("Install it with: {command}", command=name)) == f"Installieren Sie es mit: {name}"
    assert error_text(BadParameter(message("“{name}” is damaged.", name=name))) == f"„{name}“ ist beschädigt."


def test_text_that_only_looks_like_a_sentence_of_ours_is_left_alone(german: None) -> None:
    assert tr("Reading 1,250 rows") == "Reading 1,250 rows"
    assert tr("“{name}” is damaged.", name="a number") == "„a number“ ist beschädigt."


def test_an_error_is_told_with_its_hint(german: None) -> None:
    message, hint = "No algorithm is chosen.", "Choose one, such as bottom-up."
    assert error_text(BadParameter(message, hint)) == f"{tr(message)} {tr(hint)}"
    assert "kein Verfahren gewählt." in tr(message)
