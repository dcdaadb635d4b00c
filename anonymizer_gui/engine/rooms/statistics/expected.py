"""The entries of a certificate as they follow from its files, its questions and the audit of its accounting."""

import math
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.budget import Budget, amount_text
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.rooms.statistics.asking import parse, text_of
from anonymizer_gui.engine.rooms.statistics.audit.composing import Together
from anonymizer_gui.engine.rooms.statistics.audit.errors import errors_of
from anonymizer_gui.engine.rooms.statistics.audit.expecting import Accounting, allotted, cells_of_step
from anonymizer_gui.engine.rooms.statistics.promise import Told, promised
from anonymizer_gui.engine.rooms.statistics.public import Public
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, Question
from anonymizer_gui.engine.rooms.statistics.questions.tables.k_means import KMeans
from anonymizer_gui.engine.rooms.statistics.release import notes_of
from anonymizer_gui.engine.rooms.statistics.shape import shape_of

_CLOSE = 1e-6
_NOTED = frozenset({"mean", "places-quadtree", "synthetic", "k-means", "places-k-means", "extreme", "bounds", "learn"})
"""Questions whose answers may come with notes, some of which depend on the noise."""
_FACTS_IN_THE_NOISE = ("levels", "rows")
IN_THE_FILE = ("ask", "mechanism", "epsilon", "value", "values")
"""What a file of answers says of each."""
_KINDS = {"synthetic": "table", "learn": "model"}
Entries = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Files:
    """What the published files hold beside synthetic tables."""

    has_answers: bool
    """Whether there is a file of answers, which names the epsilon and the mechanism of each."""
    about: Entries | None
    """All of a file of answers in JSON, which also names the unit, and epsilon and delta of the plan."""
    model: Entries | None
    """What a model says of its promise: unit, epsilon and delta."""
    names: AbstractSet[str]


def expected_of(told: Entries, files: Files, accounting: Accounting) -> dict[str, Any]:
    """Give the entries; what no file proves is left out."""
    named = told["accounting"]
    cost, spent, total = (_budget(named[name]) for name in ("cost", "spent", "total"))
    unit = PrivacyUnit.parse(told["unit"]["told"])
    protected = shape_of(told["unit"]["shape"]).sentence(unit)
    left = max(total.epsilon - spent.epsilon, Fraction(0))
    plan = _plan(told, files)
    return {
        "promises": [promised(Told(str(unit), protected, cost.epsilon, spent, total)).to_json()],
        "numbers": {
            "answers": len(told["answers"]),
            "cost": float(cost.epsilon),
            "spent": float(spent.epsilon),
            "left": float(left),
            "delta": float(spent.delta),
        },
        "unit": _unit(told, files) | {"sentence": protected},
        "accounting": {
            "cost": _together(accounting.cost, named["cost"]),
            "spent": _together(accounting.spent, named["spent"]),
            "left": Budget(epsilon=left, delta=total.delta).to_json(),
            "groups": {
                str(people): {"epsilon": epsilon, "delta": delta}
                for people, (epsilon, delta) in accounting.groups.items()
            },
        }
        | _total(told),
        "answers": {at: _answer(answer, told, files) for at, answer in enumerate(told["answers"])},
        "notes": _notes(told, unit, total.epsilon),
        "made": list(_made(told, files)),
    } | ({"plan": plan} if plan else {})


def _budget(entry: Entries) -> Budget:
    return Budget(epsilon=Fraction(entry["epsilon"]), delta=Fraction(entry["delta"]))


def _near(told: str, found: float) -> str:
    """Give an exact text of the certificate where it is what was found, otherwise what was found."""
    is_same = math.isclose(float(Fraction(told)), found, rel_tol=_CLOSE, abs_tol=_CLOSE**2)
    return amount_text(Fraction(told)) if is_same else amount_text(Fraction(repr(found)))


def _together(found: Together, told: Entries) -> dict[str, str]:
    is_tie = math.isclose(float(Fraction(told["epsilon"])), found.epsilon, rel_tol=_CLOSE**2)
    return {
        "epsilon": _near(told["epsilon"], found.epsilon),
        "delta": _near(told["delta"], float(found.delta)),
        "composition": told["composition"] if is_tie and told["composition"] in ("basic", "zcdp") else found.way,
    }


def _unit(told: Entries, files: Files) -> dict[str, str]:
    """Give the shape of the questions, and the unit where a file names it."""
    shapes = [QUESTIONS.get(answer["question"]).shape for answer in told["answers"]]
    named = files.about or files.model
    return {"shape": shapes[0], **({} if named is None else {"told": str(named["unit"])})}


def _plan(told: Entries, files: Files) -> dict[str, str]:
    """Give epsilon and delta of the plan where a file names them, or all of epsilon was shared out."""
    if files.about is not None:
        return {name: _near(told["plan"][name], files.about[name]) for name in ("epsilon", "delta")}
    found, given = allotted(told), Fraction(told["plan"]["epsilon"])
    is_more = found > given and not any(answer["is_cached"] for answer in told["answers"])
    plan = {"epsilon": amount_text(found)} if is_more or is_shared_out(told) else {}
    return plan | ({"delta": amount_text(Fraction(told["plan"]["delta"]))} if uses_delta(told) else {})


def is_shared_out(told: Entries) -> bool:
    """Tell whether the answers share all of the plan's epsilon: one waits for its share, and none was paid before."""
    waiting = [
        parse(answer["ask"], told["unit"]["shape"]).epsilon is None for answer in told["answers"] if _costs(answer)
    ]
    is_now = not any(answer["is_cached"] for answer in told["answers"])
    return told["plan"]["policy"] in ("equal", "weights") and any(waiting) and is_now


def uses_delta(told: Entries) -> bool:
    """Tell whether the noise of an answer follows from the delta of the plan."""
    return any(Fraction(answer["spend"]["rho"]) and not answer["is_cached"] for answer in told["answers"])


def _costs(answer: Entries) -> bool:
    return bool(answer["steps"])


def _total(told: Entries) -> dict[str, Any]:
    """Give the total of the plan, which counts where no ledger has one of its own."""
    if told["ledger"]["data"]:
        return {}
    return {"total": Budget(epsilon=Fraction(told["plan"]["total"]), delta=Fraction(told["plan"]["delta"])).to_json()}


def _answer(answer: Entries, told: Entries, files: Files) -> dict[str, Any]:
    """Give what follows from question and noise; where there is a file of answers, it was compared by itself."""
    question, cells, errors = question_of(answer), cells_of_step(answer), errors_of(answer)
    found: dict[str, Any] = {
        "has_interval": question.has_interval,
        "in_unit": str(question.in_unit()),
        "model": None,
        **({"notes": []} if answer["question"] not in _NOTED else {}),
        "steps": [
            {"times": step.get("times", 1)} | ({} if cells is None else {"cells": cells}) for step in answer["steps"]
        ],
        "parameters": dict(_parameters(answer)),
        **_as_in_the_file(answer, files),
        **({} if errors is None else {"error95": errors[0], "error95_all": errors[1]}),
    }
    if isinstance(answer["value"], list):
        found["values"] = [[label, place + 1] for place, label in enumerate(answer["value"])]
    if (why := _why(question, answer, told)) is not None:
        found["why"] = why
    return found


def _parameters(answer: Entries) -> Iterator[tuple[str, Json]]:
    """Give the parameters that were compared with the words of the question, or show in the error."""
    known = {declared.name for declared in params.params_of(QUESTIONS.get(answer["question"]))}
    known = known - {"rounds"} | ({*_FACTS_IN_THE_NOISE} if answer["has_interval"] else set())
    yield from ((name, value) for name, value in answer["parameters"].items() if name in known)


def _as_in_the_file(answer: Entries, files: Files) -> dict[str, Json]:
    """Give the entries of an answer that were compared with the cells of the file."""
    if not files.has_answers or not has_cells(answer):
        return {}
    return {name: answer[name] for name in (*IN_THE_FILE, *(("error95",) if answer["has_interval"] else ()))}


def has_cells(answer: Entries) -> bool:
    """Tell whether a file of answers has a row about an answer."""
    return answer["value"] is not None or bool(answer["values"])


def question_of(answer: Entries) -> Question:
    """Make the question of an answer again; raises BadParameter."""
    kind = QUESTIONS.get(answer["question"])
    own = {declared.name for declared in params.params_of(kind)}
    given = {name: value for name, value in answer["parameters"].items() if name in own}
    if set(given) != own:
        raise ValueError("a question that lacks a parameter")
    return params.from_json(kind, given)


def is_asked_so(answer: Entries, shape: str) -> bool:
    """Tell whether name, part and parameters of an answer are those of its question in words."""
    asked, question = parse(answer["ask"], shape), question_of(answer)
    part = None if answer["part"] is None else (answer["part"][0], answer["part"][1])
    if isinstance(question, KMeans) and isinstance(asked.question, KMeans) and not asked.question.rounds:
        question = replace(question, rounds=0)  # how many there were follows from the number of rows that was assumed
    own = replace(asked, question=question, part=part)
    if answer["is_cached"]:  # what costs nothing may have been asked otherwise before
        own = replace(own, question=question.remembered())
        asked = replace(asked, question=asked.question.remembered())
    return type(asked.question) is type(question) and text_of(own) == text_of(asked)


def _why(question: Question, answer: Entries, told: Entries) -> str | None:
    """Say again why the sensitivity is what it is; nothing where that needs hierarchies, which are not published."""
    unit = PrivacyUnit.parse(told["unit"]["told"])
    unit = unit if answer["part"] is None else unit.within_part
    rows = answer["parameters"].get("rows") if unit.kind == "change" else None
    delta = Fraction(told["plan"]["delta"])
    try:
        public = Public(unit, rows=rows, epsilon=Fraction(answer["epsilon"]), delta=delta)
        return str(question.why(public))
    except AnonymizerError:
        return None


def _notes(told: Entries, unit: PrivacyUnit, allowed: Fraction) -> list[str]:
    is_less = bool(told["ledger"]["data"]) and Fraction(told["plan"]["total"]) > allowed
    notes = notes_of(
        [note for answer in told["answers"] for note in answer["notes"]],
        sum(answer["is_cached"] for answer in told["answers"]),
        unit,
        has_ledger=bool(told["ledger"]["data"]),
        allowed=allowed if is_less else None,
    )
    return [str(note) for note in notes]


def _made(told: Entries, files: Files) -> Iterator[dict[str, Json]]:
    """Give the tables and models that leave with the answers; their cells and digests were compared by themselves."""
    entries = {each["answer"]: each for each in told.get("made", [])}
    for at, answer in enumerate(told["answers"]):
        if answer["question"] in _KINDS:
            kind, own = _KINDS[answer["question"]], entries.get(at, {"file": ""})
            is_there = Path(own["file"]).name in files.names
            more = {"synthetic": True} if kind == "table" else {}
            yield {"answer": at, "kind": kind, "file": own["file"] if is_there else "", **more}
