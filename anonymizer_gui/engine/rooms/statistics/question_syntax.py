"""Questions in words, as the command line takes them: `histogram sex Female,Male for ward=North with epsilon=0.5`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.budget import ExactAmount, amount_text
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Float, Kind
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.question import (
    DEFAULT_DATA_KIND,
    Question,
    format_number,
    questions_about,
    quote_word,
    split_words,
    unquote,
)

_PART = re.compile(r'(?P<column>"[^"]+"|[^="]+)=(?P<value>"[^"]*"|[^"]+)')
_AMOUNTS: dict[str, Kind] = {"epsilon": ExactAmount(), "weight": ExactAmount(), "error": Float(low=0, above=True)}


def parse_question(text: str, shape: str = DEFAULT_DATA_KIND) -> PlannedQuestion:
    """Read a question about a shape of data in words; raises BadParameter with the forms there are.

    >>> question_text(parse_question("count age>=65 and sex=F with epsilon=0.5"))
    'count age>=65 and sex=F with epsilon=0.5'
    """
    words = split_words(text)
    words, options = _cut(words, "with")
    words, part = _cut(words, "for")
    if not words:
        raise BadParameter("The question is empty.", _forms(shape))
    asked = PlannedQuestion(_question(words[0], words[1:], text, shape), part=_part(part, text))
    return _with_options(asked, _options(options, text))


def question_text(asked: PlannedQuestion) -> str:
    """Write a question as it is read."""
    question = asked.question.normal()
    words = [*question.words()]
    if asked.part is not None:
        words += ["for", "=".join(quote_word(side) for side in asked.part)]
    options = {**_amounts(asked), **_unusual(question)}
    if options:
        words += ["with", *(f"{name}={quote_word(value)}" for name, value in options.items())]
    return " ".join(words)


def _cut(words: list[str], at: str) -> tuple[list[str], list[str]]:
    return (words[: words.index(at)], words[words.index(at) + 1 :]) if at in words else (words, [])


def _question(verb: str, words: list[str], text: str, shape: str) -> Question:
    kinds = [kind for kind in questions_about(shape) if verb in kind.verbs]
    for kind in kinds:
        if (found := kind.read(verb, words)) is not None:
            return found
    forms = message("It is asked as: {forms}.", forms=[kind.usage for kind in kinds]) if kinds else _forms(shape)
    raise BadParameter(message("The question “{text}” is not understood.", text=text[:80]), forms)


def _forms(shape: str) -> str:
    verbs = sorted({verb for kind in questions_about(shape) for verb in kind.verbs})
    return message("Questions begin with: {verbs}.", verbs=verbs)


def _part(words: list[str], text: str) -> Part | None:
    if not words:
        return None
    found = _PART.fullmatch(" ".join(words))
    if found is None:
        raise BadParameter(
            message("The part of “{text}” is not understood.", text=text[:80]),
            "Write a public column and one of its values, such as for ward=North.",
        )
    return unquote(found["column"]), unquote(found["value"])


def _options(words: list[str], text: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    if any(not equals for _, equals, _ in pairs):
        raise BadParameter(
            message("An option of “{text}” is not understood.", text=text[:80]),
            "Write it as epsilon=0.5 or noise=gaussian.",
        )
    return {name: unquote(value) for name, _, value in pairs}


def _with_options(asked: PlannedQuestion, options: Mapping[str, str]) -> PlannedQuestion:
    amounts: dict[str, Any] = {name: _amount(name, options[name]) for name in _AMOUNTS if name in options}
    own = {name: value for name, value in options.items() if name not in _AMOUNTS}
    if own:
        given = params.from_texts(type(asked.question), own)
        asked = replace(asked, question=replace(asked.question, **{name: getattr(given, name) for name in own}))
    return replace(asked, **amounts)


def _amount(name: str, text: str) -> Fraction | float:
    try:
        value = _AMOUNTS[name].parse(text)
    except ValueError as error:
        raise BadParameter(
            message("The {name} of a question must be {rule}.", name=name, rule=error.args[0]),
            message("It was {text!r}.", text=text),
        ) from None
    return float(value) if name == "error" else Fraction(value)


def _amounts(asked: PlannedQuestion) -> dict[str, str]:
    told = {"epsilon": "" if asked.epsilon is None else amount_text(asked.epsilon)}
    told["weight"] = "" if asked.weight == 1 else amount_text(asked.weight)
    told["error"] = format_number(asked.error) if asked.error else ""
    return {name: text for name, text in told.items() if text}


def _unusual(question: Question) -> dict[str, str]:
    """Give the parameters the words do not tell."""
    plain = parse_parameters(question)
    kinds = {declared.name: declared for declared in params.params_of(type(question))}
    other = [name for name in kinds if plain is not None and getattr(plain, name) != getattr(question, name)]
    return {name: _as_text(getattr(question, name)) for name in other}


def parse_parameters(question: Question) -> Question | None:
    """Read back what the words of a question tell."""
    verb, *words = split_words(" ".join(question.words()))
    return type(question).read(verb, words)


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return format_number(value) if isinstance(value, float) else str(value)
