"""Ways out for tables with sets on the command line: larger classes, m = 1, two unlinked files, each with its loss."""

import argparse
import sys
from typing import Any

from anonymizer_gui.commands.showing import shown_progress
from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import KKm
from anonymizer_gui.engine.rooms.microdata.project import POPULATION, TABLE, Project
from anonymizer_gui.engine.rooms.microdata.sweep import SetAlternative, run_set_alternatives

_HEADS = ("way", "exposed", "LM of classes", "LM of sets")


def add_offer_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--offers`."""
    parser.add_argument(
        "--offers",
        action="store_true",
        help="with sets: run larger classes, m = 1 and two unlinked files, too, and tell what each exposes and loses",
    )


def check_offers(project: Any) -> None:
    """Raise BadParameter where ways out are asked for and there are no sets."""
    if not isinstance(project, Project) or not project.schema.sets:
        raise BadParameter("No quasi-identifier is a set, so there is nothing to offer.", "Leave out --offers.")


def point_to_offers(exposed: int) -> dict[str, Json]:
    """Say that there are ways out, where rows are exposed and nobody asked for them."""
    if exposed:
        sys.stderr.write("--offers tells what larger classes, m = 1 or two unlinked files would lose.\n")
    return {}


def offers_told(args: argparse.Namespace, project: Project, files: Files) -> dict[str, Json]:
    """Run every way and tell it.

    They are told before anything is written: a release that exposes rows does not leave without a reason.
    """
    with shown_progress() as progress:
        ways = run_set_alternatives(files[TABLE], project, files.get(POPULATION), progress)
    if not args.json:
        sys.stdout.write(_as_text(ways))
    return {"offers": [_as_json(way) for way in ways]}


def _as_json(way: SetAlternative) -> dict[str, Json]:
    goal = next(goal for goal in way.project.goals if isinstance(goal, KKm))
    return {
        "way": str(way.title),
        "k": goal.k,
        "m": goal.m,
        "rows": goal.least_rows(),
        "where": goal.where,
        "exposed": None if way.exposed is None else way.exposed.to_json(),
        "lm_classes": way.of_classes,
        "lm_sets": way.of_sets,
        "problem": None if way.problem is None else str(way.problem),
    }


def _as_text(ways: tuple[SetAlternative, ...]) -> str:
    width = 2 + max(len(way.title) for way in ways)
    lines = [_line(_HEADS, width)]
    for way in ways:
        shown = (
            "-" if way.exposed is None else f"{way.exposed.rows:,} ({way.exposed.share:.1%})",
            *("-" if lost is None else f"{lost:.4f}" for lost in (way.of_classes, way.of_sets)),
        )
        lines.append(_line((way.title, *shown), width) + (f"  {way.problem}" if way.problem else ""))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _line(texts: tuple[str, ...], width: int) -> str:
    return f"{texts[0]:<{width}}" + "".join(f"{text:<16}" for text in texts[1:])
