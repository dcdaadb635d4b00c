"""Documents of the room: the two coins of the lectures, a survey without a table, and reports that came back."""

from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.rooms.survey.reports import report_lines
from anonymizer_gui.engine.rooms.survey.run import perturb_answers
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def coins(document: Document) -> Document:
    """Give the class of the lectures."""
    document.open_project(resource_path("samples", "coins.anon"), as_copy=True)
    return document


@pytest.fixture
def new_survey(document: Document) -> Document:
    """Give a survey that has no file."""
    document.open_project(resource_path("samples", "survey.anon"), as_copy=True)
    return document


@pytest.fixture
def came_back(new_survey: Document, tmp_path: Path) -> Path:
    """Write reports of the survey, one of which does not count."""
    collection = new_survey.project.collection()
    records = list(perturb_answers(collection, {"smokes": np.arange(200) % 4 % 2}))
    path = tmp_path / "reports.jsonl"
    lines = [*report_lines(collection, records), "nonsense"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
