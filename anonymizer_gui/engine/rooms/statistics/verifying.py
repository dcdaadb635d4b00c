"""A release measured again: the file against the certificate, the certificate against itself, and the ledger."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.room import Check, VerificationResult
from anonymizer_gui.engine.rooms.statistics import answer_json
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.audit.auditing import differences
from anonymizer_gui.engine.rooms.statistics.audit.expecting import accounting_of, unpaid
from anonymizer_gui.engine.rooms.statistics.audit.published_tables import table_differences
from anonymizer_gui.engine.rooms.statistics.expected import Files, expected_of, is_asked_so
from anonymizer_gui.engine.rooms.statistics.leaving import budget_check, ledger_check
from anonymizer_gui.engine.rooms.statistics.made import digest_of
from anonymizer_gui.engine.rooms.statistics.not_measured import MEASURED, not_measured
from anonymizer_gui.engine.rooms.statistics.written import (
    JSON_SUFFIX,
    answer_told,
    as_written,
    cells_of,
    read_cells,
    read_model,
    read_rows,
    told_in,
)


def checked_again(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Compare the numbers of the file, compute the accounting anew, and look for the ledger beside the release.

    Raises UnreadableFile, and ValueError for a certificate that is none.
    """
    try:
        return _checked(path, told, progress)
    except (ArithmeticError, LookupError):
        raise ValueError("The certificate makes no sense.") from None


def _checked(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    progress(0.0, "Reading the answers")
    answers = [answer_json.from_json(answer) for answer in told["answers"]]
    files = _files(path, told)
    other = (*_of_files(path, told, answers, progress.sub(0.1, 0.6)), *_of_answers(told))
    progress(0.6, "Adding up what was spent")
    accounting = accounting_of(told)
    expected = expected_of(told, files, accounting)
    place = _ledger(path, told)
    ledger = None if place is None else BudgetLedger(place)
    unknown = () if ledger is None else ledger_differences(told, ledger)
    checks = _checks(told, expected, ledger)
    unseen = ledger is None and told["ledger"]["data"]
    return VerificationResult(
        (*other, *differences(told), *unknown),
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
            yield from table_differences(read_rows(place, progress), each, told["answers"][each["answer"]])
        elif not _is_model(read_model(place), each["digest"], told["accounting"]["spent"]):
            yield message("“{name}” is not the model of the certificate.", name=place.name)


def _is_written(path: Path, answers: Sequence[Answer], progress: Progress) -> bool:
    """Tell whether a file holds exactly these answers; one in JSON says more of each than its cells."""
    if read_cells(path, progress) != as_written(cells_of(answers), path):
        return False
    if path.suffix.lower() != JSON_SUFFIX:
        return True
    return bool(told_in(path)["answers"] == json.loads(json.dumps([answer_told(answer) for answer in answers])))


def _is_model(model: Json, digest: str, spent: Mapping[str, Json]) -> bool:
    """Tell whether a model is the one that was learned, and says what was promised."""
    if not isinstance(model, dict) or not isinstance(promise := model.pop("promise", None), dict):
        return False
    is_promised = all(promise.get(name) == float(Fraction(spent[name])) for name in ("epsilon", "delta"))
    return is_promised and digest_of(model) == digest


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
