"""Every text a person sees goes through `tr`; translations are plain JSON files."""

import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.words import Places, Sentence

LANGUAGES = {"en": "English", "de": "Deutsch"}
_CONTEXT = "anonymizer"
_PATTERNS = "sentences"
_SENTENCES = "sentences.json"
_PLACE = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile("“(.*?)”")
_NUMBER = re.compile(r"(-?[\d,]*\d(?:\.\d+)?)(%?)")


def tr(text: str, /, **values: object) -> str:
    """Give the text in the language of the window, with the values put into its {places}.

    A count is written with its word by `{rows:row|rows}`: 1 row, 2,000 rows. A sentence of the engine is looked up
    by its pattern and said with its own values; no text of the user that stands in it is.
    """
    if isinstance(text, Sentence):
        return _PLACES.fill(QCoreApplication.translate(_PATTERNS, text.pattern), text.values)
    return _PLACES.fill(QCoreApplication.translate(_CONTEXT, text), values)


class _LocalPlaces(Places):
    """Puts values into places: numbers with the marks of the language, sentences in the language of the window."""

    def number(self, text: str) -> str:
        if text.endswith("%"):
            return tr("{number}%", number=_local(text[:-1]))
        return _local(text)

    def sentence(self, sentence: Sentence) -> str:
        return tr(sentence)


_PLACES = _LocalPlaces()


def told(error: BaseException) -> str:
    """Say what went wrong and the way out, in the language of the window."""
    if not isinstance(error, AnonymizerError):
        return str(error)
    return f"{tr(error.message)} {tr(error.hint) if error.hint else ''}".strip()


def whole(number: float) -> str:
    """Write a whole number: 2,000, or 2.000 in German."""
    return _local(f"{number:,.0f}" if isinstance(number, float) else f"{number:,}")


def decimal(number: float, digits: int) -> str:
    """Write a number with so many digits behind the decimal mark."""
    return _local(f"{number:,.{digits}f}")


def rounded(number: float, digits: int) -> str:
    """Write a number for people: whole and large ones whole, others with so many significant digits."""
    is_whole = float(number).is_integer() or abs(number) >= 10**digits
    return _local(f"{number:,.0f}" if is_whole and abs(number) < 1e15 else f"{number:,.{digits}g}")


def percent(share: float, digits: int = 1) -> str:
    """Write a share: 48.3%, or 48,3 % in German."""
    return tr("{number}%", number=decimal(100 * share, digits))


def _local(text: str) -> str:
    """Put the marks of the language into a number written the English way."""
    locale = QLocale()
    return text.translate({ord(","): locale.groupSeparator(), ord("."): locale.decimalPoint()})


class Sentences:
    """Sentences the engine made with values in them: recognised by their pattern, and said with the same values."""

    def __init__(self, patterns: Mapping[str, str], words: Mapping[str, str]) -> None:
        self._words = words
        self._sources = patterns

    @cached_property
    def _ordered(self) -> list[tuple[str, str]]:
        """How each sentence begins and the sentence; that with the most words first, so that none hides another."""
        ordered = sorted(self._sources, key=lambda source: -len(_PLACE.sub("", source)))
        return [(_PLACE.split(source)[0], source) for source in ordered if _PLACE.search(source)]

    def said(self, text: str) -> str | None:
        """Give the sentence in the other language, or nothing when it is not known."""
        for beginning, source in self._ordered:
            # Making hundreds of patterns would hold the window up: only those are made that may fit.
            if text.startswith(beginning) and (found := _as_expression(source).fullmatch(text)):
                values = {
                    name: value if text[: found.start(name)].endswith("“") else self._value(value)
                    for name, value in found.groupdict().items()
                }
                return _PLACES.format(self._sources[source], **values)
        return None

    def _value(self, text: str) -> str:
        """Say a value: a number, a word or sentence that is known, a list of such; names in quotes stay."""
        if number := _NUMBER.fullmatch(text):
            return tr("{number}%", number=_local(number[1])) if number[2] else _local(number[1])
        known = self._words.get(text) or self.said(text)
        return known or ", ".join(self._words.get(part) or _quoted(part) for part in text.split(", "))


def _quoted(text: str) -> str:
    """Put names into the quotation marks of the language."""
    return _QUOTED.sub(lambda found: tr("“{name}”", name=found[1]), text)


@cache
def _as_expression(source: str) -> re.Pattern[str]:
    """Make a pattern of a sentence: each {place} takes what the others leave."""
    parts = _PLACE.split(source)
    texts = [re.escape(part) if place % 2 == 0 else f"(?P<{part}>.+?)" for place, part in enumerate(parts)]
    return re.compile("".join(texts), re.DOTALL)


class Translation(QTranslator):
    """A translator that looks texts up in a dictionary; Qt's own texts are in it too."""

    def __init__(self, texts: dict[str, str], sentences: Mapping[str, str]) -> None:
        super().__init__()
        self._texts = texts
        self._sentences = Sentences(sentences, texts)

    def isEmpty(self) -> bool:
        """Say that there are texts, else Qt does not install the translator."""
        return not self._texts

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Give the translation, or nothing, which lets Qt ask the next translator."""
        return self._texts.get(text) or (self._sentences.said(text) if context == _CONTEXT else None)


def translations(language: str) -> dict[str, str]:
    """Read and join the files of one language; English needs none."""
    try:
        folder = resource_path("translations", language)
    except FileNotFoundError:
        return {}
    texts: dict[str, str] = {}
    for path in sorted(Path(folder).rglob("*.json")):
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return texts


def engine_sentences(language: str) -> dict[str, str]:
    """Read the sentences the engine puts together, with {places} for their values."""
    path = Path(resource_path("translations", language)) / _SENTENCES
    sentences: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return sentences


def chosen_language(preference: str) -> str:
    """Resolve “system” to a language we have."""
    if preference in LANGUAGES:
        return preference
    system = QLocale.system().name().partition("_")[0]
    return system if system in LANGUAGES else "en"


def install(app: QCoreApplication, language: str) -> None:
    """Make the language that of all windows built from now on."""
    for old in app.findChildren(QTranslator):
        app.removeTranslator(old)
        old.deleteLater()
    QLocale.setDefault(QLocale(language) if language != "en" else QLocale(QLocale.Language.English))
    texts = translations(language)
    if texts:
        translator = Translation(texts, engine_sentences(language))
        translator.setParent(app)
        app.installTranslator(translator)
