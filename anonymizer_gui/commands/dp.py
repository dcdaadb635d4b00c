"""Is this differentially private? A small mechanism is proven, refuted with an example, or measured."""

import argparse
import json
import sys

from anonymizer_gui.engine.core.budget import Budget, exact_amount
from anonymizer_gui.engine.dp.checker.check import EXAMPLES, CheckResult, check
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit

NAME = "dp"
HELP = "Check whether a small mechanism is differentially private."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    checking = actions.add_parser("check", help="answer proven, refuted or open")
    checking.add_argument("expression", metavar="EXPRESSION", help='such as "count() + laplace(1)", or an example')
    checking.add_argument("--unit", metavar="UNIT", help="row or change (row, or that of the example)")
    checking.add_argument("--epsilon", metavar="NUMBER", help="the epsilon that is claimed")
    checking.add_argument("--delta", default="0", metavar="NUMBER", help="the delta that is claimed (0)")
    checking.add_argument("--seed", type=int, default=0, metavar="NUMBER", help="seed of the simulated answers")
    checking.add_argument("--json", action="store_true", help="print one JSON object")
    checking.set_defaults(action=_check)
    examples = actions.add_parser("examples", help="list mechanisms to begin with")
    examples.set_defaults(action=_examples)


def run(args: argparse.Namespace) -> int:
    """Do what was chosen."""
    return int(args.action(args))


def _check(args: argparse.Namespace) -> int:
    example = next((each for each in EXAMPLES if each.name == args.expression), None)
    expression = example.expression if example else args.expression
    unit = PrivacyUnit.parse(args.unit) if args.unit else example.unit if example else PrivacyUnit()
    claim = (
        Budget(epsilon=exact_amount(args.epsilon), delta=exact_amount(args.delta)) if args.epsilon is not None else None
    )
    answer = check(expression, unit, claim, seed=args.seed)
    if args.json:
        print(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        sys.stdout.write(_as_text(answer))
    return 0


def _as_text(answer: CheckResult) -> str:
    return "\n".join([f"{answer.verdict}: {answer.expression}", *(f"  {line}" for line in answer.argument)]) + "\n"


def _examples(args: argparse.Namespace) -> int:
    for example in EXAMPLES:
        print(f"{example.name:<22}{example.expression:<52}{example.summary}")
    return 0
