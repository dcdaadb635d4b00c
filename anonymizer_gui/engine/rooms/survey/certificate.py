"""Entries of the certificate, and the report made of them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from anonymizer_gui.engine.core.budget import amount_text
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.estimation import max_gain, poison_mean
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.room import Pairs, Rows, Section, Sentences
from anonymizer_gui.engine.rooms.survey.estimates import QuestionEstimates
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.reports import count_rejections


def certificate_entries(release: Release) -> dict[str, Json]:
    """Give the room's entries of the certificate; all of it is public or comes from reports."""
    collection, source = release.collection, release.project.reports or release.project.source
    return {
        "survey": {**collection.to_json(), "fingerprint": collection.fingerprint},
        "proof": {
            "largest_ratio": amount_text(collection.ratio),
            "epsilon": amount_text(collection.epsilon),
            "cost": collection.cost,
        },
        "results": [_result(each, collection.protocols[each.question.name]) for each in release.results],
        "reports": {
            "counted": release.n,
            "not_counted": count_rejections(release.problems),
            "made": "here" if release.is_perturbed_here else "by respondents",
        },
        "source": {"file": Path(source.path).name if source else ""},
        "notes": [str(note) for note in release.notes],
    }


def _result(result: QuestionEstimates, protocol: FrequencyProtocol | MeanProtocol) -> dict[str, Json]:
    told = {**result.to_json(), "support": {cell.value: cell.support for cell in result.cells}}
    if isinstance(protocol, FrequencyProtocol):
        return told | {"most_of_one_fake": max_gain(protocol)}
    question = result.question
    most = poison_mean(protocol, result.cells[0].estimate, result.n, (question.low, question.high), 1)[1]
    return told | {"most_of_one_fake": most}


_MOST_CELLS = 200

_MADE = {
    "by respondents": "Nobody told what is true of them. Before an answer left the respondent it was changed by "
    "chance, and only what came out was sent. Whoever holds the reports, now or later, cannot tell with more than the "
    "stated certainty what a given person answered, however much else they know.",
    "here": "The true answers were in a table that the steward holds; every one was changed by chance before it was "
    "counted. Whoever sees what is released cannot tell with more than the stated certainty what a given person "
    "answered, however much else they know. Whoever holds the table knows the answers.",
}

_MEANING = (
    "The chances are known exactly, and so their effect can be taken out of the counts of many reports. The estimates "
    "are unbiased; each is off by chance, and the interval tells how far in 95 of 100 collections. Negative estimates "
    "are kept: cutting them off would be a bias.",
    "The consistent numbers beside the estimates are not negative and add up to the number of reports. They look "
    "better and are biased: use the estimates for computing.",
)

_NOT_PROTECTED = (
    "That somebody took part, and when, is not hidden by the protocol.",
    "What is true of people in general can be learnt, also about people who did not take part.",
    "Surveys of the same people add up: two reports of epsilon 1 are worth one of epsilon 2.",
    "Reports can be made up. Each of them can move an estimate by no more than the stated bound.",
)


def report_sections(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    return [
        Section("Result", (_report_sections_result(told),)),
        Section("What this means", (Sentences((_MADE[told["reports"]["made"]], *_MEANING)),)),
        Section("What is not protected", (Sentences(_NOT_PROTECTED),)),
        Section("What was asked", (_questions(told["survey"]["questions"]),)),
        Section("Estimates", (_estimates(told["results"]),)),
        Section("How answers were changed", (_chances(told["survey"]["questions"]),)),
        Section("Proof", (_proof(told),)),
        Section("Made-up reports", (_poisoning(told),)),
        Section("Reports", (_reports(told["reports"]),)),
        Section("Notes", (Sentences(tuple(told["notes"]) or ("None.",)),)),
    ]


def _report_sections_result(told: Mapping[str, Json]) -> Pairs:
    survey = told["survey"]
    return Pairs(
        {
            "Survey": survey["title"],
            "Reports counted": told["reports"]["counted"],
            "Epsilon of one respondent": float(Fraction(survey["epsilon"])),
            "Questions": len(survey["questions"]),
            "Fingerprint of the survey": survey["fingerprint"],
            "Source": told["source"]["file"],
            "SHA-256 of the release": told["release"]["sha256"],
        }
    )


def _questions(questions: Sequence[Mapping[str, Json]]) -> Rows:
    rows = tuple((each["name"], each["text"], _domain(each), each["protocol"]) for each in questions)
    return Rows(("Name", "Question", "Answers", "Protocol"), rows)


def _domain(question: Mapping[str, Json]) -> str:
    if "values" in question:
        return ", ".join(question["values"][:20]) + (", …" if len(question["values"]) > 20 else "")
    return f"a number from {question['low']:g} to {question['high']:g}"


def _estimates(results: Sequence[Mapping[str, Json]]) -> Rows:
    rows = [row for result in results for row in _cells(result)]
    return Rows(("Question", "Answer", "Estimate", "At least", "At most", "Consistent (biased)"), tuple(rows))


def _cells(result: Mapping[str, Json]) -> list[tuple[Json, ...]]:
    cells = list(result["estimates"].items())
    rows: list[tuple[Json, ...]] = [
        (result["question"], value, *_rounded(estimate, *result["intervals"][value], result["consistent"][value]))
        for value, estimate in cells[:_MOST_CELLS]
    ]
    more = len(cells) - _MOST_CELLS
    return [*rows, (result["question"], f"and {more:,} more in the file", "", "", "", "")] if more > 0 else rows


def _rounded(*numbers: float) -> tuple[float, ...]:
    return tuple(float(f"{number:.6g}") for number in numbers)


def _chances(questions: Sequence[Mapping[str, Json]]) -> Rows:
    rows = tuple(
        (each["name"], each["protocol"], name, value) for each in questions for name, value in each["chances"].items()
    )
    return Rows(("Question", "Protocol", "Number", "Value (chances are out of 2^53)"), rows)


def _proof(told: Mapping[str, Json]) -> Pairs:
    proof = told["proof"]
    return Pairs(
        {
            "Largest ratio of chances, exact": proof["largest_ratio"],
            "As a decimal number": float(Fraction(proof["largest_ratio"])),
            "Its logarithm": proof["cost"],
            "Epsilon allowed": float(Fraction(proof["epsilon"])),
        }
    )


def _poisoning(told: Mapping[str, Json]) -> Rows:
    rows = tuple(
        (result["question"], *_rounded(result["most_of_one_fake"]))
        for result in told["results"]
        if "most_of_one_fake" in result
    )
    return Rows(("Question", "One made-up report raises an estimate by at most"), rows)


def _reports(reports: Mapping[str, Json]) -> Pairs:
    made = {"here": "Drawn by the steward from a table", "by respondents": "By respondents, before anything was sent"}
    counts = {f"Not counted: {why}": times for why, times in reports["not_counted"].items()}
    return Pairs({"Answers were changed": made[reports["made"]], "Counted": reports["counted"], **counts})
