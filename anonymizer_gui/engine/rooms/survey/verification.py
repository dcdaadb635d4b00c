"""A released collection measured again: entries of its certificate as they follow from the published files."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.budget import amount_text
from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.room import Check, Promise, VerificationResult
from anonymizer_gui.engine.rooms.survey.independent.recount import (
    Published,
    check_collection,
    cost_of,
    expected_count,
    expected_results,
    expected_survey,
    is_allowed,
    named_otherwise,
    of_reports,
    published,
    whole_ratio,
)
from anonymizer_gui.engine.rooms.survey.release import Told, notes_of, promised
from anonymizer_gui.engine.rooms.survey.release_candidate import REPORTS_SUFFIX, proof_check, signal_check


def verify_release(path: Path, told: Mapping[str, Json], progress: Progress) -> VerificationResult:
    """Judge a release by the recount; without the reports beside it only their counts can be taken for true.

    Raises UnreadableFile, and ValueError for a certificate that is none.
    """
    try:
        beside = _reports(path, told)
        content, promise = path.read_bytes(), _promise(told)
        found = tuple(check_collection(path.name, content, None, told, progress.sub(0.0, 0.3)))
        files = published(path.name, content, beside)
        results = expected_results(files, told["survey"], progress.sub(0.3, 1.0))
        expected = _expected(files, told, promise, results)
        return VerificationResult(
            (*found, *_foreign(path, told, files)),
            () if beside is not None else (message("the reports, which did not leave with the estimates"),),
            expected["numbers"],
            expected=expected,
            measured=("survey",) if files.fingerprint else (),
            not_measured=_not_measured(files),
            checks=_checks(promise, told["survey"], results),
        )
    except (ArithmeticError, LookupError, OSError, StopIteration):
        raise ValueError("The certificate makes no sense.") from None


def _reports(path: Path, told: Mapping[str, Json]) -> bytes | None:
    """Read the reports that the certificate names, or that lie beside the estimates."""
    place = path.with_name(
        next(iter(Path(name).name for name in told["release"]["others"]), path.stem + REPORTS_SUFFIX)
    )
    return place.read_bytes() if told["release"]["others"] or place.is_file() else None


def _foreign(path: Path, told: Mapping[str, Json], files: Published) -> Iterator[Message]:
    """Tell of published files that are of another survey or another release."""
    if named_otherwise(files, told["survey"]):
        yield message("The certificate describes another survey than the published files name.")
    if files.reports is None:
        return
    yield from of_reports(files.reports, told)
    if not told["release"]["others"]:
        yield message("“{name}” does not belong to this release.", name=path.stem + REPORTS_SUFFIX)


def _promise(told: Mapping[str, Any]) -> Promise:
    survey, ratio = told["survey"], whole_ratio(told["survey"])
    epsilon, is_here = Fraction(survey["epsilon"]), told["reports"]["made"] == "here"
    said = Told(epsilon, ratio, cost_of(ratio), survey["sharing"], is_here)
    return promised(said, holds=is_allowed(ratio, epsilon))


def _expected(
    files: Published, told: Mapping[str, Any], promise: Promise, results: list[dict[str, Any]]
) -> dict[str, Any]:
    survey = expected_survey(files, told["survey"])
    for question in survey["questions"]:
        question["epsilon"] = amount_text(question["epsilon"])
    epsilon, not_counted = Fraction(told["survey"]["epsilon"]), sum(told["reports"]["not_counted"].values())
    made, counted = told["reports"]["made"], expected_count(files, told["survey"])
    return {
        "promises": [promise.to_json()],
        "numbers": {
            "reports": counted,
            "not_counted": not_counted,
            "questions": len(results),
            "epsilon": float(epsilon),
            "cost": promise.value,
        },
        "survey": {**survey, "epsilon": amount_text(epsilon)},
        "proof": {
            "largest_ratio": amount_text(whole_ratio(told["survey"])),
            "epsilon": amount_text(epsilon),
            "cost": promise.value,
        },
        "results": results,
        "reports": {"counted": counted},
        "notes": [str(note) for note in notes_of(not_counted, is_perturbed_here=made == "here")],
    }


def _checks(promise: Promise, survey: Mapping[str, Any], results: list[dict[str, Any]]) -> dict[str, Check]:
    noisy = [
        question["name"]
        for question, result in zip(survey["questions"], results, strict=True)
        if "values" in question and all(low <= 0 for low, _ in result["intervals"].values())
    ]
    return {check.name: check for check in (proof_check(promise), signal_check(noisy))}


def _not_measured(files: Published) -> dict[str, str]:
    """Name what no published file tells; a file that names its survey binds all words and bounds of it."""
    reasons: dict[str, str] = {
        "reports.not_counted": message("the reports that do not count, which are not published"),
        "checks.counted": message("the reports that do not count, which are not published"),
        "reports.made": message("who changed the answers by chance, the respondents or the holder of the table"),
        "source": message("the name of the source"),
    }
    if files.fingerprint:
        return reasons
    asked = message("the words of the survey and its bounds of numbers, which only reports or a JSON file would prove")
    reasons |= {f"survey.{name}": asked for name in ("title", "intro")}
    reasons |= {f"survey.questions.*.{name}": asked for name in ("text", "low", "high")}
    shared = message("whether everybody answered one question or all, on which epsilon depends")
    protocol = message("the protocols by name; their chances were measured")
    return reasons | {"survey.sharing": shared, "survey.questions.*.protocol": protocol}
