"""Every text a person sees goes through `tr`; translations are plain JSON files."""

import json
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, MessageFormatter

LANGUAGES = {"en": "English", "de": "Deutsch"}
_CONTEXT = "anonymizer"


def tr(text: str, /, **values: object) -> str:
    """Give the text in the language of the window, with the values put into its {places}.

    A count is written with its word by `{rows:row|rows}`: 1 row, 2,000 rows. A sentence of the engine is looked up
    by its pattern and brings its own values; what is the user's among them is never looked up.
    """
    pattern, told = (text.pattern, text.values) if isinstance(text, Message) else (text, values)
    return _PLACES.fill(QCoreApplication.translate(_CONTEXT, pattern), told)


def translated_label(label: str) -> str:
    """Give a label of the data as it is; what stands for missing cells is said in the language of the window."""
    # Imported here: the window is there before the libraries of tables are.
    from anonymizer_gui.engine.data.tables.table import MISSING

    return tr(MISSING) if label == MISSING else label


class _LocalPlaces(MessageFormatter):
    """Puts values into places: numbers with the marks of the language, sentences in the language of the window."""

    def number(self, text: str) -> str:
        if text.endswith("%"):
            return tr("{number}%", number=_local(text[:-1]))
        return _local(text)

    def sentence(self, sentence: Message) -> str:
        return tr(sentence)


_PLACES = _LocalPlaces()


def error_text(error: BaseException) -> str:
    """Say what went wrong and the way out, in the language of the window."""
    if not isinstance(error, AnonymizerError):
        return str(error)
    return f"{tr(error.message)} {tr(error.hint) if error.hint else ''}".strip()


def format_integer(number: float) -> str:
    """Write a whole number: 2,000, or 2.000 in German."""
    return _local(f"{number:,.0f}" if isinstance(number, float) else f"{number:,}")


def format_decimal(number: float, digits: int) -> str:
    """Write a number with so many digits behind the decimal mark."""
    return _local(f"{number:,.{digits}f}")


def format_significant(number: float, digits: int) -> str:
    """Write a number for people: whole and large ones whole, others with so many significant digits."""
    is_whole = float(number).is_integer() or abs(number) >= 10**digits
    return _local(f"{number:,.0f}" if is_whole and abs(number) < 1e15 else f"{number:,.{digits}g}")


def format_percent(share: float, digits: int = 1) -> str:
    """Write a share: 48.3%, or 48,3 % in German."""
    return tr("{number}%", number=format_decimal(100 * share, digits))


def _local(text: str) -> str:
    """Put the marks of the language into a number written the English way."""
    locale = QLocale()
    return text.translate({ord(","): locale.groupSeparator(), ord("."): locale.decimalPoint()})


class Translation(QTranslator):
    """A translator that looks texts up in a dictionary; Qt's own texts are in it too."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__()
        self._texts = texts

    def isEmpty(self) -> bool:
        """Say that there are texts, else Qt does not install the translator."""
        return not self._texts

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Give the translation, or nothing, which lets Qt ask the next translator."""
        return self._texts.get(text)


def translations(language: str) -> dict[str, str]:
    """Read and join the files of one language, shared ones and those of the rooms; English needs none."""
    try:
        folder = resource_path("translations", language)
    except FileNotFoundError:
        return {}
    texts: dict[str, str] = {}
    for path in sorted(Path(folder).rglob("*.json")):
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return texts


def chosen_language(preference: str) -> str:
    """Resolve “system” to a language we have."""
    if preference in LANGUAGES:
        return preference
    system = QLocale.system().name().partition("_")[0]
    return system if system in LANGUAGES else "en"


def install_language(app: QCoreApplication, language: str) -> None:
    """Make the language that of all windows built from now on."""
    for old in app.findChildren(QTranslator):
        app.removeTranslator(old)
        old.deleteLater()
    QLocale.setDefault(QLocale(language) if language != "en" else QLocale(QLocale.Language.English))
    texts = translations(language)
    if texts:
        translator = Translation(texts)
        translator.setParent(app)
        app.installTranslator(translator)
