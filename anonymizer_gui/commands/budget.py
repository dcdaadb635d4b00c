"""Look into a ledger of budgets, let a data set begin anew, or compare a release with it."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.errors import BadParameter, UnreadableFile
from anonymizer_gui.engine.dp.accountant import compose
from anonymizer_gui.engine.releases.certificate import read_certificate
from anonymizer_gui.engine.releases.interrupted_export import find_certificate
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount, BudgetLedger
from anonymizer_gui.engine.rooms.statistics.verification import ledger_differences

NAME = "budget"
HELP = "Show what was spent on which data, or reset it with a reason."
_SHORT = 12
_SAME, _DIFFERENT = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    show = actions.add_parser("show", help="tell what was spent and what is left")
    show.add_argument("ledger", metavar="LEDGER", type=Path, help="the ledger of budgets")
    show.add_argument("--json", action="store_true", help="print one JSON object")
    show.set_defaults(action=_show)
    reset = actions.add_parser("reset", help="let a data set begin anew; the reason is kept")
    reset.add_argument("ledger", metavar="LEDGER", type=Path, help="the ledger of budgets")
    reset.add_argument("--reason", default="", help="why what was spent does not count any more")
    reset.add_argument("--data", default="", metavar="FINGERPRINT", help="which data set, by the beginning of its name")
    reset.set_defaults(action=_reset)
    check = actions.add_parser(
        "check", help="compare the certificate of a release with the ledger; exit 1 if they differ"
    )
    check.add_argument("ledger", metavar="LEDGER", type=Path, help="the ledger of budgets")
    check.add_argument("release", metavar="RELEASE", type=Path, help="the released file")
    check.set_defaults(action=_check)


def run(args: argparse.Namespace) -> int:
    """Do what was chosen."""
    return int(args.action(args))


def _show(args: argparse.Namespace) -> int:
    told = [describe_account(account) for account in _ledger(args.ledger).accounts()]
    if args.json:
        print(json.dumps({"ledger": str(args.ledger), "data": told}, ensure_ascii=False))
        return 0
    for entry in told:
        print(f"{entry['data'][:_SHORT]}  {entry['unit'] or 'nothing asked yet'}")
        left = f"{entry['left']:g} left, delta {entry['delta']:g}"
        print(f"  epsilon {entry['spent']:g} of {entry['total']:g} spent, {left}")
        for spend in entry["spends"]:
            print(f"  {spend['created']}  epsilon {spend['epsilon']:g}  rho {spend['rho']:g}  {spend['ask']}")
        for reset in entry["resets"]:
            print(f"  {reset['created']}  reset: {reset['reason']}")
    return 0


def describe_account(account: BudgetAccount) -> dict[str, Any]:
    """Tell what was spent on one data set and what is left."""
    allowed = 0.0 if account.total is None else float(account.total.epsilon)
    spent = compose(account.charged(), account.total.delta) if account.total is not None else None
    return {
        "data": account.subject,
        "unit": str(account.unit or ""),
        "total": allowed,
        "spent": float(spent.epsilon) if spent else 0.0,
        "left": float(account.total.epsilon - spent.epsilon) if account.total is not None and spent else 0.0,
        "delta": float(spent.delta) if spent else 0.0,
        "composition": spent.way if spent else "basic",
        "spends": [
            {
                "created": spend.created,
                "ask": spend.ask,
                "epsilon": float(spend.spend.epsilon),
                "rho": float(spend.spend.rho),
                "part": spend.part,
            }
            for spend in account.spends
        ],
        "resets": [{"created": reset["created"], "reason": reset["reason"]} for reset in account.resets],
    }


def _reset(args: argparse.Namespace) -> int:
    ledger = _ledger(args.ledger)
    found = [account.subject for account in ledger.accounts() if account.subject.startswith(args.data)]
    if len(found) != 1:
        raise BadParameter(
            f"The ledger knows {len(found)} such data sets.", "Name one with --data; `budget show` lists them."
        )
    ledger.reset(found[0], args.reason)
    sys.stdout.write(f"{found[0][:_SHORT]} begins anew.\n")
    return 0


def _check(args: argparse.Namespace) -> int:
    told, is_unchanged = read_certificate(find_certificate(args.release))
    if told.get("room") != "statistics":
        raise BadParameter("The release spends no budget.", "Choose a release of statistics.")
    found = [] if is_unchanged else ["The certificate has been changed since it was written."]
    found += ledger_differences(told, _ledger(args.ledger))
    for difference in found or ["The ledger knows every spend of the release."]:
        print(difference)
    return _DIFFERENT if found else _SAME


def _ledger(path: Path) -> BudgetLedger:
    if not path.is_file():
        raise UnreadableFile(f"There is no ledger “{path.name}”.", "Check the name and the folder.")
    return BudgetLedger(path)
