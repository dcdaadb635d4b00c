"""Settings without the data: saved as a recipe, and applied to another table."""

from pathlib import Path

from anonymizer_gui.engine.rooms.microdata.recipe import hierarchies_without_rule
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.apply_recipe import ApplyRecipeDialog
from anonymizer_gui.ui.rooms.microdata.public_values import PublicValuesDialog
from anonymizer_gui.ui.rooms.microdata.recipe_files import apply_recipe, read_recipe, save_recipe
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.open_save import SUFFIX
from anonymizer_gui.workspace.document import Document


def ask_and_save(window: MainWindow) -> None:
    """Ask where to save the settings without the data; first which values are public, where no rule does without."""
    columns = hierarchies_without_rule(window.document.project)
    if not columns:
        _ask_where(window, [])
        return
    words = tr(
        "No rule made these hierarchies, so a recipe can keep them only with all values of their columns, "
        "those of suppressed people too. Tick those whose values everybody may know; the others are left out."
    )
    dialog = PublicValuesDialog(columns, tr("Save as Recipe"), words, tr("Save…"), window)
    dialog.chosen.connect(lambda public: _ask_where(window, public))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _ask_where(window: MainWindow, public: list[str]) -> None:
    document = window.document
    name = document.project.name or tr("Untitled")
    suggestion = Path(window.files.folder()) / f"{name}_recipe{SUFFIX}"
    file_dialogs.ask_save(window, suggestion, lambda path: _drop(save_recipe(document, path, public)))


def ask_and_apply(window: MainWindow) -> None:
    """Ask for a recipe, then which of its columns is which."""
    file_dialogs.ask_recipe(window, window.files.folder(), lambda path: _match(window, path))


def _match(window: MainWindow, path: Path) -> None:
    document = window.document
    recipe = read_recipe(document, path)
    if recipe is None:
        return
    dialog = ApplyRecipeDialog(recipe, document.project.schema, window)
    text = tr("Apply the recipe {name}", name=path.stem)
    dialog.chosen.connect(lambda columns: apply_recipe(document, recipe, columns, text))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _is_not_empty(document: Document) -> bool:
    return not document.is_empty


def _has_table(document: Document) -> bool:
    return document.table is not None


def _drop(_result: object) -> None:
    """Take a result nobody needs."""


ACTIONS = (
    Action(
        "file.save_recipe",
        "Save as Recipe…",
        ask_and_save,
        "File",
        "recipe",
        status_tip="Save the settings without values of the data, for other tables",
        enabled=_is_not_empty,
        reason="There is nothing to save yet.",
    ),
    Action(
        "file.apply_recipe",
        "Apply Recipe…",
        ask_and_apply,
        "File",
        "recipe",
        status_tip="Apply the settings of another project to this table",
        enabled=_has_table,
        reason="Open a table first.",
    ),
)
