"""The column that says whom a row is about: its people by number, and whether any of them has several rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.normalisation import fold_text
from anonymizer_gui.engine.data.tables.table import MISSING, Column, CountedColumn, Role, Table, UnlabelledColumn
from anonymizer_gui.engine.rooms.microdata.models.persons import NOBODY, PersonMarks
from anonymizer_gui.engine.rooms.microdata.project import Project

MOST_ROWS = 100
"""So many rows in the mean a person may have to be taken for one."""


@dataclass(frozen=True, slots=True)
class RepeatedPersons:
    """How rows and people of a column stand to each other: its rows, the people in them, rows without an id."""

    rows: int
    people: int
    without: int

    @property
    def known(self) -> int:
        """The rows with an id."""
        return self.rows - self.without

    @property
    def several_rows(self) -> bool:
        """Whether rows are not each about another person."""
        return self.people < self.rows


def number_persons(column: Column) -> npt.NDArray[np.int64]:
    """Number the people of a column from 1 on; 0 stands for rows without an id.

    Capital letters and white space make no other person.
    """
    if isinstance(column, UnlabelledColumn):
        return column.codes.astype(np.int64)
    number = {MISSING: NOBODY}
    folds = [MISSING if label == MISSING else fold_text(label) for label in column.labels]
    of_label = np.array([number.setdefault(fold, len(number)) for fold in folds], dtype=np.int64)
    return of_label[column.codes] if len(of_label) else np.zeros(len(column.codes), dtype=np.int64)


def count_repeats(column: Column) -> RepeatedPersons:
    """Count the people of a column."""
    if isinstance(column, CountedColumn):
        return RepeatedPersons(column.crowd.rows, column.crowd.distinct, column.crowd.missing)
    times = np.bincount(number_persons(column), weights=column.times, minlength=1)
    return RepeatedPersons(column.rows, int(np.count_nonzero(times[1:])), int(times[0]))


def suggest_person_column(
    table: Table, identifiers: Sequence[str], progress: Progress = SILENT
) -> tuple[str, RepeatedPersons] | None:
    """Find the identifier that seems to say whom a row is about: of those that repeat the one with most people.

    One that nearly all rows share tells of a place or a firm rather than of a person.
    """
    found = []
    for name in identifiers if table.n_rows else ():
        progress.check()
        found += [(name, count_repeats(table.whole(name)))] if name in table.names else []
    likely = [(name, many) for name, many in found if 1 < many.people < many.known <= MOST_ROWS * many.people]
    return max(likely, key=lambda pair: pair[1].people, default=None)


def marks_of(person: Column | None, sensitive: Mapping[str, Column]) -> PersonMarks | None:
    """Mark rows by whom they are about; None where every row is about another person, or nobody is known."""
    if person is None:
        return None
    numbers = number_persons(person)
    rows = np.bincount(numbers, weights=person.times, minlength=1)
    several_rows = bool((rows[1:] > 1).any() or (numbers == NOBODY).any())
    return PersonMarks.of(numbers, sensitive) if several_rows else None


def person_column(table: Table, project: Project) -> Column | None:
    """Give the column that says whom a row is about; raises BadParameter when it is not an identifier of the table."""
    if not project.person:
        return None
    if project.person not in project.schema.names(Role.EI) or project.person not in table.names:
        raise BadParameter(
            message("“{name}” is to say whom a row is about, and it is not an identifier.", name=project.person),
            "Mark the column as an identifier, or name another person column.",
        )
    return table.column(project.person)


def check_person(table: Table, project: Project, population: Table | None) -> None:
    """Refuse what people cannot be counted by: raises BadParameter."""
    person = person_column(table, project)
    if person is None:
        return
    if population is not None and project.person in population.names:
        found = count_repeats(population.column(project.person))
        if found.several_rows:
            raise BadParameter(
                message(
                    "In the population “{name}” repeats: {people:,} people have {rows:,} rows.",
                    name=project.person,
                    people=found.people,
                    rows=found.rows,
                ),
                "A population table has one row for each person.",
            )
    shares = [goal for goal in project.goals if goal.counts_people and goal.needs_population]
    without = count_repeats(person).without if shares else 0
    if without:
        raise BadParameter(
            message(
                "{goal} must know everybody: {rows:row|rows} of “{name}” {rows:~is|are} empty.",
                goal=message(shares[0].title),
                rows=without,
                name=project.person,
            ),
            "Fill the ids in, leave these rows out, or name another person column.",
        )
