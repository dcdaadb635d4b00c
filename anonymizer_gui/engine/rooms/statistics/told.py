"""What the certificate tells of a release: unit, questions, noise and accounting; nothing counted without noise."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from anonymizer_gui.engine.core.budget import Budget, amount_text
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.accountant import ComposedBudget, group_privacy
from anonymizer_gui.engine.releases.ledger.budget import Spend
from anonymizer_gui.engine.rooms.statistics import answer_json
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.release import Release
from anonymizer_gui.engine.rooms.statistics.shape import protected_by
from anonymizer_gui.engine.storage.sources import display_name

GROUPS = (2, 5, 10)
"""The sizes of groups whose protection is told."""


def told_of(release: Release, ledger: str) -> dict[str, Json]:
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
    return {**answer_json.to_json(answer), **said, "model": None}


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
