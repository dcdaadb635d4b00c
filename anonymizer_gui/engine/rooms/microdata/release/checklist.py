"""What must be green before a release leaves: goals, identifiers, hierarchies, columns of no role, other releases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.core.messages import Message, as_message, join_messages, message, quote
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import classes_of
from anonymizer_gui.engine.data.tables.normalisation import find_homographs
from anonymizer_gui.engine.data.tables.suggestions import why_identifying
from anonymizer_gui.engine.data.tables.table import Column, Role, Table
from anonymizer_gui.engine.hierarchy.coverage import place_cells
from anonymizer_gui.engine.hierarchy.fit import contradiction_message, contradictions
from anonymizer_gui.engine.room import Check, Finding
from anonymizer_gui.engine.rooms.microdata.composition.attack import CompositionResult
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.persons import PersonGroups
from anonymizer_gui.engine.rooms.microdata.people import count_repeats, marks_of, suggest_person_column
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.residual_identifiers import find_identifiers

COMPOSITION_CHECKS = "meetings"
"""The name of the checks about other releases, which may have to be made again."""
_MOST_NAMED = 6


def checklist(
    leaving: Table,
    rows: npt.NDArray[np.int64],
    original: Table,
    project: Project,
    measured: TableMeasurement,
    meeting: CompositionResult | None = None,
    *,
    asks: bool = True,
    progress: Progress = SILENT,
) -> tuple[Check, ...]:
    """Check the table that is about to leave; `rows` gives the original row of each of its rows."""
    return (
        _goals(project, measured),
        *exposed_checks(None if measured.exposed is None else measured.exposed.to_json()),
        _identifiers(leaving, rows, original, project, progress),
        _hierarchies(leaving, project),
        others_check(project, asks=asks),
        pointing_check(leaving, project),
        _sensitive(project, measured),
        look_alikes_check(leaving),
        *untruthful_checks(untruthful_output_columns(project)),
        *person_checks(leaving, rows, original, project, measured),
        *(composition_checks(meeting) if meeting else ()),
        *(_sets_beside(project, meeting) if meeting else ()),
    )


def checklist_by_sample(
    leaving: Table,
    sample: Table,
    project: Project,
    measured: TableMeasurement,
    *,
    asks: bool = True,
    progress: Progress = SILENT,
) -> tuple[Check, ...]:
    """Check a counted table that is about to leave; what needs every row is looked at in a sample of the original."""
    plain = [*project.schema.names(Role.SA), *project.schema.names(Role.OTHER)]
    shown = sample.select([name for name in plain if name not in project.left_out_columns()])
    found = _identifiers(shown, np.arange(sample.n_rows), sample, project, progress)
    told = message(
        "{found} That was looked for in a sample of {rows:row|rows}.",
        found=as_message(found.sentence),
        rows=sample.n_rows,
    )
    return (
        _goals(project, measured),
        replace(found, sentence=told),
        _hierarchies(leaving, project),
        others_check(project, asks=asks),
        pointing_check(shown, project),
        _sensitive(project, measured),
        look_alikes_check(leaving),
    )


def _goals(project: Project, measured: TableMeasurement) -> Check:
    return goals_check(measured.rows, [(model, found.holds) for model, found in measured.goals])


def goals_check(rows: int, goals: Sequence[tuple[PrivacyModel, bool]]) -> Check:
    """Check that a published table has rows and keeps every goal; each comes with whether it holds."""
    title = "Goals met on the published table"
    if not rows:
        return Check("goals", title, False, "The table has no rows, so nothing is promised.", is_promise=True)
    if not goals:
        return Check("goals", title, False, "No privacy goal is set, so nothing is promised.", is_promise=True)
    failed = [message(model.title) for model, holds in goals if not holds]
    if failed:
        return Check("goals", title, False, message("Not met: {goals}.", goals=failed), is_promise=True)
    estimates = [message(model.title) for model, _ in goals if model.is_estimate]
    if estimates:
        told = message("Every goal holds for the table as it leaves; by estimate only: {goals}.", goals=estimates)
        return Check("goals", title, True, told, is_promise=True)
    return Check("goals", title, True, "Every goal holds for the table as it leaves.", is_promise=True)


def exposed_checks(found: Mapping[str, Json] | None) -> tuple[Check, ...]:
    """Check that no row is given away by its class together with a few items, whatever parts are protected.

    `found` are the numbers of the rows that are, as certificates hold them; nothing where there are no sets.
    """
    title = "No row exposed by its class and a few items"
    if found is None:
        return ()
    if not found["rows"]:
        sentence = message("Whoever knows a class and up to {m:item|items} is left with {k} rows or more.", **found)
        return (Check("exposed", title, True, sentence, is_promise=True),)
    sentence = message(
        "{rows:row is|rows are} exposed ({share:.1%}): fewer than {k} rows fit their class with up to {m:item|items}.",
        **found,
    )
    return (Check("exposed", title, False, sentence, is_promise=True),)


def _sets_beside(project: Project, meeting: CompositionResult) -> tuple[Check, ...]:
    """Say that the attack with several releases knows no items: sets that change tell more together than alone."""
    if not project.schema.sets or not meeting.beside:
        return ()
    sentence = message(
        "The items of {columns} are not compared with earlier releases: together they may tell more.",
        columns=quote(project.schema.sets),
    )
    return (Check("sets-beside", "Sets compared with earlier releases", False, sentence, blocks=False),)


def _identifiers(
    leaving: Table, rows: npt.NDArray[np.int64], original: Table, project: Project, progress: Progress
) -> Check:
    title = "No identifier in the release"
    pseudonyms = {name for name, _ in project.publishing.pseudonyms}
    names = project.schema.names(Role.EI)
    there = [name for name in names if name in leaving.names and name not in pseudonyms]
    if there:
        return Check("identifiers", title, False, message("The identifier “{name}” is still there.", name=there[0]))
    unchanged = [*project.schema.names(Role.SA), *project.schema.names(Role.OTHER)]
    found = tuple(find_identifiers(leaving, rows, [original.column(name) for name in names], unchanged, progress))
    if found:
        told = join_messages(*(finding.sentence for finding in found[:_MOST_NAMED]))
        return Check("identifiers", title, False, told, findings=found)
    if pointing := _pointing_columns(leaving, project):
        told = message("Nobody marked {columns} as identifiers, but they may be.", columns=quote(list(pointing)))
        return Check("identifiers", title, False, told, blocks=False)
    if not names:
        told = message("No column is marked as an identifier. No address or number of a known form was found, either.")
        return Check("identifiers", title, True, told)
    return Check("identifiers", title, True, "No name, number or address of a person was found in what leaves.")


def _hierarchies(leaving: Table, project: Project) -> Check:
    title = "No value outside the hierarchies"
    for name in project.schema.names(Role.QI):
        tree = project.hierarchies.get(name)
        if tree is None:
            continue
        try:
            place_cells(leaving.column(name), tree, project.schema.column(name))
        except BadHierarchy as error:
            return Check("hierarchies", title, False, error.message)
        published = set(leaving.column(name).labels)
        untrue = [found for found in contradictions(tree) if found.label in published]
        if untrue:
            sentence = message("In “{column}”: {why}", column=name, why=as_message(contradiction_message(untrue)))
            return Check("hierarchies", title, False, sentence, blocks=False)
    return Check("hierarchies", title, True, "Every published cell of a quasi-identifier has its place.")


def others_check(project: Project, *, asks: bool) -> Check:
    """Check that somebody has agreed to every column of no role that leaves."""
    title = "Columns without a role agreed to"
    left_out = project.left_out_columns()
    others = [name for name in project.schema.names(Role.OTHER) if name not in left_out]
    if not others:
        return Check("others", title, True, "There is no column without a role.")
    open_ones = [name for name in others if name not in project.acknowledged]
    if open_ones:
        listed = list(quote(open_ones[:_MOST_NAMED]))
        if len(open_ones) > _MOST_NAMED:
            listed.append(message("… ({count:,})", count=len(open_ones)))
        sentence = message("Published unchanged and not yet agreed to: {listed}.", listed=listed)
        return Check("others", title, False, sentence, blocks=asks)
    return Check("others", title, True, "You have agreed to every column that is published unchanged.")


def pointing_check(leaving: Table, project: Project) -> Check:
    """Look for columns of no role that point to a person by themselves: agreeing does not make them harmless."""
    title = "No column that points to a person published unchanged"
    found = _pointing_columns(leaving, project)
    if not found:
        return Check("pointing", title, True, "No column without a role seems to point to a person by itself.")
    findings = tuple(
        Finding(message("“{name}”: {reason}", name=name, reason=as_message(why)), name) for name, why in found.items()
    )
    named = quote(list(found))
    told = message(
        "Whoever knows a value of {columns} may find the person: leave it out or give it a role.", columns=named
    )
    return Check("pointing", title, False, told, blocks=False, findings=findings)


def _pointing_columns(leaving: Table, project: Project) -> dict[str, str]:
    """Give the columns of no role that leave and point to a person by themselves, each with the reason."""
    others = [name for name in project.schema.names(Role.OTHER) if name in leaving.names]
    reasons = {name: why_identifying(leaving.column(name), project.schema.column(name).type) for name in others}
    return {name: why for name, why in reasons.items() if why}


def _sensitive(project: Project, measured: TableMeasurement) -> Check:
    fewest = {name: both["l"].get("distinct", 2) for name, both in measured.per_sensitive.items()}
    return sensitive_check(project, fewest)


def sensitive_check(project: Project, fewest: Mapping[str, float]) -> Check:
    """Look whether some goal is about every sensitive column, and how much a class gives away of the others.

    `fewest` gives the fewest different values that a class has of each.
    """
    title = "Every sensitive column protected by a goal"
    sensitive = project.schema.names(Role.SA)
    bare = [name for name in sensitive if not project.protects(name)]
    if not sensitive:
        return Check("sensitive", title, True, "No column is marked as sensitive.")
    if not bare:
        return Check("sensitive", title, True, "Every sensitive column is looked at by a goal.")
    alike = [name for name in bare if fewest[name] <= 1]
    sentence = message("No goal looks at {columns}: they leave as they are.", columns=quote(bare))
    if alike:
        told = message("There are classes in which everybody has the same value of {columns}.", columns=quote(alike))
        sentence = join_messages(sentence, told)
    return Check("sensitive", title, False, sentence, blocks=False)


def untruthful_checks(there: Sequence[str]) -> tuple[Check, ...]:
    """Say which columns are not truthful; tables whose cells are all true need no such line."""
    if not there:
        return ()
    told = message(
        "The cells of {columns} are not truthful; heads, report and the name of the file say so.", columns=quote(there)
    )
    return (Check("untruthful", "Every cell truthful, coarse or not", False, told, blocks=False),)


def look_alikes_check(leaving: Table) -> Check:
    """Look for values that differ only in case, width or the way a number is written."""
    title = "No values that look alike"
    alike = {column.name: find_homographs(column.compact().labels) for column in leaving.columns}
    findings = tuple(
        Finding(message("“{name}”: {values}", name=name, values=quote(group)), name)
        for name, groups in alike.items()
        for group in groups[:_MOST_NAMED]
    )
    if not findings:
        return Check("look-alikes", title, True, "No two values differ only in case, width or spelling of numbers.")
    sentence = message(
        "{columns} have values that look alike. As sensitive values they count as one; classes keep them apart.",
        columns=quote([name for name, groups in alike.items() if groups]),
    )
    return Check("look-alikes", title, False, sentence, blocks=False, findings=findings)


def person_checks(
    leaving: Table, rows: npt.NDArray[np.int64], original: Table, project: Project, measured: TableMeasurement
) -> tuple[Check, ...]:
    """Check that people are counted where an identifier repeats; tables with a row for each person need no such line.

    A column that repeats by chance, such as a first name, makes a warning that may be passed over.
    """
    title = "People counted, not rows"
    if project.person:
        return (Check("people", title, True, _counted(original.column(project.person).take(rows), project, measured)),)
    found = suggest_person_column(original, project.schema.names(Role.EI))
    if found is None:
        return ()
    name, many = found
    classes = classes_of(leaving, project.schema.names(Role.QI))
    marks = marks_of(original.column(name).take(rows), {})
    people = classes.sizes if marks is None else PersonGroups.count(marks, classes.ids, len(classes)).sizes
    sentence = message(
        "“{name}” repeats: {rows:,} rows are about {people:person|people}, if it says whom a row is about. Then the "
        "smallest class has {fewest:person|people}. Mark the column as the person, and people are counted.",
        name=name,
        rows=many.known,
        people=many.people,
        fewest=int(people.min(initial=len(rows))),
    )
    return (Check("people", title, False, sentence, blocks=False),)


def _counted(person: Column, project: Project, measured: TableMeasurement) -> Message:
    if measured.people is None:
        return message("Every row is about another person, by “{name}”.", name=project.person)
    told = message(
        "{rows:row is|rows are} about {people:person|people}, by “{name}”; the smallest class has {k:person|people}.",
        rows=measured.rows,
        people=measured.people,
        name=project.person,
        k=measured.k,
    )
    without = count_repeats(person).without
    nobody = message("{rows:row has|rows have} no id and {rows:~counts|count} as nobody beside others.", rows=without)
    return join_messages(told, nobody) if without else told


def composition_checks(meeting: CompositionResult) -> tuple[Check, ...]:
    """Check that a release harms nobody beside earlier ones; those that cannot be compared fail one by one."""
    title = "Safe beside earlier releases"
    strange = [release for release in meeting.beside if not release.is_comparable]
    checks = [
        Check(
            COMPOSITION_CHECKS,
            message("Safe beside the release “{name}”", name=release.name),
            False,
            release.sentence(),
            True,
        )
        for release in strange
    ]
    if len(strange) < len(meeting.beside):
        checks.insert(0, Check(COMPOSITION_CHECKS, title, meeting.keeps_promises, meeting.sentence(), is_promise=True))
    return numbered(checks)


def numbered(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Tell checks of one name apart: a certificate lists no check twice.

    >>> [check.name for check in numbered([Check("one", "", True, ""), Check("one", "", True, "")])]
    ['one', 'one-2']
    """
    return tuple(replace(check, name=f"{check.name}-{at}") if at > 1 else check for at, check in enumerate(checks, 1))
