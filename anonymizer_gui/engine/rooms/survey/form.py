"""The form: one HTML file that asks, changes the answers in the browser, and needs neither network nor program."""

import html
import json
import re
from pathlib import Path
from typing import Literal

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.survey.collection import Collection
from anonymizer_gui.engine.storage.saving import write_text

Language = Literal["", "en", "de"]
_TEMPLATE = ("forms", "survey.html")


def form_page(collection: Collection, language: Language = "") -> str:
    """Give the form of a collection; without a language it takes that of the browser."""
    # Inside a script element only this sign could end the element.
    told = json.dumps(collection.to_json(), ensure_ascii=False).replace("<", "\\u003c")
    page = resource_path(*_TEMPLATE).read_text(encoding="utf-8")
    filled = {
        "@TITLE@": html.escape(collection.title or "Survey"),
        "@FINGERPRINT@": collection.fingerprint,
        "@LANGUAGE@": language,
        "@SURVEY@": told,
    }
    # In one pass, so that a title that looks like a mark stays a title.
    return re.sub("|".join(filled), lambda mark: filled[mark.group()], page)


def write_form(collection: Collection, path: Path, language: Language = "") -> None:
    """Write the form; raises UnwritableFile."""
    write_text(path, form_page(collection, language))
