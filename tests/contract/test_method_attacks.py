"""Every algorithm says which attacks on the method are known and whether they apply; report and help repeat it."""

import json
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import prepare_candidate
from anonymizer_gui.engine.rooms.microdata.run import run
from tests.engine.rooms.microdata.making import hospital_project, hospital_table

every_algorithm = pytest.mark.parametrize("name", ALGORITHMS.names())


def test_every_algorithm_speaks_of_minimality_and_downcoding() -> None:
    told = {name: ALGORITHMS.get(name).attacks for name in ALGORITHMS.names()}
    words = ("minimality", "downcoding")
    assert [(name, word) for name, text in told.items() for word in words if word not in text.lower()] == []
    assert [name for name, text in told.items() if not text.endswith(".")] == []


@every_algorithm
def test_the_report_of_a_release_repeats_it(tmp_path: Path, name: str) -> None:
    table = hospital_table(80)
    project = replace(hospital_project(), algorithm=ALGORITHMS.get(name)())
    out = export(prepare_candidate(run(table, project), table, Safeguards()), tmp_path / "out.csv")
    told = json.loads(out.certificate.read_text(encoding="utf-8"))
    assert ALGORITHMS.get("auto").title != told["made_by"], "the report of several methods names attacks on the best"
    (text,) = [each.attacks for each in ALGORITHMS if each.title == told["made_by"]]
    assert told["attacks"] == text
    assert escape(text) in out.report.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_help_says_for_each_algorithm_whether_they_apply(language: str) -> None:
    page = resource_path("help", language, "microdata", "method_attacks.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines()]
    filled = {
        name: [len(list(filter(None, row))) for row in rows if row[0] == f"`{name}`"] for name in ALGORITHMS.names()
    }
    assert {name: cells for name, cells in filled.items() if cells != [3]} == {}
