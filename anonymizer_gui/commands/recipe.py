"""Save the settings of a project for other tables, without the values of its own."""

import argparse
import sys
from pathlib import Path

from anonymizer_gui.engine.core.messages import message, quote
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.rooms.microdata.recipe import hierarchies_without_rule, load_recipe, make_recipe
from anonymizer_gui.engine.storage.sources import files_of_sources, refuse_overwrite

NAME = "recipe"
HELP = "Save the settings of a project without the values of its table; `run RECIPE --table TABLE` applies them."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be said on the command line."""
    parser.add_argument("project", metavar="PROJECT", help="a saved project (.anon)")
    parser.add_argument("-o", "--output", required=True, metavar="RECIPE", help="where to write it")
    parser.add_argument(
        "--public",
        action="append",
        default=[],
        metavar="COLUMN",
        help="keep the hierarchy of this column with all of its values: everybody may know that they occur",
    )


def run(args: argparse.Namespace) -> int:
    """Write the recipe, and say which hierarchies it lacks; return 0."""
    path, output = Path(args.project), Path(args.output)
    project = load_recipe(path)
    refuse_overwrite([output], [path, *files_of_sources(project.sources().values())])
    save_project(make_recipe(project, args.public), output)
    lacking = [name for name in hierarchies_without_rule(project) if name not in args.public]
    if lacking:
        print(
            message(
                "Left out, as no rule makes them and they list values of the table: the hierarchies of {names}.",
                names=quote(lacking),
            ),
            "Add --public COLUMN for each whose values everybody may know.",
            sep="\n",
            file=sys.stderr,
        )
    sys.stdout.write(f"{output}\n")
    return 0
