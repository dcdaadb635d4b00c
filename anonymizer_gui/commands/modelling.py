"""What `synthetic` and `learn` share: they ask one question of the room of statistics, with options of their own."""

import argparse
import re

from anonymizer_gui.commands import statistics
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import SURPLUS
from anonymizer_gui.engine.rooms.statistics.question import quote_word

USUAL_DELTA = "1e-9"
_SEVERAL = re.compile(r"=.*\s\S+=")
_FIELDS = (
    "A column is written with its public values, which are never taken from the data: sex=F|M for names, "
    "age=17..90/20 for numbers in twenty bins, day=2024-01-01..2024-12-31/12 for days; alone, as in education, its "
    "hierarchy says which values there are."
)


def add_model_arguments(parser: argparse.ArgumentParser, output: str) -> None:
    """Declare what both commands can be told."""
    parser.epilog = _FIELDS
    parser.add_argument("table", metavar="TABLE", help="the table about people")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help=output)
    parser.add_argument("--columns", nargs="+", default=[], metavar="COLUMN[=VALUES]", help="the columns, see below")
    parser.add_argument("--hierarchies", metavar="DIR", help="folder of hierarchies, whose leaves are public values")
    parser.add_argument("--epsilon", metavar="NUMBER", help="what it may spend (1)")
    parser.add_argument("--delta", metavar="NUMBER", default=USUAL_DELTA, help=f"chance of failure ({USUAL_DELTA})")
    parser.add_argument("--unit", metavar="UNIT", help="who is protected: row, change or person=COLUMN:ROWS (row)")
    parser.add_argument("--surplus", choices=list(SURPLUS), help="which rows of a person are kept (sampled)")
    parser.add_argument("--ledger", metavar="FILE", help="ledger of budgets, where the spend is written first")
    parser.add_argument("--budget", metavar="NUMBER", help="epsilon of all releases together, when the ledger is new")
    parser.add_argument("--sign", metavar="FILE", help="sign the certificate with this key; `keys new` makes one")
    parser.add_argument("--pdf", action="store_true", help="print the report to PDF, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run_question(args: argparse.Namespace, words: list[str], options: dict[str, object]) -> int:
    """Ask one question of the room and write what it makes."""
    if not args.columns:
        raise BadParameter("No column is named.", "Name them with --columns, each with its values.")
    for word in args.columns:
        if _SEVERAL.search(word):  # taken for one column, it would spend the budget on values nobody has
            raise BadParameter(
                f"“{word[:60]}” names several columns at once.", "Put quotes around each of them, not around all."
            )
    told = [f"{name}={quote_word(str(value))}" for name, value in options.items() if value not in (None, "")]
    ask = " ".join([*map(quote_word, words), *(["with", *told] if told else [])])
    asked = {"ask": [ask], "plan": None, "policy": None, "shape": "table", "engine": ""}
    return statistics.run(argparse.Namespace(**{**vars(args), **asked}))
