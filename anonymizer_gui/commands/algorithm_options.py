"""Options for algorithms, made from their declarations: one per parameter, and `--set` for any of them."""

import argparse
import contextlib

from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.params import Param, from_texts, params_of
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.microdata.beginning import USUAL_ALGORITHM

_PREFIX = "algorithm "


def add_algorithm_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--algorithm`, one option per parameter of any algorithm, and `--set name=value`."""
    options = parser.add_argument_group("algorithm", "Parameters an algorithm does not have are refused.")
    names = f"one of {', '.join(ALGORITHMS.names())}; {USUAL_ALGORITHM} when left out"
    options.add_argument("--algorithm", default=USUAL_ALGORITHM, metavar="NAME", help=names)
    options.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="set any parameter")
    for name, declared in _declared().items():
        told = "; ".join(f"{title}: {p.help} ({p.kind.rule()})" for title, p in declared)
        metavar = declared[0][1].label.upper().replace(" ", "_")
        with contextlib.suppress(argparse.ArgumentError):  # the name means something else here; --set is left
            options.add_argument(option_name(name), dest=_PREFIX + name, metavar=metavar, help=told.replace("%", "%%"))


def algorithm_from(args: argparse.Namespace) -> Algorithm:
    """Make the algorithm from the options given; raises BadParameter."""
    declared = ALGORITHMS.get(args.algorithm)
    given = {
        name.removeprefix(_PREFIX): str(text)
        for name, text in vars(args).items()
        if name.startswith(_PREFIX) and text is not None
    }
    for pair in args.set:
        name, equals, text = pair.partition("=")
        if not equals:
            raise BadParameter("--set needs NAME=VALUE.", "For example --set stop=first-level.")
        given[name.strip().replace("-", "_")] = text
    return from_texts(declared, given)


def option_name(parameter: str) -> str:
    """Name the option of a parameter.

    >>> option_name("empty_child")
    '--empty-child'
    """
    return "--" + parameter.replace("_", "-")


def _declared() -> dict[str, list[tuple[str, Param]]]:
    found: dict[str, list[tuple[str, Param]]] = {}
    for algorithm in ALGORITHMS:
        for declared in params_of(algorithm):
            found.setdefault(declared.name, []).append((algorithm.name, declared))
    return found
