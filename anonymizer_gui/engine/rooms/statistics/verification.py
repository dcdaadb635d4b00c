"""A release against file, certificate and ledger."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core import params
from anonymizer_gui.engine.core.budget import Budget, amount_text
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.room import Check, VerificationResult
from anonymizer_gui.engine.rooms.statistics import answers
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.independent.certificate_check import (
    Accounting,
    accounting_of,
    allotted,
    cells_of_step,
    check_accounting,
    check_synthetic_table,
    errors_of,
    unpaid,
)
from anonymizer_gui.engine.rooms.statistics.independent.composition import Together
from anonymizer_gui.engine.rooms.statistics.output_format import (
    JSON_SUFFIX,
    answer_rows,
    answer_told,
    read_cells,
    read_model,
    read_rows,
    rows_as_written,
    told_in,
)
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS, PublicKnowledge, Question
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.engine.rooms.statistics.questions.clustering import KMeans
from anonymizer_gui.engine.rooms.statistics.release import Told, model_digest, notes_of, promised
from anonymizer_gui.engine.rooms.statistics.release_candidate import budget_check, ledger_check

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
    protected = data_kind(told["unit"]["shape"]).sentence(unit)
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
        parse_question(answer["ask"], told["unit"]["shape"]).epsilon is None
        for answer in told["answers"]
        if _costs(answer)
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
    asked, question = parse_question(answer["ask"], shape), question_of(answer)
    part = None if answer["part"] is None else (answer["part"][0], answer["part"][1])
    if isinstance(question, KMeans) and isinstance(asked.question, KMeans) and not asked.question.rounds:
        question = replace(question, rounds=0)  # how many there were follows from the number of rows that was assumed
    own = replace(asked, question=question, part=part)
    if answer["is_cached"]:  # what costs nothing may have been asked otherwise before
        own = replace(own, question=question.remembered())
        asked = replace(asked, question=asked.question.remembered())
    return type(asked.question) is type(question) and question_text(own) == question_text(asked)


def _why(question: Question, answer: Entries, told: Entries) -> str | None:
    """Say again why the sensitivity is what it is; nothing where that needs hierarchies, which are not published."""
    unit = PrivacyUnit.parse(told["unit"]["told"])
    unit = unit if answer["part"] is None else unit.within_part
    rows = answer["parameters"].get("rows") if unit.kind == "change" else None
    delta = Fraction(told["plan"]["delta"])
    try:
        public = PublicKnowledge(unit, rows=rows, epsilon=Fraction(answer["epsilon"]), delta=delta)
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


MEASURED = (
    *(f"answers.*.{name}" for name in ("question", "part", "sensitivity", "scale", "spend")),
    *(f"answers.*.steps.*.{name}" for name in ("mechanism", "distance", "is_monotone", "picks", "times", "spend")),
    "answers.*.steps.*.scale",
    *(f"made.*.{name}" for name in ("rows", "columns", "digest")),
)
"""What the audit compares by itself, and says in sentences of its own."""


def not_measured(told: Entries, files: Files, *, has_ledger: bool) -> dict[str, str]:
    """Name what is taken from the certificate."""
    sizes = message("sizes that follow from hierarchies or rows, which are not published")
    paid = message("what earlier releases of the same data have paid for")
    decided = message("the owner's decisions about the budget: policy and totals")
    reasons: dict[str, str] = {
        "unit.surplus": message("which rows of a person were left out"),
        "plan.policy": decided,
        "plan.total": decided,
        "accounting.total": decided,
        "earlier": paid,
        "answers.*.is_cached": paid,
        "resets": message("the resets of the ledger"),
        "ledger": message("the ledger, which is not published"),
        "source": message("the name of the source"),
        "noise": message("the versions of the programs"),
        "answers.*.notes": message("notes about single answers, some of which depend on the noise"),
        "answers.*.why": sizes,
        "answers.*.error95": sizes,
        "answers.*.error95_all": sizes,
        "answers.*.parameters": sizes,
        "answers.*.steps.*.cells": sizes,
    }
    if not has_ledger:
        reasons["checks.ledger"] = message("the ledger, which is not published")
    reasons |= _of_plan(told, files)
    return reasons | _of_epsilon(told, files)


def _of_plan(told: Entries, files: Files) -> dict[str, str]:
    """Name what a table of answers does not say of the plan."""
    reasons: dict[str, str] = {}
    if files.about is None and files.model is None:
        reasons["unit.told"] = message(
            "who is protected; only the number of rows of a person was measured, by the noise"
        )
    if files.about is None and not is_shared_out(told):
        reasons["plan.epsilon"] = message("the epsilon that the plan allowed for this release")
    if files.about is None and not uses_delta(told):
        reasons["plan.delta"] = message("the delta that the plan allowed")
    return reasons


def _of_epsilon(told: Entries, files: Files) -> dict[str, str]:
    """Name the answers whose epsilon no file tells: a synthetic table without answers beside it."""
    hidden = message("the epsilon of what the published files do not name it for, and all that follows from it")
    without = [at for at, answer in enumerate(told["answers"]) if not (files.has_answers and has_cells(answer))]
    return {f"answers.{at}.{name}": hidden for at in without for name in IN_THE_FILE}


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Compare the numbers of the file, compute the accounting anew, and look for the ledger beside the release.

    Raises UnreadableFile, and ValueError for a certificate that is none.
    """
    try:
        return _checked(path, told, progress)
    except (ArithmeticError, LookupError):
        raise ValueError("The certificate makes no sense.") from None


def _checked(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    progress(0.0, "Reading the answers")
    answers_ = [answers.answer_from_json(answer) for answer in told["answers"]]
    files = _files(path, told)
    other = (*_of_files(path, told, answers_, progress.sub(0.1, 0.6)), *_of_answers(told))
    progress(0.6, "Adding up what was spent")
    accounting = accounting_of(told)
    expected = expected_of(told, files, accounting)
    place = _ledger(path, told)
    ledger = None if place is None else BudgetLedger(place)
    unknown = () if ledger is None else ledger_differences(told, ledger)
    checks = _checks(told, expected, ledger)
    unseen = ledger is None and told["ledger"]["data"]
    return VerificationResult(
        (*other, *check_accounting(told), *unknown),
        (message("the ledger, which is not there"),) if unseen else (),
        expected["numbers"],
        expected=expected,
        measured=(*MEASURED, *(() if ledger is None else ("ledger.entries",))),
        not_measured=not_measured(told, files, has_ledger="ledger" in checks),
        checks=checks,
    )


def _files(path: Path, told: Mapping[str, Json]) -> Files:
    """Say what the published files hold."""
    has_answers = all(Path(each["file"]).name != path.name for each in told.get("made", []))
    about = told_in(path) if has_answers and path.suffix.lower() == JSON_SUFFIX else None
    models = [path.with_name(Path(each["file"]).name) for each in told.get("made", []) if each["kind"] == "model"]
    promise = read_model(models[0])["promise"] if models else None
    return Files(has_answers, about, promise, {path.name, *(Path(name).name for name in told["release"]["others"])})


def _checks(told: Mapping[str, Any], expected: Mapping[str, Any], ledger: BudgetLedger | None) -> dict[str, Check]:
    accounting = told["accounting"]
    spent, total = (Fraction(accounting[name]["epsilon"]) for name in ("spent", "total"))
    checks = [budget_check(spent, total, holds=all(promise["holds"] for promise in expected["promises"]))]
    if ledger is not None:
        with suppress(AnonymizerError):  # a ledger that cannot be read is a difference of its own
            checks.append(ledger_check(told["ledger"]["entries"], ledger))
    return {check.name: check for check in checks}


def _of_answers(told: Mapping[str, Json]) -> Iterator[Message]:
    """Compare questions with their parameters, and look for answers that nobody paid for."""
    for answer in told["answers"]:
        if not is_asked_so(answer, told["unit"]["shape"]):
            yield message("The parameters of “{ask}” are not those of the question.", ask=answer["ask"])
    for ask in unpaid(told):
        yield message("“{ask}” is said to be paid already, but no release has paid for it.", ask=ask)


def _of_files(path: Path, told: Mapping[str, Json], answers: Sequence[Answer], progress: Progress) -> Iterator[Message]:
    """Compare the files with the certificate: numbers, the cells of tables, and what tells one model from another."""
    made = told.get("made", [])
    is_answers = all(Path(each["file"]).name != path.name for each in made)
    if is_answers and not _is_written(path, answers, progress):
        yield message("The numbers of the file are not those of the certificate.")
    for each in made:
        place = path.with_name(Path(each["file"]).name)
        if each["kind"] == "table":
            yield from check_synthetic_table(read_rows(place, progress), each, told["answers"][each["answer"]])
        elif not _is_model(read_model(place), each["digest"], told["accounting"]["spent"]):
            yield message("“{name}” is not the model of the certificate.", name=place.name)


def _is_written(path: Path, answers: Sequence[Answer], progress: Progress) -> bool:
    """Tell whether a file holds exactly these answers; one in JSON says more of each than its cells."""
    if read_cells(path, progress) != rows_as_written(answer_rows(answers), path):
        return False
    if path.suffix.lower() != JSON_SUFFIX:
        return True
    return bool(told_in(path)["answers"] == json.loads(json.dumps([answer_told(answer) for answer in answers])))


def _is_model(model: Json, digest: str, spent: Mapping[str, Json]) -> bool:
    """Tell whether a model is the one that was learned, and says what was promised."""
    if not isinstance(model, dict) or not isinstance(promise := model.pop("promise", None), dict):
        return False
    is_promised = all(promise.get(name) == float(Fraction(spent[name])) for name in ("epsilon", "delta"))
    return is_promised and model_digest(model) == digest


def _ledger(path: Path, told: Mapping[str, Json]) -> Path | None:
    """Find the ledger where the inside copy says, or beside the release."""
    if not told["ledger"]["file"]:
        return None
    places = [path.with_name(Path(told["ledger"]["file"]).name)]
    if told.get("inside"):
        places.insert(0, Path(told["inside"]["ledger"]["path"]))
    return next((place for place in places if place.is_file()), None)


def ledger_differences(told: Mapping[str, Json], ledger: BudgetLedger) -> tuple[Message, ...]:
    """Say what the ledger does not know of a release that its certificate tells."""
    try:
        missing = [entry for entry in told["ledger"]["entries"] if not ledger.holds(entry)]
    except AnonymizerError as error:
        return (message("The ledger cannot be read: {reason}", reason=error.message),)
    return (message("A spend of this release is not in the ledger."),) if missing else ()
