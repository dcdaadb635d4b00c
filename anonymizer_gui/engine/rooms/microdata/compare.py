"""A release and its original side by side, as utility measures and attacks look at them; what attacks find is told."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.core.registry import try_each
from anonymizer_gui.engine.data.tables.table import Column, Role, Table
from anonymizer_gui.engine.rooms.microdata.person_column import person_of
from anonymizer_gui.engine.rooms.microdata.preparing.prepared_table import before_of
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release import Release
from anonymizer_gui.engine.rooms.microdata.risk.contract import RISKS, Exposure, RiskResult
from anonymizer_gui.engine.rooms.microdata.utility.contract import Comparison
from anonymizer_gui.engine.rooms.microdata.written import as_published

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.leaving import LeavingTable

MOST_ROWS = 1_000_000
"""Larger releases leave without attacks told: these look at every set of columns and would take minutes."""
_DIGITS = 6


def comparison_of(release: Release, original: Table) -> Comparison:
    """Put a release beside its original, for utility measures."""
    project = release.project
    return Comparison(
        _unmasked(original, release),
        release.table,
        release.rows.astype(np.int64, copy=False),
        project.schema.names(Role.QI),
        project.schema.names(Role.SA),
        project.hierarchies,
        project.weights,
        project.schema,
    )


def _unmasked(original: Table, release: Release) -> Table:
    """Give sensitive columns as they were before masks, so that what these cost is counted in the measures.

    Measures place what is published among the values there were: a column with new values stays as it is masked, and
    so does one with a hierarchy; how far masks moved them is told beside the measures.
    """
    counted = set(release.project.schema.names(Role.SA)) - release.project.hierarchies.keys()
    was = {column.name: column for column in before_of(original)}
    columns = []
    for column in original.columns:
        if column.name in counted:
            published = release.table.column(column.name).compact()
            kept = was.get(column.name, column)
            fits = set(published.labels) <= set(kept.labels)
            columns.append(kept if fits else _with_new(column, release.table.column(column.name), release.rows))
        else:
            columns.append(column)
    return Table(tuple(columns), original.n_rows)


def _with_new(column: Column, published: Column, rows: npt.NDArray[np.int64]) -> Column:
    """Give a column with the values its rows are published with, where these are others."""
    if set(published.compact().labels) <= set(column.labels):
        return column
    texts = column.texts()
    texts[rows] = published.texts()
    return Column.from_texts(column.name, texts)


def exposures_of(
    release: Release,
    original: Table,
    *,
    population: Table | None = None,
    population_size: int | None = None,
    outside: Table | None = None,
    other: Table | None = None,
) -> tuple[Exposure, Exposure]:
    """Give what an attacker faces with the original and with the release."""

    person = person_of(original, release.project)

    def exposure(table: Table, known: Table, about: Column | None) -> Exposure:
        schema = release.project.schema
        qis, sas = schema.names(Role.QI), schema.names(Role.SA)
        trees = release.project.hierarchies
        survey = survey_columns(known, release.project)
        return Exposure(
            table, qis, sas, trees, schema, population, population_size, outside, other, known, about, *survey
        )

    after = None if person is None else person.take(release.rows)
    return exposure(original, original, person), exposure(release.table, original.take(release.rows), after)


def survey_columns(table: Table, project: Project) -> tuple[Column | None, Column | None]:
    """Give the sampling weight and the household of every row of a table, where the project names such columns."""
    weight, household = (
        table.column(name) if name and name in table.names else None
        for name in (project.sampling_weight, project.household)
    )
    return weight, household


def attacks_told(leaving: "LeavingTable") -> list[dict[str, Json]]:
    """Run every attack that needs nothing but the release, and those about a population where there is one.

    What is told is counted in the release alone; nothing about rows that are left out.
    """
    if leaving.table.n_rows > MOST_ROWS or leaving.rows is None:
        return []
    exposure = _exposure(leaving, leaving.rows)
    found = try_each([risk() for risk in RISKS], lambda risk, part: risk.measure(exposure, part), SILENT)
    return [{"name": declared.name, **_told(declared.title, found[declared.name])} for declared in RISKS]


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
