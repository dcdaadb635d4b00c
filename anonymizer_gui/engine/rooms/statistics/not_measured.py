"""The entries of a certificate of statistics that no published file can confirm, and what they are."""

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.rooms.statistics.expected import (
    IN_THE_FILE,
    Entries,
    Files,
    has_cells,
    is_shared_out,
    uses_delta,
)

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
