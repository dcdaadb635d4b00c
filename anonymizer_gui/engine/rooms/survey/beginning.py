"""How a survey begins: with a question for the likeliest column of a table, or with what reports say of themselves."""

from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.room import NewProject
from anonymizer_gui.engine.rooms.survey.project import Project
from anonymizer_gui.engine.rooms.survey.question import Question
from anonymizer_gui.engine.rooms.survey.reports import Collected
from anonymizer_gui.engine.storage.sources import Source

_FEW = 40
_HINT = "The values of the first question were read off the table: complete them, for what can be answered is public."


def begin(source: Source, data: Any, **_choices: Any) -> NewProject:
    """Start a survey about a table, or go on with the one that reports belong to."""
    name = Path(source.path).stem
    if isinstance(data, Collected):
        return _go_on(source, data, name)
    if not isinstance(data, Table):
        return NewProject(Project(name=name, source=source))
    found = _first(data)
    questions = () if found is None else (found,)
    notes = () if found is None else (message(_HINT),)
    return NewProject(Project(name=name, source=source, questions=questions, answers=max(data.n_rows, 1)), notes)


def _go_on(source: Source, collected: Collected, name: str) -> NewProject:
    survey = collected.collection
    if survey is None:
        return NewProject(
            Project(name=name, source=source), (message("The reports do not say which survey they belong to."),)
        )
    project = Project(
        name=name,
        source=source,
        title=survey.title,
        intro=survey.intro,
        questions=survey.questions,
        epsilon=survey.epsilon,
        sharing=survey.sharing,
        answers=max(len(collected.records), 1),
    )
    return NewProject(project)


def _first(table: Table) -> Question | None:
    """Take the first column with a few values."""
    for column in table.columns:
        if 2 <= len(column.labels) <= _FEW:
            return Question(column.name, values=tuple(column.labels))
    return None
