"""The client in Python, as somebody uses it who has read the help."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.survey.collection import Question
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.reports import read_reports, sift_reports


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_client_in_python_works_as_help_shows_it(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    collection = Project(questions=(Question("smokes", values=("yes", "no")),), epsilon=Fraction(1)).collection()
    (tmp_path / "survey.json").write_text(json.dumps(collection.to_json()), encoding="utf-8")
    page = resource_path("help", language, "survey", "collect.md").read_text(encoding="utf-8")
    code = next(block for block in page.split("```") if "import json" in block)
    exec(compile(code, "help", "exec"), {})
    (tmp_path / "r.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
    assert sift_reports(collection, read_reports(tmp_path / "r.jsonl")).n == 1
