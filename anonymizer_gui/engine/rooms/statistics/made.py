"""What a release brings beside numbers: synthetic tables and learned models, each from one paid answer."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.questions.tables.synthetic import Synthetic
from anonymizer_gui.engine.rooms.statistics.synthesis.model import Model, drawn_table
from anonymizer_gui.engine.rooms.statistics.written import JSON_SUFFIX

Kind = Literal["table", "model"]
TABLE_SUFFIX = ".csv"


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A synthetic table that was drawn, or a model that was learned; `at` is the place of its answer."""

    at: int
    kind: Kind
    table: Table | None = None
    model: Mapping[str, Json] | None = None

    def fits(self, path: Path) -> bool:
        """Tell whether a file of that name can hold it: a model is JSON, a table everything else."""
        return (path.suffix.lower() == JSON_SUFFIX) == (self.kind == "model")

    def place(self, path: Path) -> Path:
        """Give its place beside the answers."""
        word, suffix = ("synthetic", TABLE_SUFFIX) if self.kind == "table" else ("model", JSON_SUFFIX)
        return path.with_name(f"{path.stem}.{word}-{self.at + 1}{suffix}")


def made_of(project: Project, answers: Sequence[Answer], progress: Progress = SILENT) -> tuple[Made, ...]:
    """Draw the tables and take the models of a release; rows are drawn once, and cost nothing."""
    found = []
    for at, (asked, answer) in enumerate(zip(project.questions, answers, strict=True)):
        if answer.model is None:
            continue
        if isinstance(asked.question, Synthetic):
            domains = asked.question.domains(project.public(asked))
            rows = asked.question.rows
            found.append(Made(at, "table", drawn_table(Model.from_json(answer.model), domains, rows, progress)))
        else:
            found.append(Made(at, "model", model=answer.model))
    return tuple(found)


def layout(path: Path, answers: Sequence[Answer], made: Sequence[Made]) -> tuple[tuple[Path, Made | None], ...]:
    """Say which file holds what, the first at `path`: where nothing else is told, that is what was made."""
    is_alone = len(made) == len(answers) and bool(made) and made[0].fits(path)
    first, others = (made[0], made[1:]) if is_alone else (None, made)
    return ((path, first), *((each.place(path), each) for each in others))


def digest_of(model: Mapping[str, Json]) -> str:
    """Give what tells a model from every other."""
    return hashlib.sha256(json.dumps(model, sort_keys=True).encode()).hexdigest()
