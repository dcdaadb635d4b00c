"""Recipes: save, match columns, apply."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Schema, Table
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import save_project
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recipe import apply_recipe as apply_recipe_to
from anonymizer_gui.engine.rooms.microdata.recipe import (
    hierarchies_without_rule,
    load_recipe,
    make_recipe,
    match_columns,
    with_hierarchies,
)
from anonymizer_gui.engine.storage.sources import files_of_sources, refuse_overwrite
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs import file_dialogs
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.shell.open_save import SUFFIX
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines, scroll_column
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.role_chip import role_name
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


class PublicValuesDialog(QDialog):
    """A box for each hierarchy; what is ticked is kept with all of its values."""

    chosen = Signal(object)
    """Carries the columns whose values are public."""

    def __init__(
        self, columns: Sequence[str], title: str, words: str, done: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("public_values")
        self.setWindowTitle(title)
        self._words, self._done = words, done
        self.boxes = {name: name_widget(QCheckBox(_as_text(name)), f"public_{name}") for name in columns}
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._build()

    def ticked(self) -> list[str]:
        """Name the columns whose values are public."""
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def accept(self) -> None:
        """Tell the choice."""
        super().accept()
        self.chosen.emit(self.ticked())

    def _build(self) -> None:
        words = QLabel(self._words, wordWrap=True)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        for box in self.boxes.values():
            rows.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        rows.addStretch(1)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self._done)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(scroll_column(inside), 1)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 32, 18)


def _as_text(name: str) -> str:
    """Show an ampersand as it is: a box would take it for the letter it is reached by."""
    return name.replace("&", "&&")


class ApplyRecipeDialog(QDialog):
    """A box for each column of the recipe, set to the column it seems to be."""

    chosen = Signal(object)
    """Carries the column of the table for each column of the recipe."""

    def __init__(self, recipe: Project, schema: Schema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("apply_recipe")
        self.setWindowTitle(tr("Apply Recipe"))
        self.boxes: dict[str, QComboBox] = {}
        self.note = InlineMessage()
        self._build(recipe, schema)
        self._show_note()

    def columns(self) -> dict[str, str]:
        """Give the choice: the column of the table, or nothing, for each column of the recipe."""
        return {name: box.currentData() for name, box in self.boxes.items()}

    def accept(self) -> None:
        """Tell the choice."""
        super().accept()
        self.chosen.emit(self.columns())

    def _build(self, recipe: Project, schema: Schema) -> None:
        likely = match_columns(recipe, schema)
        inside = QWidget()
        rows = QFormLayout(inside)
        for entry in recipe.schema.columns:
            box = name_widget(QComboBox(), f"column_{entry.name}")
            box.addItem(tr("(none)"), "")
            for column in schema.columns:
                box.addItem(column.name, column.name)
            box.setCurrentIndex(box.findData(likely[entry.name]))
            box.setAccessibleName(tr("Column for {column}", column=entry.name))
            box.currentIndexChanged.connect(lambda _place: self._show_note())
            label = QLabel(f"{entry.name} ({role_name(entry.role)})", textFormat=Qt.TextFormat.PlainText)
            label.setBuddy(box)
            rows.addRow(label, box)
            self.boxes[entry.name] = box
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Apply"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(tr("Each column of the recipe takes its role and hierarchy to:"), wordWrap=True))
        layout.addWidget(scroll_column(inside), 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 32, 28)

    def _show_note(self) -> None:
        used = [name for name in self.columns().values() if name]
        twice = len(used) > len(set(used))
        without = sum(1 for name in self.columns().values() if not name)
        if twice:
            self.note.show_note("bad", tr("Two columns of the recipe go to the same column."))
        else:
            text = tr(
                "{n:column of the recipe has no counterpart and is|columns of the recipe have no counterpart and are} "
                "left out.",
                n=without,
            )
            self.note.show_note("warn", text if without else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(used) and not twice)


def save_recipe_as(window: MainWindow) -> None:
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


def apply_recipe_from(window: MainWindow) -> None:
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
        save_recipe_as,
        "File",
        "recipe",
        status_tip="Save the settings without values of the data, for other tables",
        enabled=_is_not_empty,
        reason="There is nothing to save yet.",
    ),
    Action(
        "file.apply_recipe",
        "Apply Recipe…",
        apply_recipe_from,
        "File",
        "recipe",
        status_tip="Apply the settings of another project to this table",
        enabled=_has_table,
        reason="Open a table first.",
    ),
)
