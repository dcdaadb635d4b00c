"""The settings of a document without its data: saved, read, and applied to another table."""

from collections.abc import Mapping
from pathlib import Path

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.projects.project_file import load_project, save_project
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import applied, recipe_of
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import tell_error


def save_recipe(document: Document, path: Path) -> bool:
    """Write the settings without the data; a failure is told and gives false."""
    try:
        save_project(recipe_of(document.project), path)
    except AnonymizerError as error:
        tell_error(document.messages, error)
        return False
    return True


def read_recipe(document: Document, path: Path) -> Project | None:
    """Read a project whose settings are to be applied; a failure is told and gives nothing."""
    try:
        recipe: Project = load_project(path)
    except AnonymizerError as error:
        tell_error(document.messages, error)
        return None
    return recipe


def apply_recipe(document: Document, recipe: Project, columns: Mapping[str, str], text: str) -> None:
    """Take over the settings of a recipe as one step that can be undone."""
    document.take(applied(document.project, recipe, columns), text)
