"""A released collection judged again: file against certificate, counts against reports, estimates, and the proof."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.core.messages import Message, message
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.rooms.survey.recount.counting import differing, is_near, reports_in, spread_in, support_of
from anonymizer_gui.engine.rooms.survey.recount.proving import is_allowed, whole_ratio
from anonymizer_gui.engine.rooms.survey.recount.reading import rows_in, rows_of


def differences(
    name: str, content: bytes, reports: bytes | None, told: Mapping[str, Any], progress: Progress
) -> Iterator[Message]:
    """Tell what a released collection is not that its certificate says it is; the reports may have stayed behind."""
    questions, results = told["survey"]["questions"], told["results"]
    progress(0.0, "Reading the estimates")
    if rows_in(name, content) != [row for result in results for row in rows_of(result)]:
        yield message("The numbers of the file are not those of the certificate.")
    progress(0.2, "Computing the estimates again")
    for question, result in zip(questions, results, strict=True):
        if result["question"] != question["name"] or differing(question, result):
            yield message("The estimates of “{name}” are not those of its counts.", name=question["name"])
    yield from _proof(told)
    if reports is not None:
        progress(0.5, "Counting the reports again")
        yield from _recounted(reports, told, progress.sub(0.5, 1.0))


def _proof(told: Mapping[str, Any]) -> Iterator[Message]:
    survey, proof = told["survey"], told["proof"]
    whole = whole_ratio(survey)
    if whole != Fraction(proof["largest_ratio"]):
        yield message("The largest ratio is not that of the chances of the protocols.")
    if not is_allowed(whole, Fraction(survey["epsilon"])):
        yield message("The chances of the protocols cost more than epsilon.")


def _recounted(content: bytes, told: Mapping[str, Any], progress: Progress) -> Iterator[Message]:
    reports = reports_in(content.decode("utf-8"))
    yield from of_reports(reports, told)
    for question, result in zip(told["survey"]["questions"], told["results"], strict=True):
        spread = math.nan if "values" in question else spread_in(question, reports)
        is_same = math.isnan(spread) or is_near(result["sd"], spread, abs(spread))
        if support_of(question, reports, progress) != result["support"] or not is_same:
            yield message("The reports do not support “{name}” as the certificate says.", name=question["name"])


def of_reports(reports: Sequence[Mapping[str, Any]], told: Mapping[str, Any]) -> Iterator[Message]:
    """Tell whether the reports are others than were counted, or answer something else than was asked."""
    names = {report["id"] for report in reports}
    if len(names) != len(reports) or len(reports) != told["reports"]["counted"]:
        yield message("The reports are not as many as were counted.")
    asked = 1 if told["survey"]["sharing"] == "one" else len(told["survey"]["questions"])
    if any(len(report["answers"]) != asked for report in reports):
        yield message("A report does not answer what was asked.")
