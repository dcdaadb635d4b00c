"""Sentences that engine and workspace put together are said in every language we ship, values and all."""

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from anonymizer_gui import engine, workspace
from anonymizer_gui.engine import errors
from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.params import Choice, Flag, Float, Int, Listing, PerColumn, Text
from anonymizer_gui.engine.rooms.microdata.privacy.contract import PRIVACY_MODELS
from anonymizer_gui.engine.words import quoted, say, together
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.i18n import Sentences, Translation, told, tr

FILES = sorted(path for package in (engine, workspace) for path in Path(package.__path__[0]).rglob("*.py"))
LANGUAGES = [name for name in i18n.LANGUAGES if name != "en"]
SPEAKERS = {name for name, value in vars(errors).items() if isinstance(value, type)} | {
    "progress", "error", "warning", "info", "success", "start", "Check", "refusal",
}  # fmt: skip


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    i18n.install(qapp, "de")
    yield
    i18n.install(qapp, "en")


def spoken(path: Path) -> Iterator[str]:
    """Find the texts given to errors, progress, messages and jobs, with 7 for every value in them.

    The log is for reports of faults and English in every language.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        owner, _, name = ast.unparse(node.func).rpartition(".")
        if name in SPEAKERS and owner != "LOG":
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                yield from (text for text in texts(argument) if " " in text)


def texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return ["".join(parts) for parts in itertools.product(*(texts(part) for part in node.values))]
    if isinstance(node, ast.FormattedValue):
        return texts(node.value) if isinstance(node.value, ast.IfExp) else ["7"]
    return [*texts(node.body), *texts(node.orelse)] if isinstance(node, ast.IfExp) else []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_engine_and_workspace_is_translated(language: str) -> None:
    translation = Translation(i18n.translations(language), i18n.engine_sentences(language))
    said = [(path.name, text) for path in FILES for text in spoken(path)]
    assert len(said) > 150
    assert [(name, text) for name, text in said if translation.translate("anonymizer", text) is None] == []


@pytest.mark.parametrize("kind", [
    Int(), Int(low=1), Int(high=9), Int(low=1, high=9), Float(), Float(low=0, high=1, above=True),
    Float(low=0, above=True),
    Flag(), Text(), Text(column=True), Listing(Int(low=1)), PerColumn(Float(low=0)), Choice({"cap": "x"}),
], ids=lambda kind: kind.rule())  # fmt: skip
def test_the_rule_of_a_field_is_translated(kind: Int, german: None) -> None:
    assert tr(kind.rule()) != kind.rule()
    assert not {"number", "list", "text", "value", "least"} & set(tr(kind.rule()).replace(",", " ").split())


@pytest.mark.parametrize("model", list(PRIVACY_MODELS), ids=lambda model: model.name)
def test_the_sentence_of_a_goal_is_translated(model: type, german: None) -> None:
    sentence = model().sentence()
    assert tr(sentence) != sentence
    assert not {"class", "every", "table", "each"} & set(tr(sentence).split())


def test_values_of_a_sentence_are_said_too_but_names_stay(german: None) -> None:
    assert tr("Not met: k-anonymity, t-closeness.") == "Nicht erfüllt: k-Anonymität, t-Closeness."
    assert tr("The identifier “text” is still there.").startswith("Der Identifikator „text“ ")
    assert tr("Reading 1,250 rows") == "1.250 Zeilen lesen"
    assert (
        tr("There are nearly as many different values as rows (95.5%).")
        == "Es gibt fast so viele verschiedene Werte wie Zeilen (95,5\N{NO-BREAK SPACE}%)."
    )
    assert tr("Published unchanged and not yet agreed to: “a”, “b”.").endswith("zugestimmt: „a“, „b“.")


def test_a_sentence_is_said_by_its_pattern_with_its_values(german: None) -> None:
    said = say("Measured {count} of {total} sets of columns", count=1000, total=2)
    assert tr(said) == "1000 von 2 Spaltengruppen gemessen"
    assert said == "Measured 1000 of 2 sets of columns"
    assert tr(say("{share:.1%}", share=0.955)) == "95,5\N{NO-BREAK SPACE}%"
    assert tr(say("{total:row|rows}", total=2000)) == "2.000 Zeilen"
    assert tr(say("{number:,.2f}", number=1234.5)) == "1.234,50"
    rule = say("a list, each {rule}", rule=say("a number of at least {low}", low=0.5))
    assert tr(rule) == "eine Liste, jedes Element: eine Zahl ab 0,5"
    assert tr(say("Published unchanged and not yet agreed to: {listed}.", listed=quoted(["a", "b"]))).endswith(
        "„a“, „b“."
    )
    assert tr(together(say("No algorithm is chosen."), "Choose UTF-8.")).endswith(" Wählen Sie UTF-8.")


@pytest.mark.parametrize("name", ["{}", "{rows:row|rows}", "%s", "%n", "a number", "k-anonymity", "Reading the table"])
def test_a_value_of_the_user_is_never_translated_or_filled(name: str, german: None) -> None:
    assert tr(say("“{name}” is damaged.", name=name)) == f"„{name}“ ist beschädigt."
    assert tr(say("Install it with: {command}", command=name)) == f"Installieren Sie es mit: {name}"
    assert told(BadParameter(say("“{name}” is damaged.", name=name))) == f"„{name}“ ist beschädigt."


def test_an_error_is_told_with_its_hint(german: None) -> None:
    message, hint = "No algorithm is chosen.", "Choose one, such as bottom-up."
    assert told(BadParameter(message, hint)) == f"{tr(message)} {tr(hint)}"
    assert "kein Verfahren gewählt." in tr(message)


def test_the_sentence_with_more_words_is_recognised_first() -> None:
    sentences = Sentences({"{a} rows": "short", "{a} of {b} rows": "long"}, {})
    assert sentences.said("1 of 2 rows") == "long"
    assert sentences.said("2 rows") == "short"
    assert sentences.said("rows") is None
