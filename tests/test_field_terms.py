"""The terms of the field name the paths of the engine: the glossary of CONTRIBUTING.md is true."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "anonymizer_gui" / "engine"
LEAST_TERMS = 60
_ROW = re.compile(r"^\| (?P<term>[^|]+) \| `(?P<path>[^`]+\.py)` \|$", re.MULTILINE)


def glossary() -> dict[str, str]:
    """Give the path of every term."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Glossary")[2].partition("\n## ")[0]
    return {row["term"]: row["path"] for row in _ROW.finditer(text)}


def test_every_term_of_the_glossary_names_a_module_that_exists() -> None:
    rows = glossary()
    assert len(rows) >= LEAST_TERMS
    assert [f"{term}: {path}" for term, path in rows.items() if not (ENGINE / path).is_file()] == []


def test_a_term_is_a_word_of_its_path_or_its_module() -> None:
    """A search for the term, by path or by text, ends at the module."""
    strangers = []
    for term, path in glossary().items():
        content = path.lower() + (ENGINE / path).read_text(encoding="utf-8").lower()
        words = re.findall(r"[a-z0-9^-]{3,}", term.lower())
        if not any(word in content for word in words if word not in ("and", "the")):
            strangers.append(term)
    assert strangers == []
