"""The sections of the report that only statistics have, told from the certificate alone, in words a lawyer can read."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Pairs, Rows, Section, Sentences

_MOST_CELLS = 200
"""A longer answer is in the file; the report shows its beginning."""
_MEANING = (
    "Every number in the release was changed by chance before it was published. Whoever sees the release cannot tell "
    "with more than the stated certainty whether a given person is in the data, however much else they know.",
    "The protection does not wear off: it holds against any computation with the published numbers, now and later.",
    "The chance was drawn from the operating system and was kept nowhere. No seed exists, and the release cannot be "
    "computed again from the data.",
)
_ABOUT_MADE = {
    "table": "Every row of a synthetic table was drawn by chance from noisy counts. No row is a person: one that is "
    "equal to somebody's is so by chance and proves nothing. The table is good for what is true of many rows at once.",
    "model": "A model was learned with noise in every step. Its weights may be published; what it foretells of "
    "somebody is a guess from people in general.",
}
_NOT_PROTECTED = (
    "What is true of people in general can be learnt from the release, also about people who are not in the data.",
    "People with more rows than the unit of protection counts are protected less; so are groups of people who belong "
    "together, as the table of groups shows.",
    "Numbers about the same people that were published without this ledger are not counted here.",
    "A single number may be far off by chance; the interval tells how far in 95 of 100 releases.",
)


def sections_of(told: Mapping[str, Json]) -> list[Section]:
    """Give the sections, the result first."""
    return [
        Section("Result", (_result(told),)),
        Section("What this means", (Sentences(_MEANING),)),
        Section("What is not protected", (Sentences(_NOT_PROTECTED),)),
        Section("Who is protected", (_unit(told["unit"]),)),
        Section("Synthetic tables and models", _made(told.get("made", []))),
        Section("Answers", (_answers(told["answers"]),)),
        Section("How the noise was made", (_noise(told["answers"]),)),
        Section("Budget", (_budget(told),)),
        Section("Groups of people", (_groups(told["accounting"]["groups"]),)),
        Section("Earlier releases of the same data", (_earlier(told["earlier"]),)),
        Section("Resets of the ledger", (_resets(told["resets"]),)),
        Section("Notes", (Sentences(_notes(told)),)),
    ]


def _result(told: Mapping[str, Json]) -> Pairs:
    spent = told["accounting"]["spent"]
    return Pairs(
        {
            "Questions answered": len(told["answers"]),
            "Epsilon of this release": _number(told["accounting"]["cost"]["epsilon"]),
            "Epsilon of all releases together": _number(spent["epsilon"]),
            "Delta": _number(spent["delta"]),
            "Epsilon left": _number(told["accounting"]["left"]["epsilon"]),
            "Source": told["source"]["file"],
            "SHA-256 of the release": told["release"]["sha256"],
        }
    )


def _unit(unit: Mapping[str, Json]) -> Pairs:
    rows = {"Unit of protection": unit["told"], "What stays uncertain, as far as epsilon says": unit["sentence"]}
    if unit["told"].startswith("person"):
        rows["Rows beyond that"] = "left out by lot" if unit["surplus"] == "sampled" else "left out from the first on"
    return Pairs(rows)


def _made(made: Sequence[Mapping[str, Json]]) -> tuple[Sentences | Rows, ...]:
    if not made:
        return ()
    kinds = {"table": "Synthetic table", "model": "Learned model"}
    rows = tuple(
        (kinds[each["kind"]], each["file"], each.get("rows", ""), ", ".join(each.get("columns", ()))) for each in made
    )
    said = tuple(_ABOUT_MADE[kind] for kind in kinds if any(each["kind"] == kind for each in made))
    return Sentences(said), Rows(("What", "File", "Rows", "Columns"), rows)


def _answers(answers: Sequence[Mapping[str, Json]]) -> Rows:
    rows = [row for answer in answers for row in _cells(answer)]
    return Rows(("Question", "", "Published", "At least", "At most"), tuple(rows))


def _cells(answer: Mapping[str, Json]) -> list[tuple[Json, ...]]:
    cells = answer["values"] if answer["value"] is None else [["", answer["value"]]]
    error = answer["error95"] if answer["has_interval"] else None
    shown = [(answer["ask"], label, value, *_interval(value, error)) for label, value in cells[:_MOST_CELLS]]
    more = len(cells) - _MOST_CELLS
    return [*shown, (answer["ask"], f"and {more:,} more in the file", "", "", "")] if more > 0 else shown


def _notes(told: Mapping[str, Json]) -> tuple[str, ...]:
    return tuple(told["notes"]) or ("None.",)


def _interval(value: Json, error: float | None) -> tuple[Json, Json]:
    if error is None or isinstance(value, str | list):
        return "", ""
    return value - error, value + error


def _noise(answers: Sequence[Mapping[str, Json]]) -> Rows:
    rows = tuple(
        (a["ask"], a["mechanism"], _number(a["sensitivity"]), a["why"], _number(a["scale"]), _number(a["epsilon"]),
         "unknown" if a["error95"] is None else a["error95"], "earlier" if a["is_cached"] else "now")
        for a in answers
    )  # fmt: skip
    head = ("Question", "Mechanism", "Sensitivity", "Why", "Scale", "Epsilon", "95 % error", "Paid")
    return Rows(head, rows)


def _budget(told: Mapping[str, Json]) -> Pairs:
    accounting, ledger = told["accounting"], told["ledger"]
    added = {"basic": "Epsilons are added up", "zcdp": "Composed as zero-concentrated differential privacy"}
    return Pairs(
        {
            "Allowed in all": _number(accounting["total"]["epsilon"]),
            "Delta allowed": _number(accounting["total"]["delta"]),
            "Spent before": len(told["earlier"]),
            "How spends are added": added[accounting["spent"]["composition"]],
            "Ledger": ledger["file"] or "none",
            "Data set (keyed fingerprint)": ledger["data"] or "none",
        }
    )


def _groups(groups: Mapping[str, Mapping[str, Json]]) -> Rows:
    rows = tuple((int(people), group["epsilon"], group["delta"]) for people, group in groups.items())
    return Rows(("People who belong together", "Epsilon", "Delta"), rows)


def _earlier(spends: Sequence[Mapping[str, Json]]) -> Rows | Sentences:
    if not spends:
        return Sentences(("None is known.",))
    rows = tuple((s["created"], _number(s["spend"]["epsilon"]), _number(s["spend"]["rho"])) for s in spends)
    return Rows(("When", "Epsilon", "Rho"), rows)


def _resets(resets: Sequence[Mapping[str, Json]]) -> Sentences:
    return Sentences(tuple(f"{reset['created']}: {reset['reason']}" for reset in resets) or ("None.",))


def _number(text: str) -> float:
    return float(Fraction(text))
