"""An ARX project taken over: roles, hierarchies, criteria, microaggregation.

Of estimates about a population ARX keeps its size in a form that only Java reads. They come along as if the table were
the whole population: no size asks for more, so that nothing is promised which the true size would not bear.

Only the plain text entries of the archive are read; the serialised ones (`.dat`) would run code of whoever wrote them.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Float, Json, from_json
from anonymizer_gui.engine.data.tables.io.arx import xml_part
from anonymizer_gui.engine.data.tables.io.input_stream import archive_members, read_member
from anonymizer_gui.engine.data.tables.table import MISSING, Column, ColumnType, Role, Table
from anonymizer_gui.engine.data.tables.values import DATE_FORMATS, parse_numbers
from anonymizer_gui.engine.hierarchy.files import repair_text
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.microaggregation import CENTRES, ONE_VALUE, Microaggregation
from anonymizer_gui.engine.rooms.microdata.masking.steps import decimal_of, steps_of, with_steps
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS, Method

_NUMBER = r"(\d+(?:\.\d+)?(?:E-?\d+)?)"

_COLUMN = r" for attribute '(.*)'"

_DISTANCES = {
    "equal ground-distance": "emd-equal",
    "hierarchical ground-distance": "emd-hierarchical",
    "ordered distance": "emd-ordered",
}

# ARX compares with the table that was put in, not with the rows that leave.
_COMPARED = {"reference": "input"}

Entries = dict[str, Json]

OTHER_CRITERIA = "Inclusion"
"""The sample of an ARX project stands among its criteria and promises nothing by itself."""

_ESTIMATORS = {"Poisson": "poisson", "Zero-truncated Poisson": "zero-truncated"}

_AVERAGE = "-avg-reidentification-risk"

_ALONE = 0.5  # a risk above it has only who is alone in a class


def _closeness(t: str, distance: str, column: str) -> Entries:
    return {"t": float(t), "distance": _DISTANCES[distance], "column": column, **_COMPARED}


def _at_risk(share: str, threshold: float) -> Entries:
    return {"share": float(share), "threshold": threshold, "highest": 1.0}


_READINGS: dict[str, tuple[str, Callable[..., Entries]]] = {
    r"(\d+)-anonymity": ("k", lambda k: {"k": int(k)}),
    rf"distinct-{_NUMBER}-diversity{_COLUMN}": (
        "l",
        lambda values, column: {"l": int(float(values)), "column": column},
    ),
    rf"shannon-entropy-{_NUMBER}-diversity{_COLUMN}": (
        "entropy-l",
        lambda values, column: {"l": float(values), "column": column},
    ),
    rf"recursive-\({_NUMBER}, ?{_NUMBER}\)-diversity{_COLUMN}": (
        "recursive-l",
        lambda c, values, column: {"c": float(c), "l": int(float(values)), "column": column},
    ),
    rf"{_NUMBER}-closeness with ({'|'.join(_DISTANCES)}){_COLUMN}": ("t", _closeness),
    rf"basic-{_NUMBER}-likeness{_COLUMN}": (
        "beta",
        lambda beta, column: {"beta": float(beta), "column": column, **_COMPARED},
    ),
    rf"enhanced-{_NUMBER}-likeness{_COLUMN}": (
        "enhanced-beta",
        lambda beta, column: {"beta": float(beta), "column": column, **_COMPARED},
    ),
    rf"{_NUMBER}-disclosure privacy{_COLUMN}": (
        "delta-disclosure",
        lambda delta, column: {"delta": float(delta), "column": column, **_COMPARED},
    ),
    rf"\({_NUMBER}(?:, {_NUMBER}(?: \({_NUMBER}\))?, {_NUMBER})?\){_AVERAGE}": (
        "average-risk",
        lambda risk, *others: {"risk": float(risk)},
    ),
    # Newer versions name the threshold that is used, and in brackets the one that was typed.
    rf"\({_NUMBER}, {_NUMBER}(?: \({_NUMBER}\))?, {_NUMBER}\){_AVERAGE}": (
        "records-at-risk",
        lambda average, threshold, typed, share: _at_risk(share, float(threshold)),
    ),
    rf"\({_NUMBER}\)-sample-uniqueness": ("records-at-risk", lambda share: _at_risk(share, _ALONE)),
    rf"\({_NUMBER}\)-population-uniqueness \((dankar|pitman|zayatz|snb)\)": (
        "population-uniqueness",
        lambda share, model: {"share": float(share), "model": model},
    ),
    rf"\((\d+)\)-map estimated as \(-?\d+\)-anonymity \(({'|'.join(_ESTIMATORS)})\)": (
        "estimated-k-map",
        lambda k, estimator: {"k": int(k), "estimator": _ESTIMATORS[estimator], "fraction": 1.0},
    ),
}


def goals_from_criterion(criterion: str, columns: Collection[str], people: int = 1) -> tuple[PrivacyModel, ...]:
    """Give the goals that say the same; none where there are none, or where they are about no such column.

    `people` is how many the population is taken to have: as many as there are rows.

    >>> goals_from_criterion("recursive-(4.0,3)-diversity for attribute 'illness'", ["illness"])[0].l
    3
    >>> [goal.name for goal in goals_from_criterion("(0.05, 0.2 (0.21), 0.01)-avg-reidentification-risk", [])]
    ['average-risk', 'records-at-risk']
    """
    found = [(name, entries, re.fullmatch(pattern, criterion)) for pattern, (name, entries) in _READINGS.items()]
    try:
        told = [(name, entries(*match.groups())) for name, entries, match in found if match]
        if any(each.get("column") not in {None, *columns} for _, each in told):
            return ()
        size = {"population-uniqueness": {"population": max(people, 1)}}
        return tuple(from_json(PRIVACY_MODELS.get(name), each | size.get(name, {})) for name, each in told)
    except (BadParameter, ValueError, OverflowError):
        return ()


_ELEMENT = "microaggregationfunction"

_CENTRES = {"arithmetic mean": "mean", "median": "median", "mode": "mode"}


def aggregate_function(entry: Element) -> str:
    """Give the function that ARX names for a column; nothing when it names none."""
    found = [(each.text or "").strip() for each in entry if each.tag.casefold() == _ELEMENT]
    return found[0] if found else ""


def microaggregation_step(function: str, column: Column, decimal: str) -> Microaggregation | None:
    """Give the step that does the same; None where there is none."""
    centre = _CENTRES.get(function.casefold())
    return (
        Microaggregation((column.name,), way=ONE_VALUE, centre=centre) if centre and _numeric(column, decimal) else None
    )


def import_note(step: Microaggregation) -> Message:
    """Say what became of the micro-aggregation of a column."""
    return message(
        "“{name}” is micro-aggregated: every class gets one value ({centre}), as in ARX. Only ARX can read whether the "
        "column helped to form the classes; here it does not, and has no role.",
        name=step.columns[0],
        centre=message(CENTRES[step.centre]),
    )


def refusal_note(function: str, column: Column, decimal: str) -> Message:
    """Say why there is no step that does the same."""
    if function.casefold() in _CENTRES and not _numeric(column, decimal):
        return message(
            "the micro-aggregation of “{name}” ({function}), which is no column of numbers",
            name=column.name,
            function=function,
        )
    return message(
        "the micro-aggregation of “{name}” ({function}): classes get the mean, the median or the most frequent value",
        name=column.name,
        function=function,
    )


def _numeric(column: Column, decimal: str) -> bool:
    labels = [label for label in column.compact().labels if label != MISSING]
    return bool(labels) and not bool(np.isnan(parse_numbers(labels, decimal)[0]).any())


_LARGEST_HIERARCHY = 64 << 20

_ROLES = {
    "QUASI_IDENTIFYING_ATTRIBUTE": Role.QI,
    "SENSITIVE_ATTRIBUTE": Role.SA,
    "IDENTIFYING_ATTRIBUTE": Role.EI,
    "INSENSITIVE_ATTRIBUTE": Role.OTHER,
}

_TYPES = {"Integer": ColumnType.INTEGER, "Decimal": ColumnType.DECIMAL, "Ordinal": ColumnType.CATEGORY}

_JAVA_DATES = {"yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S", "'T'": "T"}

_LOSS = "loss"

_OBJECTIVES = {
    "discernab": "discernibility",
    "non-uniform entropy": "entropy",
    "precision": "precision",
    "classification": "classification",
}
"""Words in the names of ARX's measures of loss, and what the search makes as small as possible instead of the loss."""

_OTHER_MEASURE = "normalized"

_WEIGHT, _USUAL_WEIGHT = Float(low=0), 0.5


@dataclass(slots=True)
class _Told:
    """What the project says, and what has no counterpart here."""

    path: Path
    parts: frozenset[str]
    decimal: str
    roles: dict[str, Role] = field(default_factory=dict)
    types: dict[str, tuple[ColumnType, str]] = field(default_factory=dict)
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)
    responses: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def import_arx_settings(path: Path, begun: Project, table: Table) -> tuple[Project, tuple[str, ...]]:
    """Give a new project about the table of an ARX project what ARX decided, and say what was left behind.

    Raises UnreadableFile when an entry is damaged.
    """
    told = _Told(path, frozenset(archive_members(path)), decimal_of(begun.source))
    for entry in _entries(told, "input/definition.xml", "assigment"):
        _take_column(told, entry, table)
    config = xml_part(path, "input/config.xml") if "input/config.xml" in told.parts else Element("config")
    schema = begun.schema.with_roles(told.roles)
    for name, (column_type, column_format) in told.types.items():
        schema = schema.with_type(name, column_type, column_format)
    goals = [goal for text in _criteria(config) for goal in _goals(told, text, table)]
    project = replace(
        begun,
        name=(xml_part(path, "project.xml").findtext("name") or begun.name).strip() or begun.name,
        source=begun.source and with_steps(begun.source, [*steps_of(begun.source), *told.steps]),
        schema=schema,
        hierarchies=told.hierarchies,
        goals=tuple(goals) or begun.goals,
        suppression=_share(told, config),
        weights=_weights(told, config, schema.names(Role.QI)),
        bounds=told.bounds,
        algorithm=_searching(told, config, begun.algorithm),
    )
    return project, (*told.notes, *_left_behind(told))


def _entries(told: _Told, part: str, name: str) -> Iterator[Element]:
    if part in told.parts:
        yield from xml_part(told.path, part).iter(name)


def _take_column(told: _Told, entry: Element, table: Table) -> None:
    name = entry.findtext("name") or ""
    if name not in table.names:
        return
    told.roles[name] = _ROLES.get(entry.findtext("type") or "", Role.OTHER)
    _take_type(told, name, entry)
    if (entry.findtext("response") or "").strip() == "true":
        told.responses.append(name)
    if (function := aggregate_function(entry)) and _is_aggregated(told, function, table.column(name)):
        return
    if told.roles[name] is not Role.EI and (ref := entry.findtext("ref")):
        _take_hierarchy(told, name, f"input/{ref}", entry)


def _is_aggregated(told: _Told, function: str, column: Column) -> bool:
    """Let a step do what ARX's micro-aggregation does; say why where none does."""
    step = microaggregation_step(function, column, told.decimal)
    if step is None:
        told.missed.append(refusal_note(function, column, told.decimal))
        return False
    if told.roles[column.name] is Role.QI:
        told.roles[column.name] = Role.OTHER
    told.steps.append(step)
    told.notes.append(import_note(step))
    return True


def _take_type(told: _Told, name: str, entry: Element) -> None:
    kind, form = entry.findtext("datatype") or "", entry.findtext("format") or ""
    if kind == "Date/Time":
        known = _date_format(form)
        if known:
            told.types[name] = ColumnType.DATE, known
        else:
            told.missed.append(message("the date format “{form}” of “{name}”", form=form, name=name))
    elif kind in _TYPES:
        told.types[name] = _TYPES[kind], ""


def _date_format(java: str) -> str:
    """Write a date format of Java as ours; empty where we have none such."""
    for letters, ours in _JAVA_DATES.items():
        java = java.replace(letters, ours)
    return java if java in DATE_FORMATS else ""


def _take_hierarchy(told: _Told, name: str, part: str, entry: Element) -> None:
    if part not in told.parts:
        told.missed.append(message("the hierarchy of “{name}”, which is not in the file", name=name))
        return
    try:
        text = read_member(told.path, part, _LARGEST_HIERARCHY).decode("utf-8-sig", errors="replace")
        repaired = repair_text(text, Path(part).name)
    except AnonymizerError as error:
        told.missed.append(message("the hierarchy of “{name}”: {why}", name=name, why=error.message))
        return
    told.hierarchies[name] = repaired.hierarchy
    if repaired.duplicates:
        told.notes.append(message("In the hierarchy of “{name}” labels stood twice; they were told apart.", name=name))
    low, high = _level(entry, "min", 0), _level(entry, "max", repaired.hierarchy.height)
    if (low, high) != (0, repaired.hierarchy.height):
        told.bounds[name] = low, min(high, repaired.hierarchy.height)


def _level(entry: Element, which: str, otherwise: int) -> int:
    text = (entry.findtext(which) or "").strip()
    return int(text) if text.isdecimal() and len(text) < 4 else otherwise


def _criteria(config: Element) -> list[str]:
    return [(found.text or "").strip() for found in config.iter("criterion")]


def _goals(told: _Told, text: str, table: Table) -> tuple[PrivacyModel, ...]:
    goals = goals_from_criterion(text, table.names, table.n_rows)
    if text == OTHER_CRITERIA:
        told.missed.append(
            message("which rows were in the research sample, kept in a form only ARX reads: all are taken")
        )
    elif not goals:
        told.missed.append(message("the criterion “{text}”", text=text))
    if any(goal.is_estimate for goal in goals):  # of a population, whose size does not come along
        told.notes.append(
            message(
                "Of “{text}” only ARX can read the size of the population: the table is taken for all of it, which "
                "asks for the most. Tell the true size on the page Protect.",
                text=text,
            )
        )
    return goals


def _share(told: _Told, config: Element) -> float:
    text = config.findtext("relativeMaxOutliers") or config.findtext("allowedOutliers")
    if text is None:
        return 0.0
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        told.missed.append(message("the suppression limit “{text}”", text=text))
        return 0.0
    return share


def _weights(told: _Told, config: Element, names: tuple[str, ...]) -> Mapping[str, float]:
    """Give the weights of the columns; none where all are alike."""
    found: dict[str, float] = {}
    for entry in config.iter("attributeWeight"):
        name, text = entry.findtext("attribute") or "", (entry.findtext("weight") or "").strip()
        try:
            found[name] = _WEIGHT.parse(text)
        except ValueError:
            told.missed.append(message("the weight “{text}” of “{name}”", text=text, name=name))
    ours = {name: found.get(name, _USUAL_WEIGHT) for name in names}
    return ours if len(set(ours.values())) > 1 else {}


def _searching(told: _Told, config: Element, search: Method | None) -> Method | None:
    """Let the search make small what ARX does; what it cannot, and a response that is not asked for, is named."""
    metric = (config.findtext("metric") or "").strip()
    objective, target = _objective(metric.lower(), told.responses)
    told.missed += [message("the response variable “{name}”", name=name) for name in told.responses if name != target]
    if metric and not objective:
        told.missed.append(message("the measure of loss “{metric}”", metric=metric))
    return search.following(objective, target) if search is not None and objective else search


def _objective(metric: str, responses: Sequence[str]) -> tuple[str, str]:
    """Give the objective that is the same as a measure of ARX, and its target; none where there is none."""
    if metric.startswith(_LOSS):
        return LEAST_LOSS, ""
    known = next((name for words, name in _OBJECTIVES.items() if words in metric), "")
    if _OTHER_MEASURE in metric or (known == "classification" and len(responses) != 1):
        return "", ""
    return known, responses[0] if known == "classification" else ""


def _left_behind(told: _Told) -> tuple[str, ...]:
    if not told.missed:
        return ()
    return (message("Of the ARX project these have no counterpart here and were left: {missed}.", missed=told.missed),)
