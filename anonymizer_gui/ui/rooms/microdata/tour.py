"""One neighbour is found in the table by what everybody on her street knows."""

import tempfile
from collections import Counter
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget

from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.hierarchy.fit import count_usage
from anonymizer_gui.engine.rooms.microdata.algorithms.best_loss.best_loss import BestLoss
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp
from anonymizer_gui.engine.rooms.microdata.algorithms.mondrian import Mondrian
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.km_anonymity import CLASSES, TABLE, KKm
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.release.verify_dialog import VerifyDialog
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
from anonymizer_gui.ui.shell.main_window import MainWindow

_KNOWN = ("zip", "birth_date", "sex")

_FOUND_OUT = "diagnosis"

_WOMAN = "F"


def neighbour_step() -> TourStep:
    """Show her row, and nothing else."""
    return TourStep(
        "neighbour",
        tr("A neighbour"),
        tr("Taking the names away is not enough."),
        _show_her,
        "data_table",
        tell=_tell,
        leave=_show_all,
        again=_show_her,
    )


def singled_out(table: Table) -> int:
    """Give the first woman whose postal code, birthday and sex nobody else in the table has."""
    known = list(zip(*(table.column(name).texts() for name in _KNOWN), strict=True))
    alike = Counter(known)
    return next(row for row, cells in enumerate(known) if cells[-1] == _WOMAN and alike[cells] == 1)


def _show_her(window: MainWindow) -> None:
    window.go_to("data")
    page, table = window.pages.page("data"), window.document.table
    if isinstance(page, DataPage) and table is not None:
        page.show_rows((singled_out(table),), _FOUND_OUT)


def _show_all(window: MainWindow) -> None:
    page = window.pages.page("data") if window.document.room == FIRST_ROOM else None
    if isinstance(page, DataPage):
        page.show_rows(())


def _tell(window: MainWindow) -> str:
    table = window.document.table
    if table is None:
        return ""
    row = singled_out(table)
    cells = {name: table.column(name).texts()[row] for name in (*_KNOWN, _FOUND_OUT)}
    return tr(
        "We know a neighbour’s postal code {zip}, her birthday {birth_date} and that she is a woman: one row of "
        "{rows} fits. Now we know her diagnosis, too: {diagnosis}.",
        rows=format_integer(table.n_rows),
        **cells,
    )


_COLUMN, _NODE, _FROM, _TO = "nationality", "Greek", "Southern Europe", "Eastern Europe"


def drag_step() -> TourStep:
    """Drag a nationality to another region; leaving the stop takes it back."""
    return TourStep(
        "drag",
        tr("Drag a node"),
        tr("“{node}” is dragged from “{group}” to “{other}”.", node=_NODE, group=_FROM, other=_TO),
        _drag,
        "hierarchy_tree",
        tell=_drag_tell,
        leave=_take_back,
    )


def _drag(window: MainWindow) -> None:
    window.go_to("hierarchies")
    page = window.pages.page("hierarchies")
    if not isinstance(page, HierarchiesPage):
        return
    page.choose(_COLUMN)
    model = page.editor.tree.hierarchy_model
    if page.hierarchy is not None:
        nodes = page.hierarchy.node_of_label
        dragged = model.mimeData([model.index_of(nodes[_NODE])])
        model.dropMimeData(dragged, Qt.DropAction.MoveAction, -1, 0, model.index_of(nodes[_TO]))
        page.editor.tree.scrollTo(page.editor.tree.currentIndex())


def _take_back(window: MainWindow) -> None:
    if _is_moved(window):
        window.document.undo_stack.undo()


def _is_moved(window: MainWindow) -> bool:
    tree = window.document.project.hierarchies.get(_COLUMN) if window.document.room == FIRST_ROOM else None
    return tree is not None and tree.labels[tree.parents[tree.node_of_label[_NODE]]] == _TO


def _drag_tell(window: MainWindow) -> str:
    table, project = window.document.table, window.document.project
    if table is None or not _is_moved(window):
        return ""
    tree = project.hierarchies[_COLUMN]
    rows = count_usage(table.column(_COLUMN), tree, project.schema.column(_COLUMN)).rows
    moved, now = int(rows[tree.node_of_label[_NODE]]), int(rows[tree.node_of_label[_TO]])
    return tr(
        "{moved:row moves|rows move} with it: “{other}” has {now} instead of {before}. Ctrl+Z takes it back.",
        moved=moved,
        other=_TO,
        now=format_integer(now),
        before=format_integer(now - moved),
    )


_K, _L = 3, 3

_ATTACK = "homogeneity"


def attack_steps() -> tuple[TourStep, ...]:
    """Protect by k alone, run, attack; ask for diversity, run, attack again."""
    return (*_by_k_alone(), *_by_diversity())


def _by_k_alone() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "protect",
            tr("Protect"),
            tr(
                "We ask that every row looks like at least {others} others: our neighbour hides among them.",
                others=_K - 1,
            ),
            _ask_for_k,
            "goal_k",
        ),
        TourStep(
            "result",
            tr("Result"),
            tr("After a run the figures say in words how the release stands, before anything leaves the house."),
            _run,
            "result_figures",
        ),
        TourStep(
            "attack",
            tr("Attack: k is not enough"),
            tr(
                "Nobody can tell the rows of a class apart. "
                "But where all of them have the same diagnosis, one need not."
            ),
            _attack,
            "attack_bench",
            tell=_tell_hits,
        ),
    )


def _by_diversity() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "diversity",
            tr("Diversity"),
            tr("So every class must also have {l} different diagnoses. We add that goal and run again.", l=_L),
            _ask_for_diversity,
            f"goal_{DistinctLDiversity.name}",
        ),
        TourStep(
            "attack_again",
            tr("Attack again"),
            tr("The same attack on the new release."),
            _attack,
            "attack_bench",
            tell=_tell_hits,
        ),
    )


def _ask_for_k(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.edit(
        tr("Set the goals of the tour"), goals=(KAnonymity(k=_K),), algorithm=BestLoss(), suppression=0.05
    )


def _run(window: MainWindow) -> None:
    window.go_to("protect")
    window.commands.qt["protect.run"].trigger()


def _ask_for_diversity(window: MainWindow) -> None:
    window.go_to("protect")
    window.document.edit(tr("Set the goals of the tour"), goals=(KAnonymity(k=_K), DistinctLDiversity(l=_L)))
    _run(window)


def _attack(window: MainWindow) -> None:
    window.go_to("risk")
    page = window.pages.page("risk")
    if isinstance(page, RiskPage):
        page.tabs.setCurrentIndex(1)
        page.bench.choose(_ATTACK)


def _tell_hits(window: MainWindow) -> str:
    page = window.pages.page("risk")
    both = page.bench.found(_ATTACK) if isinstance(page, RiskPage) else None
    if both is None:
        return ""
    if not both.after.hit:
        return tr(
            "It finds out about nobody: no class agrees in a sensitive value any more. "
            "Other attacks of the list need other goals."
        )
    return tr(
        "{people:person’s diagnosis is|people’s diagnoses are} known that way, though their rows cannot be told apart.",
        people=both.after.hit,
    )


_CURVE = (2, 3, 5, 10, 20, 50)


def choosing_steps() -> tuple[TourStep, ...]:
    """Sweep k, try every algorithm, see how one was found, and look at the rows."""
    return (
        TourStep(
            "curve",
            tr("The price of k"),
            tr("The same goals with k from {least} to {most}: point by point the curve grows.", least=2, most=50),
            _grow,
            "trade_off_chart_panel",
            tell=_tell_price,
        ),
        TourStep(
            "compare",
            tr("Compare"),
            tr("We try every algorithm; the best trade-offs between privacy and loss stand out."),
            _try_all,
            "release_table",
        ),
        TourStep(
            "search",
            tr("How it was found"),
            tr("For bottom-up every combination of levels that was looked at can be seen, and another one chosen."),
            _look_at_the_search,
        ),
        TourStep(
            "side_by_side",
            tr("Side by side"),
            tr("Original and release next to each other: what changed is tinted, what is suppressed is marked."),
            _look_at_the_best,
            "side_tables",
        ),
    )


def _grow(window: MainWindow) -> None:
    window.go_to("protect")
    goals = (KAnonymity(k=5), DistinctLDiversity(l=3))
    window.document.edit(tr("Set the goals of the tour"), goals=goals, algorithm=BottomUp())
    page = window.pages.page("protect")
    if isinstance(page, ProtectPage):
        page.series.sweep(0, "k", _CURVE)
    _tab(window, "compare", 0)


def _tell_price(window: MainWindow) -> str:
    measured = [release.measured for release in window.document.releases[-len(_CURVE) :]]
    losses = [each.lm for each in measured if each.lm is not None]
    if len(losses) < len(_CURVE):
        return ""
    return tr(
        "More privacy costs more: the loss rises from {low} to {high}.",
        low=format_percent(losses[0]),
        high=format_percent(losses[-1]),
    )


def _try_all(window: MainWindow) -> None:
    window.commands.qt["protect.try_all"].trigger()
    _tab(window, "compare", 0)


def _look_at_the_search(window: MainWindow) -> None:
    window.document.messages.clear_told()  # which release is the best
    _select(window, "bottom-up")
    _tab(window, "compare", 1)


def _look_at_the_best(window: MainWindow) -> None:
    _select(window, "best-loss")
    _tab(window, "compare", 2)


def _select(window: MainWindow, algorithm: str) -> None:
    """Select the last release of an algorithm that was made with the present goals."""
    for release in window.document.releases:
        made = release.project
        if (
            made.algorithm is not None
            and made.algorithm.name == algorithm
            and made.goals == window.document.project.goals
        ):
            window.document.finished.select(release)


def _tab(window: MainWindow, page: str, place: int) -> None:
    window.go_to(page)
    tabs = window.pages.page(page).findChild(QTabWidget)
    if tabs is not None and place < tabs.count():
        tabs.setCurrentIndex(place)


_HYBRID_SAMPLE = "pharmacy"

_HYBRID_K, _ITEMS = 5, 2

_SMALL, _LARGE = 25, 100


def hybrid_steps() -> tuple[TourStep, ...]:
    """Open the pharmacy, protect its parts one by one, then together."""
    return (
        TourStep(
            "hybrid",
            tr("Sets and places in a table"),
            tr("Customers of a pharmacy: where each lives is one point, and what each takes is a set of medicines."),
            _open_sample,
            "data_table",
        ),
        TourStep(
            "hybrid_alone",
            tr("Sets: each part alone"),
            tr("Classes of {rows} and, apart from that, medicines that at least {k} take.", rows=_SMALL, k=_HYBRID_K),
            lambda window: _hybrid_run(window, KKm(_HYBRID_K, _ITEMS, _SMALL, TABLE)),
            "result_figures",
            tell=_tell_exposed,
        ),
        TourStep(
            "hybrid_together",
            tr("Sets: together with their class"),
            tr("Larger classes, and medicines protected inside each of them."),
            lambda window: _hybrid_run(window, KKm(_HYBRID_K, _ITEMS, _LARGE, CLASSES)),
            "result_figures",
            tell=_tell_exposed,
        ),
    )


def _open_sample(window: MainWindow) -> None:
    window.document.open_project(resource_path("samples", f"{_HYBRID_SAMPLE}.anon"), as_copy=True)
    window.go_to("data")


def _hybrid_run(window: MainWindow, goal: KKm) -> None:
    window.go_to("protect")
    window.document.edit(tr("Set the goals of the tour"), goals=(goal,), algorithm=Mondrian())
    window.document.run()


def _tell_exposed(window: MainWindow) -> str:
    release = window.document.selected
    found = None if release is None else release.measured.exposed
    if found is None:
        return ""
    return tr(
        "Whoever knows the class and two medicines finds {rows} of {all} customers among fewer than five ({share}).",
        rows=format_integer(found.rows),
        all=format_integer(found.of),
        share=format_percent(found.share),
    )


_FILE = "hospital_release.csv"


class Proof:
    """Exports to a folder of its own, which goes with the tour."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._dialog: VerifyDialog | None = None

    @property
    def path(self) -> Path:
        """Where the release is written to."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="anonymizer-tour-")
        return Path(self._folder.name) / _FILE

    def check(self, window: MainWindow) -> None:
        """Show the checklist of the release."""
        release = window.document.selected
        if release is not None:
            window.document.finished.use_settings_of(release, tr("Set the goals of the tour"))
        window.go_to("release")

    def export(self, window: MainWindow) -> None:
        """Let it leave."""
        window.go_to("release")
        page = window.pages.page("release")
        if isinstance(page, ReleasePage):
            page.export(self.path)

    def verify(self, window: MainWindow) -> None:
        """Show what anybody finds who has the file and its certificate."""
        self.close(window)
        window.document.messages.clear_told()
        self._dialog = VerifyDialog(window.document, self.path, window)
        self._dialog.show()  # not modal: the tour goes on beside it

    def tamper(self, window: MainWindow) -> None:
        """Change one cell of the file, and verify again."""
        self.close(window)
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        before, diagnosis, charge = lines[-1].rsplit(",", 2)  # cells before them may hold commas in quotes
        other = "Influenza" if diagnosis != "Influenza" else "Asthma"
        self.path.write_text("".join([*lines[:-1], f"{before},{other},{charge}"]), encoding="utf-8")
        self.verify(window)

    def close(self, _window: MainWindow) -> None:
        """Take the dialog away."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None

    def clear(self, window: MainWindow) -> None:
        """Take the dialog and all files away."""
        self.close(window)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def proof_steps() -> tuple[TourStep, ...]:
    """Check, export, verify, change a cell, verify again."""
    proof = Proof()
    return (
        TourStep(
            "release",
            tr("Release"),
            tr("A checklist must be in order before anything leaves. What is red blocks the way, or needs a reason."),
            proof.check,
            "checklist",
        ),
        TourStep(
            "export",
            tr("Export"),
            tr(
                "The file is written, read back, and every promise measured again by other code. "
                "It leaves with a certificate and a report."
            ),
            proof.export,
        ),
        TourStep(
            "verify",
            tr("Verify"),
            tr("Whoever gets both can check the file against its certificate."),
            proof.verify,
            leave=proof.close,
        ),
        TourStep(
            "tampered",
            tr("One cell changed"),
            tr(
                "We change the diagnosis of one row in the file and verify again: "
                "it is not the file that was certified."
            ),
            proof.tamper,
            leave=proof.clear,
        ),
    )


SAMPLE = "hospital"


def steps() -> tuple[TourStep, ...]:
    """List the stops in order; each assumes the ones before it."""
    return (*_looking(), *attack_steps(), *choosing_steps(), *_judging(), *proof_steps(), *hybrid_steps())


def _looking() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "data",
            tr("Data"),
            tr("Every column has a role: identifiers go, quasi-identifiers are made coarser, sensitive ones stay."),
            _chapter_open_sample,
            "data_table",
        ),
        neighbour_step(),
        TourStep(
            "hierarchies",
            tr("Hierarchies"),
            tr("Each quasi-identifier has a tree that says how its values become coarser, step by step."),
            lambda window: window.go_to("hierarchies"),
            "hierarchy_tree",
        ),
        drag_step(),
    )


def _judging() -> tuple[TourStep, ...]:
    return (
        TourStep(
            "risk",
            tr("Risk"),
            tr("How easily somebody could be picked out, before and after, and what known attacks would find."),
            lambda window: window.go_to("risk"),
            "result_figures",
        ),
        TourStep(
            "utility",
            tr("Utility"),
            tr("What the release is still good for: distributions, count queries, and learning from it."),
            lambda window: window.go_to("utility"),
        ),
    )


def _chapter_open_sample(window: MainWindow) -> None:
    window.files.open_sample(resource_path("samples", f"{SAMPLE}.anon"))
    window.go_to("data")
