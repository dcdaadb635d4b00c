"""Another shape of data brings its questions and touches nothing else: asked, run, charged, told, audited, taught."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Text, param
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.dp import sensitivity
from anonymizer_gui.engine.dp.accountant import Part
from anonymizer_gui.engine.dp.gateway import Ints
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.projects.opening import new_project, read_files
from anonymizer_gui.engine.projects.project_file import project_text, read_project
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.room import ReadFile, room_of
from anonymizer_gui.engine.rooms.statistics.benches.local_sensitivity import local_sensitivity
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, DataKind, Surplus
from anonymizer_gui.engine.rooms.statistics.independent import sensitivities
from anonymizer_gui.engine.rooms.statistics.question import (
    QUESTIONS,
    AnswerValue,
    NoisySteps,
    PublicKnowledge,
    Question,
    Step,
)
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.storage.sources import Source
from tests.noise import laplace_tolerance

Lists = tuple[frozenset[str], ...]


class ListShape(DataKind):
    """A file with a list of things in every line."""

    name: ClassVar[str] = "lists"
    title: ClassVar[str] = "Lists"
    summary: ClassVar[str] = "What people have bought, a line each."

    def accepts(self, path: Path, head: bytes) -> float:
        return 0.9 if path.suffix == ".lists" else 0.0

    def read(self, source: Source, progress: Progress) -> ReadFile:
        lines = Path(source.path).read_text().splitlines()
        found = replace(source, options={"shape": self.name})
        return ReadFile(tuple(frozenset(line.split()) for line in lines), found)

    def columns(self, data: Lists) -> tuple[str, ...]:
        return ("thing",)

    def rows(self, data: Lists) -> int:
        return len(data)

    def cut(self, data: Lists, unit: PrivacyUnit, surplus: Surplus) -> Lists:
        return data

    def part(self, data: Lists, part: Part) -> Lists:
        return tuple(each for each in data if part[1] in each)

    def fingerprint(self, data: Lists, key: bytes, progress: Progress = SILENT) -> str:
        return f"lists of {key.hex()[:4]} {sorted(map(sorted, data))}"

    def some(self, data: Lists, rows: int) -> Lists:
        return data[:rows]

    def neighbours(self, data: Lists, unit: PrivacyUnit) -> Iterator[Lists]:
        return (data[:at] + data[at + 1 :] for at in range(len(data)))


@dataclass(frozen=True, slots=True)
class HowManyLists(Question):
    """Lists with a thing; the verb is one that tables have, too."""

    name: ClassVar[str] = "lists-count"
    title: ClassVar[str] = "Lists"
    summary: ClassVar[str] = "How many lists name a thing."
    verbs: ClassVar[tuple[str, ...]] = ("count",)
    usage: ClassVar[str] = "count THING"
    shape: ClassVar[str] = "lists"

    thing: str = param(Text(), default="", label="Thing", help="What must be in the list.")

    @classmethod
    def read(cls, verb: str, words: Sequence[str]) -> Self | None:
        return cls(words[0]) if len(words) == 1 else None

    def words(self) -> tuple[str, ...]:
        return "count", self.thing

    def columns(self) -> tuple[str, ...]:
        return ("thing",)

    def steps(self, public: PublicKnowledge) -> tuple[Step, ...]:
        return (Step("laplace", sensitivity.count(public.unit, has_condition=True)),)

    def counted(self, data: Lists, public: PublicKnowledge) -> tuple[Ints, ...]:
        return (np.array([sum(self.thing in each for each in data)], dtype=np.int64),)

    def told(self, noisy: NoisySteps, public: PublicKnowledge) -> AnswerValue:
        return AnswerValue(int(noisy[0][0]))


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let there be another shape, and a file of it."""
    for registry, entry in ((DATA_KINDS, ListShape), (QUESTIONS, HowManyLists)):
        registry.names()
        monkeypatch.setattr(registry, "_entries", {**registry._entries, entry.name: entry})
    known = dict(sensitivities._known("MOVES")) | {
        "lists-count": lambda asked, rows, is_changed: [sensitivities.number_bound(rows)]
    }
    monkeypatch.setattr(sensitivities, "_known", lambda name: known if name == "MOVES" else {})
    path = tmp_path / "shop.lists"
    path.write_text("bread milk\nmilk\nbread eggs\n" * 30)
    return path


def test_it_goes_the_whole_way(lists: Path, tmp_path: Path) -> None:
    room = room_of("statistics")
    assert room.accepts(lists, b"") == 0.9
    opened = new_project(room, Source(str(lists)))
    assert opened.project.shape == "lists"
    asked = parse_question("count milk with epsilon=1", "lists")
    assert question_text(asked) == "count milk with epsilon=1"
    project = replace(opened.project, questions=(asked,), total=Fraction(1))
    files = {**opened.files, "ledger": BudgetLedger(tmp_path / "x.budget")}
    release = room.run(project, files, SILENT)
    assert abs(int(release.answers[0].value) - 60) < laplace_tolerance(1)  # epsilon 1, sensitivity 1
    again = room.run(project, files, SILENT)
    assert again.answers[0].is_cached
    path = tmp_path / "out.csv"
    export(room.leaving(release, files, Safeguards(), SILENT), path)
    assert verify_release(path).holds
    assert local_sensitivity(asked, project, files["table"]).sensitivity == 1


def test_it_is_kept_in_the_project_and_read_again_in_its_shape(lists: Path) -> None:
    opened = new_project(room_of("statistics"), Source(str(lists)))
    project = replace(opened.project, questions=(parse_question("count milk", "lists"),))
    kept = read_project(project_text(project).encode())
    assert kept.shape == "lists"
    assert read_files(kept).files["table"] == opened.files["table"]


def test_it_is_asked_by_command(lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out.json")
    assert main(["statistics", str(lists), "--ask", "count milk", "--epsilon", "100", "-o", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answers"][0]["value"] == 60


def test_questions_about_another_shape_are_not_understood(lists: Path) -> None:
    with pytest.raises(BadParameter):
        parse_question("histogram sex F,M", "lists")
    with pytest.raises(BadParameter):
        parse_question("count milk")
    table: Any = parse_question("count age>=65")
    assert table.question.shape == "table"
