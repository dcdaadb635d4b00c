"""Attacks on a release as it leaves, for certificate and report: what each finds, and which cannot be run."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.params import Json
from anonymizer_gui.engine.progress import SILENT
from anonymizer_gui.engine.rooms.microdata.compare import survey_columns
from anonymizer_gui.engine.rooms.microdata.person_column import person_of
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, RiskResult
from anonymizer_gui.engine.rooms.microdata.several import each
from anonymizer_gui.engine.rooms.microdata.written import as_published
from anonymizer_gui.engine.shapes.tables.table import Role

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable

MOST_ROWS = 1_000_000
"""Larger releases leave without: attacks look at every set of columns and would take minutes."""
_DIGITS = 6


def attacks_told(leaving: "LeavingTable") -> list[dict[str, Json]]:
    """Run every attack that needs nothing but the release, and those about a population where there is one.

    What is told is counted in the release alone; nothing about rows that are left out.
    """
    if leaving.table.n_rows > MOST_ROWS or leaving.rows is None:
        return []
    exposure = _exposure(leaving, leaving.rows)
    found = each([risk() for risk in RISKS], lambda risk, part: risk.measure(exposure, part), SILENT)
    return [_told(declared.title, found[declared.name]) for declared in RISKS]


def _exposure(leaving: "LeavingTable", rows: npt.NDArray[np.int64]) -> Exposure:
    project = leaving.release.project
    person = person_of(leaving.original, project)
    weight, household = survey_columns(leaving.original.take(rows), project)
    return Exposure(
        as_published(leaving.table, project),
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        project.hierarchies,
        project.schema,
        leaving.population,
        person=None if person is None else person.take(rows),
        weight=weight,
        household=household,
    )


def _told(title: str, found: RiskResult | AnonymizerError) -> dict[str, Json]:
    if isinstance(found, AnonymizerError):
        return {"title": title, "not_run": found.message}
    return {
        "title": title,
        "value": round(found.value, _DIGITS),
        "hit": found.hit,
        "people": found.people,
        "is_estimate": found.is_estimate,
    }
