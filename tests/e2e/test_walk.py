"""From the welcome page to finished hierarchies, by keyboard, in the real program on a real display."""

import json
import shutil
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from tests.e2e.real_window import RealWindow, missing_tools, running
from tests.patience import WAIT_S

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=f"not installed: {', '.join(missing_tools())}")


def command(window: RealWindow, words: str) -> None:
    """Find a command by typing and do it."""
    window.focus("– Anonymizer$")
    window.call("ctrl+shift+p", "^Commands$")
    window.type(words)
    window.press("Return")


def test_a_steward_gets_from_a_file_to_hierarchies_by_keyboard_alone(tmp_path: Path) -> None:
    table = tmp_path / "hospital.csv"
    shutil.copy(resource_path("samples", "hospital.csv"), table)
    saved = tmp_path / "study.anon"
    with running(tmp_path) as window:
        window.focus("– Anonymizer$")
        window.call("ctrl+o", "^Open$")
        window.type(str(table))
        window.press("Return")
        window.finish(
            r"^What is to become of it\?$", "Return"
        )  # several rooms can read a table; the likeliest is chosen
        window.finish("^Open Table$", "Return")
        command(window, "accept all suggested")
        command(window, "propose hierarchies for all")
        window.focus("– Anonymizer$")
        window.call("ctrl+s", "^Save Project$")
        window.press("ctrl+a")
        window.type(str(saved))
        window.press("Return")
        window.wait_for(lambda: "there" if saved.exists() else "", "the saved project")
        window.focus("^study – Anonymizer$")
        window.press("ctrl+q")
        assert window.process.wait(WAIT_S) == 0
    project = json.loads(saved.read_text(encoding="utf-8"))
    roles = {column["name"]: column["role"] for column in project["columns"]}
    marked = {name for name, role in roles.items() if role == "QI"}
    assert marked == {"zip", "birth_date", "age", "sex", "nationality", "admission_date"}
    assert marked <= set(project["hierarchies"])
    assert project["sources"]["table"]["path"] == "hospital.csv"


def test_the_tour_turns_by_the_keys_of_a_remote_control_and_ends_without_a_question(tmp_path: Path) -> None:
    with running(tmp_path, "demo") as window:
        window.focus("– Anonymizer")
        window.press("Next")
        window.focus("^hospital – Anonymizer")
        for _ in range(3):
            window.press("Next")
        window.focus(r"^hospital\*? – Anonymizer")
        window.press("ctrl+q")
        assert window.process.wait(WAIT_S) == 0
