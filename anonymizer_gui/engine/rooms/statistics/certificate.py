"""Entries of the certificate, and the report made of them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version

from anonymizer_gui.engine.core.budget import Budget, amount_text
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import ComposedBudget, group_privacy
from anonymizer_gui.engine.releases.ledger.budget import Spend
from anonymizer_gui.engine.room import Pairs, Rows, Section, Sentences
from anonymizer_gui.engine.rooms.statistics import answers
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.project import Project, protected_by
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.storage.sources import display_name

GROUPS = (2, 5, 10)
"""The sizes of groups whose protection is told."""


def certificate_entries(release: Release, ledger: str) -> dict[str, Json]:
    """Give the room's entries of the certificate.

    The number of rows, the checksum of the source and all that was counted without noise stay out of it.
    """
    project, account = release.project, release.account
    return {
        "unit": {
            "told": str(project.unit),
            "sentence": protected_by(project),
            "surplus": project.surplus,
            "shape": project.shape,
        },
        "plan": _plan(project),
        "answers": [_answer(answer) for answer in release.answers],
        "earlier": [_earlier(spend) for spend in account.spends],
        "accounting": {
            "cost": _total(release.cost),
            "spent": _total(release.spent),
            "total": release.total.to_json(),
            "left": release.left.to_json(),
            "groups": {str(people): _group(release.spent, people) for people in GROUPS},
        },
        "ledger": {"file": ledger, "data": account.subject, "entries": list(release.entries)},
        "resets": [{name: reset[name] for name in ("reason", "created")} for reset in account.resets],
        "source": {"file": display_name(project.source).name if project.source else ""},
        "notes": list(release.notes),
        "noise": {"opendp": _opendp()},
    }


def _plan(project: Project) -> dict[str, Json]:
    return {
        "policy": project.policy,
        "epsilon": amount_text(project.epsilon),
        "delta": amount_text(project.delta),
        "total": amount_text(project.total),
    }


def _answer(answer: Answer) -> dict[str, Json]:
    """Give an answer with its sentences in plain words."""
    said = {"why": str(answer.why), "in_unit": str(answer.in_unit), "notes": [str(note) for note in answer.notes]}
    return {**answers.answer_to_json(answer), **said, "model": None}


def _earlier(spend: Spend) -> Mapping[str, Json]:
    part = None if spend.part is None else list(spend.part)
    return {"unit": spend.unit, "spend": spend.spend.to_json(), "part": part, "created": spend.created}


def _total(total: ComposedBudget) -> dict[str, Json]:
    return {"epsilon": amount_text(total.epsilon), "delta": amount_text(total.delta), "composition": total.way}


def _group(spent: ComposedBudget, people: int) -> dict[str, Json]:
    """Round what has no exact value to the side of caution."""
    together = group_privacy(Budget(epsilon=spent.epsilon, delta=spent.delta), people)
    return {"epsilon": float(together.epsilon), "delta": float(together.delta)}


def _opendp() -> str:
    try:
        return version("opendp")
    except PackageNotFoundError:
        return ""


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


def report_sections(told: Mapping[str, Json]) -> list[Section]:
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
        Section("Earlier releases of the same data", (_report_sections_earlier(told["earlier"]),)),
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


def _report_sections_earlier(spends: Sequence[Mapping[str, Json]]) -> Rows | Sentences:
    if not spends:
        return Sentences(("None is known.",))
    rows = tuple((s["created"], _number(s["spend"]["epsilon"]), _number(s["spend"]["rho"])) for s in spends)
    return Rows(("When", "Epsilon", "Rho"), rows)


def _resets(resets: Sequence[Mapping[str, Json]]) -> Sentences:
    return Sentences(tuple(f"{reset['created']}: {reset['reason']}" for reset in resets) or ("None.",))


def _number(text: str) -> float:
    return float(Fraction(text))
