"""The settings of a document without its data: saved, read, and applied to another table."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import apply_recipe as apply_recipe_to
from anonymizer_gui.engine.rooms.microdata.recipe import (
    hierarchies_without_rule,
    load_recipe,
    make_recipe,
    with_hierarchies,
)
from anonymizer_gui.engine.storage.sources import files_of_sources, refuse_overwrite
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import post_error


def save_recipe(document: Document, path: Path, public: Collection[str] = ()) -> bool:
    """Write the settings without the data, and tell what the file holds; a failure is told and gives false."""
    project = document.project
    own = [*files_of_sources(project.sources().values()), *([document.path] if document.path else [])]
    try:
        refuse_overwrite([path], own)
        save_project(make_recipe(project, public), path)
    except AnonymizerError as error:
        post_error(document.messages, error)
        return False
    _tell_what_is_in_it(document, path, public)
    return True


def _tell_what_is_in_it(document: Document, path: Path, public: Collection[str]) -> None:
    lacking = [name for name in hierarchies_without_rule(document.project) if name not in public]
    if public:
        holds = tr("It holds all values of {columns}, which you called public.", columns=", ".join(public))
    else:
        holds = tr("It holds no value of the table.")
    left_out = tr("Hierarchies that are left out: {columns}.", columns=", ".join(lacking)) if lacking else ""
    document.messages.success(tr("The recipe “{name}” is saved.", name=path.name), f"{holds} {left_out}".strip())


def read_recipe(document: Document, path: Path) -> Project | None:
    """Read a project whose settings are to be applied; a failure is told and gives nothing."""
    try:
        return load_recipe(path)
    except AnonymizerError as error:
        post_error(document.messages, error)
        return None


def apply_recipe(document: Document, recipe: Project, columns: Mapping[str, str], text: str) -> None:
    """Take over the settings of a recipe as one step that can be undone; hierarchies are made in the background."""
    project, table = apply_recipe_to(document.project, recipe, columns), document.table
    if not project.rules or table is None:
        document.take(project, text)
        return

    def done(made: dict[str, Hierarchy]) -> None:
        if document.table is table:
            now = apply_recipe_to(document.project, recipe, columns)
            document.take(replace(now, hierarchies={**now.hierarchies, **made}, rules={}), text)

    document.jobs.start(text, _made, project, table, on_done=done, replace_key="apply recipe")


def _made(project: Project, table: Table, progress: Progress) -> dict[str, Hierarchy]:
    """Make the hierarchies of which the recipe holds the rule."""
    trees = with_hierarchies(project, table, progress).hierarchies
    return {name: tree for name, tree in trees.items() if name in project.rules}
