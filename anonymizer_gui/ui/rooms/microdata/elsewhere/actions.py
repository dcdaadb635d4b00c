"""What the menus offer about running elsewhere."""

from anonymizer_gui.engine.rooms.microdata.out_of_core.run import OutOfCoreResult
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument, ours
from anonymizer_gui.ui.rooms.microdata.elsewhere.dialog import ElsewhereDialog
from anonymizer_gui.ui.rooms.microdata.elsewhere.wish import Wish, fulfil
from anonymizer_gui.ui.rooms.microdata.protect.obstacles import run_obstacle
from anonymizer_gui.ui.shell.main_window import MainWindow


def ask_and_run(window: MainWindow) -> None:
    """Ask which engine is to do it, then let it."""
    document = ours(window.document)
    dialog = ElsewhereDialog(document, window)
    dialog.chosen.connect(lambda wish: run_wish(document, wish))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def run_wish(document: MicrodataDocument, wish: Wish) -> None:
    """Run the project on an engine in the background; to cancel it really stops what it does."""
    document.jobs.start(
        tr("Run on {engine}", engine=wish.engine),
        fulfil,
        wish,
        document.project,
        document.population,
        document.safeguards,
        document.path,
        on_done=lambda done: _tell(document, done),
        replace_key="run elsewhere",
    )


def _tell(document: MicrodataDocument, done: OutOfCoreResult) -> None:
    notes = " ".join(tr(note) for note in done.release.notes)
    document.messages.success(
        tr("“{name}” is written and verified: {what}.", name=done.exported.path.name, what=tr(done.release.sentence())),
        notes,
    )


ACTIONS = (
    Action(
        "protect.run_elsewhere",
        "Run Elsewhere…",
        ask_and_run,
        "Protect",
        "run",
        status_tip="Run the same settings on DuckDB or a Spark cluster, for tables that memory does not hold",
        enabled=lambda document: not run_obstacle(ours(document)),
        reason="Mark quasi-identifiers, add a goal and choose an algorithm first.",
    ),
)
