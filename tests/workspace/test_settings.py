"""Preferences survive, and a bad file does no harm."""

import json
import stat
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anonymizer_gui.workspace.settings import RECENT_LIMIT, Preferences, Settings, read_preferences


def test_a_change_is_there_after_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "config" / "preferences.json"
    Settings(path).change(theme="dark", shortcuts={"file.open": "Ctrl+U"}, recent=("only one",))
    assert Settings(path).preferences == Preferences(
        theme="dark", shortcuts={"file.open": "Ctrl+U"}, recent=("only one",)
    )


def test_only_real_changes_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "p.json")
    told: list[frozenset[str]] = []
    settings.changed.connect(told.append)
    settings.change(theme="system", language="de")
    assert told == [frozenset({"language"})]


@pytest.mark.parametrize(
    "content",
    ["", "nonsense", "[]", "{}", '{"version": 99, "theme": "dark"}', '{"version": 1, "theme": 7, "recent": "x"}'],
)
def test_a_bad_file_gives_the_defaults(content: str, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(content)
    assert read_preferences(path) == Preferences()


def test_a_wrong_entry_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"version": 1, "theme": "pink", "language": "de", "unknown": 1}))
    assert read_preferences(path) == Preferences(language="de")


def test_the_newest_file_comes_first_and_few_are_kept(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "p.json")
    for number in range(RECENT_LIMIT + 3):
        settings.add_recent(tmp_path / f"{number}.anon")
    settings.add_recent(tmp_path / "5.anon")
    names = [Path(name).name for name in settings.preferences.recent]
    assert names[:2] == ["5.anon", f"{RECENT_LIMIT + 2}.anon"]
    assert len(names) == len(set(names)) == RECENT_LIMIT


def test_nothing_is_remembered_when_the_user_wants_it_so(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "p.json")
    settings.change(remember_recent=False)
    settings.add_recent(tmp_path / "secret.anon")
    assert settings.preferences.recent == ()


def test_forgetting_leaves_no_path_in_the_file(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "p.json")
    settings.add_recent(tmp_path / "secret.anon")
    settings.change(last_folder=str(tmp_path / "secret"))
    settings.forget_recent()
    assert "secret" not in (tmp_path / "p.json").read_text()


def test_others_on_the_machine_cannot_read_the_preferences(qtbot: QtBot, tmp_path: Path) -> None:
    Settings(tmp_path / "p.json").change(theme="dark")
    assert stat.S_IMODE((tmp_path / "p.json").stat().st_mode) == 0o600
