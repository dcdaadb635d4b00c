"""Every sentence has its line in every language we ship, with the same places, and no line is left over."""

import json
import string
from collections.abc import Iterator

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.ui import i18n
from tests.spoken import ENGINE, WORKSPACE, let_go, sentences, written_texts

LANGUAGES = [name for name in i18n.LANGUAGES if name != "en"]
QT = "qt.json"
"""The texts of Qt itself stand in no source of ours."""


@pytest.fixture(scope="module", autouse=True)
def source_let_go() -> Iterator[None]:
    """Keep no source in memory."""
    yield
    let_go()


def places(pattern: str) -> set[tuple[str, str, str]]:
    """Give the places of a pattern: the name, and how the value is written unless it brings words."""
    parsed = string.Formatter().parse(pattern)
    return {(name, "" if "|" in (spec or "") else spec or "", how or "") for _, name, spec, how in parsed if name}


def test_sentences_are_found() -> None:
    assert len(sentences(ENGINE)) > 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_has_a_line(language: str) -> None:
    assert sorted(sentences(ENGINE, WORKSPACE) - set(i18n.translations(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_writes_the_same_values_in_the_same_way(language: str) -> None:
    lines = i18n.translations(language)
    assert [each for each in sentences(ENGINE, WORKSPACE) & set(lines) if places(each) != places(lines[each])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_left_over(language: str) -> None:
    folder = resource_path("translations", language)
    left = {
        path.relative_to(folder).as_posix(): sorted(set(json.loads(path.read_text("utf-8"))) - written_texts())
        for path in folder.rglob("*.json")
        if path.name != QT
    }
    assert {name: lines for name, lines in left.items() if lines} == {}
