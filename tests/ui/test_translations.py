"""Every text a person sees is there in every language we ship."""

import ast
import dataclasses
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anonymizer_gui import ui
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.params import Choice, Text, params_of
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.io import ReadOptions
from anonymizer_gui.engine.data.tables.table import ColumnType
from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS
from anonymizer_gui.engine.room import all_rooms
from anonymizer_gui.engine.rooms.microdata.release import checklist
from anonymizer_gui.engine.rooms.microdata.release.output_table import ROW_ORDERS
from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import PSEUDONYM_KINDS
from anonymizer_gui.ui import i18n
from anonymizer_gui.ui.actions import FIRST_MENUS, LAST_MENUS, Action
from anonymizer_gui.ui.i18n import format_decimal, format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.room_view import all_views
from anonymizer_gui.ui.shell.start_page import START_TIPS, StartPage
from anonymizer_gui.ui.shell.window_actions import ACTIONS
from tests.spoken import called, text_of

FILES = sorted(Path(ui.__path__[0]).rglob("*.py"))
LANGUAGES = [name for name in i18n.LANGUAGES if name != "en"]
SHOWN = ("title", "summary", "stops", "leaves_open", "attacker", "attacks", "formula", "range")
PLACES = re.compile(r"\{(\w+)(?::[^{}]*)?\}")

translated = cache(i18n.translations)


@cache
def literals(path: Path) -> tuple[tuple[str, int], ...]:
    """Find the texts of all calls of `tr` in a file, with their lines."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    firsts = [node.args[0] for node in nodes if isinstance(node, ast.Call) and called(node) == "tr" and node.args]
    return tuple((text_of(first), first.lineno) for first in firsts if text_of(first))


def name_of(path: Path) -> str:
    return path.relative_to(Path(ui.__path__[0])).as_posix()


def action_texts() -> set[str]:
    actions: list[Action] = [*ACTIONS, *(action for view in all_views() for action in view.actions())]
    return {text for a in actions for text in (a.title, a.status_tip, a.reason) if text}


def engine_texts() -> set[str]:
    of_rooms = [registry for room in all_rooms() for registry in room.registries().values()]
    registries: tuple[Registry[Any], ...] = (*of_rooms, BUILDERS, MECHANISMS)
    declared = [entry for registry in registries for entry in registry]
    texts = (
        {column_type.value for column_type in ColumnType}
        | {*PSEUDONYM_KINDS.values(), *ROW_ORDERS.values()}
        | check_titles()
    )
    for entry in [*declared, ReadOptions]:
        texts |= {getattr(entry, name) for name in SHOWN if isinstance(getattr(entry, name, None), str)}
        for param in params_of(entry) if dataclasses.is_dataclass(entry) else ():
            texts |= {param.label, param.help}
            texts |= set(param.kind.options.values()) if isinstance(param.kind, Choice) else set()
            texts |= {param.kind.empty} - {""} if isinstance(param.kind, Text) else set()
    return texts


def check_titles() -> set[str]:
    nodes = ast.walk(ast.parse(Path(checklist.__file__).read_text(encoding="utf-8")))
    titles = [n.value for n in nodes if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "title"]
    return {node.value for node in titles if isinstance(node, ast.Constant)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_every_file_is_translated(language: str) -> None:
    known = translated(language)
    texts = [(f"{name_of(path)}:{line}", text) for path in FILES for text, line in literals(path)]
    assert len(texts) > 1000
    assert [f"{place} {text}" for place, text in texts if text not in known] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_page_and_tip_is_translated(language: str) -> None:
    pages = {page.title for page in [StartPage, *(page for view in all_views() for page in view.pages())]}
    own = {action.menu for view in all_views() for action in view.actions() if action.menu}
    menus = {*FIRST_MENUS, *LAST_MENUS, *own}
    rooms = {text for view in all_views() for text in (view.title, view.summary)}
    samples = {text for view in all_views() for sample in view.samples for text in (sample.title, sample.words)}
    texts = action_texts() | menus | pages | rooms | samples | {text for text, _ in START_TIPS}
    assert sorted(texts - set(translated(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_engine_that_is_shown_is_translated(language: str) -> None:
    assert sorted(engine_texts() - set(translated(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_keeps_the_places_for_values(language: str) -> None:
    wrong = [
        source
        for source, text in translated(language).items()
        if set(PLACES.findall(source)) != set(PLACES.findall(text))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_translated_in_two_ways(language: str) -> None:
    seen: dict[str, tuple[str, str]] = {}
    clashes = []
    for path in sorted(resource_path("translations", language).rglob("*.json")):
        for source, text in json.loads(path.read_text(encoding="utf-8")).items():
            if seen.setdefault(source, (text, path.name))[0] != text:
                clashes.append((source, seen[source], (text, path.name)))
    assert clashes == []


def test_values_are_put_into_the_translated_text(qtbot: QtBot, qapp: QApplication) -> None:
    i18n.install_language(qapp, "de")
    try:
        assert tr("{total:row|rows}", total=12) == "12 Zeilen"
        assert tr("no such text anywhere") == "no such text anywhere"
    finally:
        i18n.install_language(qapp, "en")
    assert tr("{total:row|rows}", total=12) == "12 rows"


@pytest.mark.parametrize(("count", "english", "german"), [(0, "0 rows", "0 Zeilen"), (1, "1 row", "1 Zeile")])
def test_a_count_takes_the_word_that_goes_with_it(
    qtbot: QtBot, qapp: QApplication, count: int, english: str, german: str
) -> None:
    assert tr("{total:row|rows}", total=count) == english
    i18n.install_language(qapp, "de")
    try:
        assert tr("{total:row|rows}", total=count) == german
    finally:
        i18n.install_language(qapp, "en")


COUNTED = re.compile(r"\{\w+\} (rows|columns|records|values|releases|runs|classes|nodes|boxes|leaves|cells)\b")


def test_no_text_counts_with_a_word_that_is_wrong_for_one() -> None:
    wrong = [
        f"{name_of(path)}:{line} {text}" for path in FILES for text, line in literals(path) if COUNTED.search(text)
    ]
    assert wrong == []


def test_numbers_are_written_in_the_marks_of_the_language(qtbot: QtBot, qapp: QApplication) -> None:
    i18n.install_language(qapp, "de")
    try:
        assert (format_integer(1234567), format_decimal(1234.5, 2), format_significant(0.12345, 3)) == (
            "1.234.567",
            "1.234,50",
            "0,123",
        )
        assert format_percent(0.4834) == "48,3\N{NO-BREAK SPACE}%"
    finally:
        i18n.install_language(qapp, "en")
    assert (format_integer(1234567), format_decimal(1234.5, 2), format_significant(0.12345, 3)) == (
        "1,234,567",
        "1,234.50",
        "0.123",
    )
    assert format_percent(0.4834) == "48.3%"
    assert format_integer(10**30).startswith("1,000,000")
