"""What every dialog must do: fit a small screen, name its controls, look like the rest; none is forgotten."""

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox
from pytestqt.qtbot import QtBot

from anonymizer_gui import ui
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema, ColumnType
from anonymizer_gui.engine.dp.accountant import compose
from anonymizer_gui.engine.hierarchy.builders.numbers import Intervals
from anonymizer_gui.engine.hierarchy.files import read_hierarchies
from anonymizer_gui.engine.releases.ledger.budget import BudgetAccount
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.policies.safe_harbor import PostalAreas
from anonymizer_gui.engine.rooms.statistics.cost_preview import BudgetState
from anonymizer_gui.engine.storage.sources import parse_address
from anonymizer_gui.ui.dialogs.about import AboutDialog, LogDialog
from anonymizer_gui.ui.dialogs.database_dialogs import PasswordDialog
from anonymizer_gui.ui.dialogs.help_window import HelpWindow
from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog
from anonymizer_gui.ui.dialogs.preferences import PreferencesDialog, ShortcutsDialog
from anonymizer_gui.ui.hierarchies.builder_dialog import BuilderDialog
from anonymizer_gui.ui.hierarchies.library import HierarchyLibrary, LibraryDialog, SaveDialog
from anonymizer_gui.ui.hierarchies.sources import FolderImportDialog
from anonymizer_gui.ui.hierarchies.tree_commands import NodeSelection
from anonymizer_gui.ui.hierarchies.tree_editor import SplitIntervalDialog, TopBottomCodingDialog
from anonymizer_gui.ui.release.page import ScriptDialog
from anonymizer_gui.ui.release.release_history import ReleaseHistoryDialog
from anonymizer_gui.ui.release.verify_dialog import VerifyDialog
from anonymizer_gui.ui.rooms.baskets.data_page import OpenBasketsDialog
from anonymizer_gui.ui.rooms.baskets.protect_page import HierarchyComparisonDialog
from anonymizer_gui.ui.rooms.microdata.data.prepare_dialog import PrepareDialog
from anonymizer_gui.ui.rooms.microdata.out_of_core import OutOfCoreDialog
from anonymizer_gui.ui.rooms.microdata.output_panel import ApproveColumnsDialog
from anonymizer_gui.ui.rooms.microdata.policy_page import PolicyRuleDialog
from anonymizer_gui.ui.rooms.microdata.protect.batch_runs import GoalSweepDialog, SetAlternativesDialog
from anonymizer_gui.ui.rooms.microdata.recipes import ApplyRecipeDialog, PublicValuesDialog
from anonymizer_gui.ui.rooms.microdata.release_texts import ours
from anonymizer_gui.ui.rooms.places.data_page import OpenPlacesDialog
from anonymizer_gui.ui.rooms.statistics.unit_page import ResetBudgetDialog
from anonymizer_gui.ui.shell.command_palette import CommandPalette
from anonymizer_gui.ui.shell.main_window import MainWindow
from anonymizer_gui.ui.widgets.sweep import ParameterSweepDialog
from anonymizer_gui.workspace.document import Document
from tests.ui.controls import low_labels, nameless, narrow_buttons

SAMPLES = resource_path("samples")


def library_in(window: MainWindow, folder: Path) -> HierarchyLibrary:
    library = HierarchyLibrary(folder)
    library.save("Ages", window.document.project.hierarchies["Age"])
    return library


def an_interval() -> NodeSelection:
    ages = Intervals().build(Column.from_texts("Age", map(str, range(100))), ColumnSchema("Age", ColumnType.INTEGER))
    return NodeSelection("Age", ages, (next(node for node in ages.intervals if node),))


def four_customers(window: MainWindow) -> Document:
    """Give a document of the room of baskets that lives as long as the window."""
    document = Document(inline_jobs=True)
    document.setParent(window)
    document.open_project(SAMPLES / "four_customers.anon", as_copy=True)
    return document


MAKERS: dict[type[QDialog], Callable[[MainWindow, Path], QDialog]] = {
    AboutDialog: lambda window, _: AboutDialog(window),
    ApproveColumnsDialog: lambda window, _: ApproveColumnsDialog(
        ["ward", "note"], {"note": "Every value is there once."}, window
    ),
    ApplyRecipeDialog: lambda window, _: ApplyRecipeDialog(
        window.document.project, window.document.project.schema, window
    ),
    ScriptDialog: lambda window, _: ScriptDialog("As Script", "print()", "x.py", window),
    BuilderDialog: lambda window, _: BuilderDialog(window.document, window.document.table.column("Age"), window),
    CommandPalette: lambda window, _: CommandPalette(window.commands, window),
    ReleaseHistoryDialog: lambda window, _: ReleaseHistoryDialog(window.document, window),
    FolderImportDialog: lambda window, _: FolderImportDialog(
        read_hierarchies(SAMPLES / "lecture_hierarchies", ["Age", "Zip"], window.document.table), "x", window
    ),
    HelpWindow: lambda window, _: HelpWindow("en", window),
    ImportTableDialog: lambda window, _: ImportTableDialog(window.document, str(SAMPLES / "hospital.csv"), window),
    LibraryDialog: lambda window, folder: LibraryDialog(
        window.document, library_in(window, folder), window.document.table.column("Age"), window
    ),
    TopBottomCodingDialog: lambda window, _: TopBottomCodingDialog(an_interval(), window),
    LogDialog: lambda window, _: LogDialog(window.logbook, window),
    PublicValuesDialog: lambda window, _: PublicValuesDialog(["Age", "Zip"], "Public Values", "Tick.", "OK", window),
    OutOfCoreDialog: lambda window, _: OutOfCoreDialog(ours(window.document), window),
    OpenPlacesDialog: lambda window, _: OpenPlacesDialog(window.document, str(SAMPLES / "town.csv"), window),
    ParameterSweepDialog: lambda window, _: ParameterSweepDialog([("k", params_of(KAnonymity)[0])], window),
    PrepareDialog: lambda window, _: PrepareDialog(
        window.document, window.document.project.source, window.document.table.names, window
    ),
    OpenBasketsDialog: lambda window, _: OpenBasketsDialog(window.document, str(SAMPLES / "market.basket"), window),
    PasswordDialog: lambda window, _: PasswordDialog(parse_address("postgresql://ada@db.example/people"), window),
    PreferencesDialog: lambda window, _: PreferencesDialog(window.settings, window),
    ResetBudgetDialog: lambda window, _: ResetBudgetDialog(
        BudgetState(Budget(), compose([]), Budget(), None, BudgetAccount("")), window
    ),
    PolicyRuleDialog: lambda window, _: PolicyRuleDialog(PostalAreas(), window.document.table.names, window),
    SetAlternativesDialog: lambda window, _: SetAlternativesDialog(ours(window.document), window),
    SaveDialog: lambda window, folder: SaveDialog(library_in(window, folder), "Ages", window),
    ShortcutsDialog: lambda window, _: ShortcutsDialog(window.commands, window.settings, window),
    SplitIntervalDialog: lambda window, _: SplitIntervalDialog(an_interval(), window),
    GoalSweepDialog: lambda window, _: GoalSweepDialog(window.document.project.goals, window),
    HierarchyComparisonDialog: lambda window, _: HierarchyComparisonDialog(four_customers(window), window),
    VerifyDialog: lambda window, folder: VerifyDialog(window.document, folder / "missing.csv", window),
}
every_dialog = pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)


@pytest.fixture
def shown(
    qtbot: QtBot, lecture_document: Document, make_window: Callable[[Document], MainWindow], tmp_path: Path
) -> Callable[[type[QDialog]], QDialog]:
    """Give a function that shows a dialog over the window."""

    def show(kind: type[QDialog]) -> QDialog:
        dialog = MAKERS[kind](make_window(lecture_document), tmp_path)
        dialog.show()
        qtbot.waitExposed(dialog)
        QApplication.processEvents()
        return dialog

    return show


def test_no_dialog_is_forgotten_here() -> None:
    found: set[type[QDialog]] = set()
    for entry in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        module = importlib.import_module(entry.name)
        found |= {
            kind
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, QDialog) and kind.__module__ == entry.name
            if not any(getattr(member, "__isabstractmethod__", False) for member in vars(kind).values())
        }
    assert {kind.__name__ for kind in found} <= {kind.__name__ for kind in MAKERS}


def foreign_icons(dialog: QDialog) -> list[str]:
    """List the buttons in the rows at the end that bear an icon of the desktop."""
    buttons = [button for box in dialog.findChildren(QDialogButtonBox) for button in box.buttons()]
    return [button.text() for button in buttons if not button.icon().isNull()]


@every_dialog
def test_a_dialog_fits_the_smallest_window_has_a_title_and_names_and_no_foreign_icons(
    kind: type[QDialog], shown: Callable[[type[QDialog]], QDialog]
) -> None:
    dialog = shown(kind)
    assert dialog.size().boundedTo(QSize(1024, 700)) == dialog.size()
    assert dialog.windowTitle()
    assert nameless(dialog) == []
    assert foreign_icons(dialog) == []


@every_dialog
def test_a_dialog_with_large_letters_fits_a_screen_and_cuts_nothing_off(
    kind: type[QDialog], shown: Callable[[type[QDialog]], QDialog], large_letters: None
) -> None:
    dialog = shown(kind)
    assert dialog.minimumSizeHint().width() <= 1024
    assert dialog.minimumSizeHint().height() <= 700
    assert narrow_buttons(dialog) == []
    assert low_labels(dialog) == []
