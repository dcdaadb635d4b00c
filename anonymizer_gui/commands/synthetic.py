"""Draw a synthetic table from noisy counts of columns and pairs of columns: made-up rows, none of them a person."""

import argparse

from anonymizer_gui.commands.options import add_reading_arguments
from anonymizer_gui.commands.statistics import add_model_arguments, run_question
from anonymizer_gui.engine.rooms.statistics.questions.synthetic import WAYS

NAME = "synthetic"
HELP = "Draw a synthetic table with differential privacy; exit 1 when the budget is exhausted."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    add_model_arguments(parser, "the synthetic table: .csv, .xlsx or .parquet")
    parser.add_argument(
        "--target", metavar="COLUMN", help="the column others are to foretell: pairs are a star around it"
    )
    parser.add_argument("--way", choices=list(WAYS), help="which pairs of columns are counted (auto)")
    parser.add_argument(
        "--rows", type=int, metavar="NUMBER", help="how many rows are drawn (about as many as there are)"
    )
    parser.add_argument("--noise", choices=["gaussian", "laplace"], help="laplace needs no delta (gaussian)")
    add_reading_arguments(parser)
    parser.set_defaults(key="", mapping="", before_after="", reason="")


def run(args: argparse.Namespace) -> int:
    """Ask for a synthetic table; return 0."""
    options = {"target": args.target, "way": args.way, "rows": args.rows, "noise": args.noise}
    if args.noise == "laplace":
        args.delta = None
    return run_question(args, ["synthetic", *args.columns], options)
