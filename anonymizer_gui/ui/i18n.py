"""Every text a person sees goes through `tr`; translations are plain JSON files."""

import json
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from anonymizer_gui.assets import resource_path

LANGUAGES = {"en": "English", "de": "Deutsch"}
_CONTEXT = "anonymizer"


def tr(text: str, /, **values: object) -> str:
    """Give the text in the language of the window, with the values put into its {places}."""
    translated = QCoreApplication.translate(_CONTEXT, text)
    return translated.format(**values) if values else translated


class Translation(QTranslator):
    """A translator that looks texts up in a dictionary; Qt's own texts are in it too."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self._texts = texts

    def isEmpty(self) -> bool:
        """Say that there are texts, else Qt does not install the translator."""
        return not self._texts

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Give the translation, or nothing, which lets Qt ask the next translator."""
        return self._texts.get(text)


def translations(language: str) -> dict[str, str]:
    """Read and join the files of one language; English needs none."""
    try:
        folder = resource_path("translations", language)
    except FileNotFoundError:
        return {}
    texts: dict[str, str] = {}
    for path in sorted(Path(folder).glob("*.json")):
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return texts


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
        translator = Translation(texts)
        translator.setParent(app)
        app.installTranslator(translator)
