"""Learn a model with noise in every step, and write it as plain JSON with the lines of Python that apply it."""

import argparse

from anonymizer_gui.commands.options import add_reading_arguments
from anonymizer_gui.commands.statistics import add_model_arguments, run_question
from anonymizer_gui.engine.rooms.statistics.questions.learning import KINDS

NAME = "learn"
HELP = "Learn a model with differential privacy (DP-SGD); exit 1 when the budget is exhausted."
_NUMBERS = {
    "hidden": (int, "units of the hidden layer (8)"),
    "epochs": (int, "how often each row is seen on average (20)"),
    "rate": (float, "the chance of a row to be seen in a step (0.05)"),
    "speed": (float, "the learning rate (8)"),
    "clip": (float, "the longest gradient of a row (1)"),
    "apart": (float, "the share of rows that only measure the model (0.2)"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    add_model_arguments(parser, "the model: .json; with .csv its measures, and the model beside them")
    parser.add_argument("--target", required=True, metavar="COLUMN[=A|B]", help="what is foretold, with its values")
    parser.add_argument("--kind", choices=list(KINDS), help="logistic regression, or one hidden layer (logistic)")
    for name, (kind, words) in _NUMBERS.items():
        parser.add_argument(f"--{name}", type=kind, metavar="NUMBER", help=words)
    add_reading_arguments(parser)
    parser.set_defaults(key="", mapping="", before_after="", reason="")


def run(args: argparse.Namespace) -> int:
    """Ask for a model, which takes all of the delta; return 0."""
    options = {name: getattr(args, name) for name in ("kind", *_NUMBERS)}
    return run_question(args, ["learn", args.target, *args.columns], {**options, "delta": args.delta})
