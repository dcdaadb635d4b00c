"""Options for algorithms, made from their declarations: one per parameter, and `--set` for any of them."""

import argparse
import contextlib
from collections.abc import Collection

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Param, from_texts, params_of
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS, Algorithm
from anonymizer_gui.engine.rooms.microdata.new_project import DEFAULT_ALGORITHM

_PREFIX = "algorithm "


def add_algorithm_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--algorithm`, one option per parameter of any algorithm, and `--set name=value`."""
    options = parser.add_argument_group("algorithm", "Parameters an algorithm does not have are refused.")
    names = f"one of {', '.join(ALGORITHMS.names())}; {DEFAULT_ALGORITHM} when left out"
    options.add_argument("--algorithm", default=DEFAULT_ALGORITHM, metavar="NAME", help=names)
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
    made = from_texts(declared, given)
    _refuse_what_does_not_count(made, given)
    return made


def _refuse_what_does_not_count(made: Algorithm, given: Collection[str]) -> None:
    """Refuse an option that the others leave without effect, rather than to ignore it."""
    declared = {param.name: param for param in params_of(type(made))}
    for name in given:
        if (condition := declared[name].when) is not None and getattr(made, condition[0]) != condition[1]:
            raise BadParameter(
                message(
                    "{option} counts only with {other} {value}.",
                    option=option_name(name),
                    other=option_name(condition[0]),
                    value=condition[1],
                ),
                "Give both, or leave it out.",
            )


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
