"""What leaves of a table: its columns and how they are published, pseudonyms and their mapping, the figures."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QPushButton, QSizePolicy, QSplitter

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.column_profile import all_column_facts
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.release.codebook import write_private_codebook
from anonymizer_gui.engine.rooms.microdata.release.output_format import mark_name, untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, write_pseudonym_mapping
from anonymizer_gui.engine.storage.sources import files_of_sources, refuse_overwrite
from anonymizer_gui.ui.dialogs.file_dialogs import ask_target
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.figures import figures_of
from anonymizer_gui.ui.rooms.microdata.pointing import leaving_and_pointing, speaking_against
from anonymizer_gui.ui.rooms.microdata.public_values import PublicValuesDialog
from anonymizer_gui.ui.rooms.microdata.release.agree_dialog import AgreeDialog
from anonymizer_gui.ui.rooms.microdata.release.leaving_columns import LeavingColumns
from anonymizer_gui.ui.rooms.microdata.release.publishing_form import PublishingForm
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import TurningSplitter, section
from anonymizer_gui.ui.widgets.table_view import TableModel, TableView

_BESIDE = 48
"""From so many lines of text in width on the rows stand beside the columns."""
_COLUMNS, _ROWS = 260, 160


class MicrodataPanel(OutputPanel):
    """The columns of the table at the left, how they are published at the right."""

    fields = frozenset({"publishing", "acknowledged"})

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__(document)
        self.columns, self.options = LeavingColumns(), PublishingForm()
        self.rows = name_widget(TableView(TableModel(), document.jobs), "leaving_rows", spoken=tr("Rows as they leave"))
        self.what, self.how = self._laid_out(), self.options
        self.mapping_button = name_widget(QPushButton(tr("Save the Mapping…")), "mapping")
        about = tr("Look through the columns without a role and agree to publish them unchanged")
        self.agree_button = name_widget(QPushButton(tr("Agree to Columns…")), "agree_all", tip=about)
        told = tr("Save which value became which label, and every column before and after, to be kept inside")
        self.house_button = name_widget(QPushButton(tr("Before and After…")), "before_after", tip=told)
        self.buttons = self.agree_button, self.mapping_button, self.house_button
        self._leaving: ReleaseCandidate | None = None
        self._connect()

    def save_mapping(self) -> None:
        """Ask where to, then write which pseudonym stands for whom."""
        stem = Path(self.document.project.name or "table").stem
        ask_target(self.columns, tr("Save the Mapping of Pseudonyms"), f"{stem}_mapping.csv", self.write_mapping)

    def write_mapping(self, path: Path) -> None:
        """Write which pseudonym stands for whom."""
        if self._leaving is not None:
            own = [*self.document.safeguards.files(), *([self.document.path] if self.document.path else [])]
            self.document.jobs.start(tr("Save the mapping"), _write_mapping, self._leaving, path, own)

    def save_for_house(self) -> None:
        """Ask where to, then write values, labels and summaries."""
        stem, kinds = Path(self.document.project.name or "table").stem, {"JSON": "json"}
        title = tr("Save Before and After")
        ask_target(self.columns, title, f"{stem}_before_after.json", self.write_for_house, kinds)

    def write_for_house(self, path: Path) -> None:
        """Write which value became which label, and every column before and after."""
        if self._leaving is not None:
            own = [*self.document.safeguards.files(), *([self.document.path] if self.document.path else [])]
            self.document.jobs.start(tr("Save before and after"), _write_for_house, self._leaving, path, own)

    def show_project(self, release: Any) -> None:
        """Show the columns and how they are published."""
        project = self.document.project
        self.columns.show_project(project)
        self.options.show_publishing(project.publishing)
        figures = figures_of(release, None, leaving_and_pointing(self.document))
        self.figures.show_figures(figures, faded=self.document.finished.is_stale(release))
        self.agree_button.setVisible(len(project.undecided_columns()) > 1)
        self.mapping_button.setVisible(bool(project.publishing.pseudonyms))

    def name_for(self, name: str) -> str:
        """Say in the name that cells are not truthful, where they are not."""
        return mark_name(name) if untruthful_output_columns(self.document.project) else name

    def show_leaving(self, leaving: ReleaseCandidate | None) -> None:
        """Show the rows, and let the mapping be saved, once the table was made."""
        self._leaving = leaving
        model = self.rows.table_model()
        if leaving is not None and leaving.table is not model.table:
            project = leaving.release.project
            model.set_table(leaving.table, project.schema, untruthful_output_columns(project))
            self.rows.fit_columns()
        for button in (self.mapping_button, self.house_button):
            button.setEnabled(leaving is not None)

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say how many rows and columns will leave."""
        return tr(
            "“{name}”: {rows:row|rows}, {columns:column|columns}; {suppressed:record|records} suppressed, "
            "{emptied:record|records} with nothing left.",
            name=leaving.release.name,
            rows=format_integer(leaving.table.n_rows),
            columns=len(leaving.table.columns),
            suppressed=format_integer(leaving.release.suppressed),
            emptied=format_integer(leaving.measured.emptied),
        )

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say how many rows and columns have left, and which have not."""
        told = tr(
            "{rows:row|rows} and {columns:column|columns} went to {name}; read back and measured again, k = {k}.",
            rows=format_integer(leaving.table.n_rows),
            columns=len(leaving.table.columns),
            name=path.name,
            k=leaving.measured.k,
        )
        people = leaving.measured.people
        about = () if people is None else (tr("k counts {people:person|people}.", people=format_integer(people)),)
        return " ".join((told, *about, *_stayed(leaving)))

    def _laid_out(self) -> QSplitter:
        """Put the columns above the rows, or beside them where there is room."""
        parts = TurningSplitter(_BESIDE, 2, 3)
        parts.addWidget(self.columns)
        parts.addWidget(section(tr("The rows as they leave"), self.rows))
        parts.setStretchFactor(1, 1)
        parts.setSizes([_COLUMNS, _ROWS])
        parts.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)  # it takes what the page has
        line = self.rows.fontMetrics().height()
        self.columns.setMinimumHeight(4 * line)
        self.rows.setMinimumHeight(4 * line)
        return parts

    def _connect(self) -> None:
        self.options.edited.connect(lambda text, publishing: self.document.edit(text, publishing=publishing))
        self.options.public_wanted.connect(self._on_public_wanted)
        self.columns.decided.connect(self._on_decided)
        self.columns.pseudonym_chosen.connect(self._on_pseudonym)
        self.agree_button.clicked.connect(self._on_agree_wanted)
        self.mapping_button.clicked.connect(self.save_mapping)
        self.house_button.clicked.connect(self.save_for_house)

    def _on_public_wanted(self) -> None:
        project = self.document.project
        names = [name for name in project.schema.names(Role.QI) if name in project.hierarchies]
        words = tr(
            "The file names the labels of every column, and what stands behind them only for those you tick: all "
            "values of their hierarchies then, as anybody could look them up. Never tick a hierarchy made of the data."
        )
        dialog = PublicValuesDialog(names, tr("Public Values"), words, tr("OK"), self.columns)
        for name in project.publishing.public_values:
            if name in dialog.boxes:
                dialog.boxes[name].setChecked(True)
        dialog.chosen.connect(self._on_public)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_public(self, names: list[str]) -> None:
        publishing = replace(self.document.project.publishing, public_values=tuple(names))
        self.document.edit(tr("Choose the columns whose values are public"), publishing=publishing)

    def _on_decided(self, name: str, what: str) -> None:
        project = self.document.project
        if what == "agreed":
            self.document.take(project.agreeing_to([name]), tr("Agree to publish {column}", column=name))
        elif what == "left_out":
            self.document.take(project.leaving_out([name]), tr("Leave out {column}", column=name))
        else:
            self.document.take(project.with_roles({name: Role.OTHER}), tr("Decide again about {column}", column=name))

    def _on_agree_wanted(self) -> None:
        table, names = self.document.table, self.document.project.undecided_columns()
        dialog = AgreeDialog(names, speaking_against(self.document), self.columns)
        dialog.agreed.connect(self._on_several_agreed)
        if table is not None:
            self.document.ask(
                "overview", all_column_facts, table, then=dialog.show_facts, title=tr("Look at the columns")
            )
        dialog.open()

    def _on_several_agreed(self, names: list[str]) -> None:
        text = tr("Agree to publish {count:column|columns}", count=len(names))
        self.document.take(self.document.project.agreeing_to(names), text)

    def _on_pseudonym(self, name: str, way: str) -> None:
        publishing = self.document.project.publishing
        ways = {known: entry for known, entry in publishing.pseudonyms if known != name}
        changed = replace(publishing, pseudonyms=tuple({**ways, **({name: way} if way else {})}.items()))
        self.document.edit(tr("Choose what happens to {column}", column=name), publishing=changed)


def _stayed(leaving: ReleaseCandidate) -> list[str]:
    """Say which columns were removed and which were left out."""
    project, there = leaving.release.project, set(leaving.table.names)
    removed = [name for name in project.schema.names(Role.EI) if name not in there]
    told = [tr("Removed: {columns}.", columns=", ".join(removed))] if removed else []
    left_out = project.left_out_columns()
    return [*told, tr("Left out: {columns}.", columns=", ".join(left_out))] if left_out else told


def _write_mapping(leaving: ReleaseCandidate, path: Path, own: list[Path], progress: Progress) -> None:
    """Write the mapping over nothing that is read or kept; raises BadParameter, UnwritableFile."""
    refuse_overwrite([path], [*files_of_sources(leaving.release.project.sources().values()), *own])
    write_pseudonym_mapping(leaving, path, progress)


def _write_for_house(leaving: ReleaseCandidate, path: Path, own: list[Path], progress: Progress) -> None:
    """Write over nothing that is read or kept; raises BadParameter, UnwritableFile."""
    refuse_overwrite([path], [*files_of_sources(leaving.release.project.sources().values()), *own])
    write_private_codebook(leaving, path)
