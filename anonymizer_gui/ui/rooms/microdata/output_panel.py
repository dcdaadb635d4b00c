"""How a table is published: order of rows, suppressed records, formulas, missing cells."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.column_profile import ColumnFacts, all_column_facts
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.masking.steps import is_masked
from anonymizer_gui.engine.rooms.microdata.project import Project, Publishing
from anonymizer_gui.engine.rooms.microdata.release.codebook import write_private_codebook
from anonymizer_gui.engine.rooms.microdata.release.output_format import mark_name, untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.output_table import ROW_ORDERS
from anonymizer_gui.engine.rooms.microdata.release.pseudonyms import PSEUDONYM_KINDS
from anonymizer_gui.engine.rooms.microdata.release.release_candidate import ReleaseCandidate, write_pseudonym_mapping
from anonymizer_gui.engine.storage.sources import files_of_sources, refuse_overwrite
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.dialogs.file_dialogs import ask_target
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel
from anonymizer_gui.ui.rooms.microdata.figures import release_figures
from anonymizer_gui.ui.rooms.microdata.recipes import PublicValuesDialog
from anonymizer_gui.ui.rooms.microdata.release_texts import (
    MicrodataDocument,
    published_identifying_columns,
    publishing_objections,
)
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.layout import TurningSplitter, resize_in_text_lines, section
from anonymizer_gui.ui.widgets.role_chip import role_icon, role_name
from anonymizer_gui.ui.widgets.table_view import TableModel, TableView


class OutputOptionsForm(QWidget):
    """Edits the publishing part of a project."""

    edited = Signal(str, object)
    """Carries the sentence of the step and the new publishing."""
    public_wanted = Signal()
    """Asks which columns have values that everybody may know."""

    def __init__(self) -> None:
        super().__init__()
        self._publishing = Publishing()
        self._rows = QFormLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._build()

    def show_publishing(self, publishing: Publishing) -> None:
        """Show how the release leaves."""
        self._publishing = publishing
        self.order.setCurrentIndex(self.order.findData(publishing.row_order))
        for box, name in self._flags.items():
            box.blockSignals(True)
            box.setChecked(getattr(publishing, name))
            box.blockSignals(False)
        self.public.setEnabled(publishing.labels_file)
        if not self.missing.hasFocus():
            self.missing.setText(publishing.missing_token)

    def _build(self) -> None:
        self.order = WidePopupComboBox()
        self.order.setObjectName("row_order")
        for name, words in ROW_ORDERS.items():
            self.order.addItem(tr(words), name)
        self.order.activated.connect(
            lambda place: self._edit(tr("Set the order of the rows"), row_order=self.order.itemData(place))
        )
        self.missing = name_widget(QLineEdit(), "missing_token")
        self.missing.setPlaceholderText(tr("empty"))
        self.missing.editingFinished.connect(
            lambda: self._edit(tr("Set the sign for missing"), missing_token=self.missing.text().strip())
        )
        self._add(tr("Order of the rows"), self.order)
        self._add(tr("Missing cells are written as"), self.missing)
        self._flags = {
            QCheckBox(tr("Publish suppressed records with * instead of leaving them out")): "suppressed_as_stars",
            QCheckBox(tr("Disarm cells a spreadsheet would run as formula")): "escape_formulas",
            QCheckBox(tr("Same pseudonyms in other releases with this key")): "linkable",
            QCheckBox(tr("Write what stands behind the labels into a file of its own")): "labels_file",
        }
        for box, name in self._flags.items():
            box.setObjectName(name)
            box.toggled.connect(lambda on, name=name: self._edit(tr("Set how the release leaves"), **{name: on}))
            self._rows.addRow(box)
        about = tr("Choose the columns whose values everybody may know; only their values stand in the file")
        self.public = name_widget(QPushButton(tr("Public Values…")), "public_values", tip=about)
        self.public.clicked.connect(self.public_wanted)
        self._rows.addRow(self.public)

    def _add(self, title: str, widget: QWidget) -> None:
        label = QLabel(title)
        label.setBuddy(widget)
        widget.setAccessibleName(title)
        self._rows.addRow(label, widget)

    def _edit(self, text: str, **fields: Any) -> None:
        changed = replace(self._publishing, **fields)
        if changed != self._publishing:
            self._publishing = changed
            self.edited.emit(text, changed)


class OutputColumnList(QTableWidget):
    """A row per column; identifiers may get pseudonyms, columns of no role are agreed to or left out."""

    pseudonym_chosen = Signal(str, str)
    """Carries the column and the way; an empty way removes the column."""
    decided = Signal(str, str)
    """Carries a column of no role and what was decided: agreed, left_out, or nothing."""

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.setObjectName("leaving_columns")
        self.setHorizontalHeaderLabels([tr("Column"), tr("In the release")])
        self.setAccessibleName(tr("Columns of the release"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setMinimumWidth(self.fontMetrics().height() * 18)
        self._shown: object = None

    def show_project(self, project: Project) -> None:
        """Show the columns as they are decided."""
        publishing = project.publishing
        untrue = untruthful_output_columns(project)
        shown = (
            project.schema,
            publishing.pseudonyms,
            publishing.left_out,
            project.acknowledged,
            project.goals,
            untrue,
        )
        if shown == self._shown:
            return
        self._shown = shown
        ways = dict(project.publishing.pseudonyms)
        self.setRowCount(len(project.schema.columns))
        for row, column in enumerate(project.schema.columns):
            name = tr("{column} (not truthful)", column=column.name) if column.name in untrue else column.name
            item = QTableWidgetItem(role_icon(column.role), name)
            item.setToolTip(plain_text(f"{column.name}: {role_name(column.role)}"))
            self.setItem(row, 0, item)
            self.setCellWidget(row, 1, self._fate(column.name, column.role, ways, project))
        self.resizeRowsToContents()
        self._fit()

    def _fate(self, name: str, role: Role, ways: dict[str, str], project: Project) -> QWidget:
        if role is Role.EI:
            return self._pseudonym_box(name, ways.get(name, ""))
        if role is Role.OTHER:
            return self._decision_box(name, project)
        is_protected = project.protects(name)
        kept = tr("unchanged, protected") if is_protected else tr("unchanged, not protected")
        if is_masked(project.source, name):
            kept = tr("masked, protected") if is_protected else tr("masked, not protected")
        changed = tr("items grouped or deleted") if name in project.schema.sets else tr("generalised")
        told = QLabel(changed if role is Role.QI else kept)
        if role is Role.SA:
            told.setToolTip(tr("A goal is about it") if is_protected else tr("No goal is about it"))
        told.setMargin(self.fontMetrics().height() // 4)
        return told

    def _fit(self) -> None:
        """Let what happens to a column be read in full; a name too long for the rest is told by its tooltip."""
        wanted = self.sizeHintForColumn(0) + self.fontMetrics().height()
        left = self.viewport().width() - self.sizeHintForColumn(1)
        self.setColumnWidth(0, max(min(wanted, left), self.fontMetrics().height() * 7))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._fit()

    def _decision_box(self, name: str, project: Project) -> WidePopupComboBox:
        box = WidePopupComboBox()
        box.setObjectName(f"decide_{name}")
        masked = is_masked(project.source, name)
        box.addItem(tr("masked, not yet agreed") if masked else tr("unchanged, not yet agreed"), "")
        box.addItem(tr("masked; I agree") if masked else tr("unchanged; I agree"), "agreed")
        box.addItem(tr("left out"), "left_out")
        is_left_out, is_agreed = name in project.publishing.left_out, name in project.acknowledged
        box.setCurrentIndex(2 if is_left_out else int(is_agreed))
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.setAccessibleName(tr("What happens to {column}", column=name))
        box.activated.connect(lambda place: self.decided.emit(name, box.itemData(place)))
        return box

    def _pseudonym_box(self, name: str, way: str) -> WidePopupComboBox:
        box = WidePopupComboBox()
        box.setObjectName(f"pseudonym_{name}")
        box.addItem(tr("removed"), "")
        for entry, words in PSEUDONYM_KINDS.items():
            box.addItem(tr(words), entry)
        box.setCurrentIndex(box.findData(way))
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.setAccessibleName(tr("What happens to {column}", column=name))
        box.activated.connect(lambda place: self.pseudonym_chosen.emit(name, box.itemData(place)))
        return box


class ApproveColumnsDialog(QDialog):
    """Lists columns; what is ticked is agreed to, everything else stays as it is."""

    agreed = Signal(object)
    """Carries the names of the ticked columns."""

    def __init__(self, names: Sequence[str], reasons: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("agree_dialog")
        self.setWindowTitle(tr("Agree to Publish"))
        self._names, self._reasons = list(names), reasons
        self._cells = [[QTableWidgetItem() for _ in range(4)] for _ in names]
        self.words = QLabel(wordWrap=True)
        self.list = name_widget(QTableWidget(len(names), 4), "agree_columns", spoken=tr("Columns without a role"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.agree = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._build()
        self._fill()
        self._connect()

    def show_facts(self, facts: Sequence[ColumnFacts]) -> None:
        """Show how many values each column has and how many rows have one of their own."""
        for one in facts:
            if one.name in self._names:
                row = self._names.index(one.name)
                for column, text in ((1, format_integer(one.distinct)), (2, format_percent(one.unique_share))):
                    self._cells[row][column].setText(text)

    def ticked(self) -> list[str]:
        """Name the ticked columns."""
        checked = Qt.CheckState.Checked
        return [name for row, name in enumerate(self._names) if self._cells[row][0].checkState() == checked]

    def _build(self) -> None:
        self.agree.setObjectName("agree_ticked")
        self.words.setText(
            tr(
                "Ticked columns are published unchanged, for every record. Those that seem to point to a person or to "
                "be sensitive are not ticked: give them a role or leave them out instead."
            )
        )
        self.list.setHorizontalHeaderLabels([tr("Column"), tr("Distinct"), tr("Unique"), tr("What speaks against it")])
        self.list.verticalHeader().hide()
        self.list.setTabKeyNavigation(False)
        self.list.setShowGrid(False)
        self.list.setAlternatingRowColors(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.list.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setStretchLastSection(True)
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        resize_in_text_lines(self, 52, 26)

    def _fill(self) -> None:
        for row, name in enumerate(self._names):
            why = self._reasons.get(name, "")
            texts = (name, "…", "…", tr(why) if why else tr("nothing found"))
            for column, text in enumerate(texts):
                item = self._cells[row][column]
                item.setText(text)
                item.setToolTip(plain_text(text))
                if column in (1, 2):
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.list.setItem(row, column, item)
            self._cells[row][0].setCheckState(Qt.CheckState.Unchecked if why else Qt.CheckState.Checked)
            if why:
                self._cells[row][3].setIcon(theme.icon("warning", "warn"))
        self._count()

    def _connect(self) -> None:
        self.list.itemChanged.connect(lambda _item: self._count())
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)

    def _count(self) -> None:
        count = len(self.ticked())
        self.agree.setText(tr("Agree to {count:Column|Columns}", count=count))
        self.agree.setEnabled(bool(count))

    def _on_accepted(self) -> None:
        self.agreed.emit(self.ticked())
        self.accept()


_BESIDE = 48
"""From so many lines of text in width on the rows stand beside the columns."""

_COLUMNS, _ROWS = 260, 160


class MicrodataOutputPanel(OutputPanel):
    """The columns of the table at the left, how they are published at the right."""

    fields = frozenset({"publishing", "acknowledged"})

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__(document)
        self.columns, self.options = OutputColumnList(), OutputOptionsForm()
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
        figures = release_figures(release, None, published_identifying_columns(self.document))
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
        dialog = ApproveColumnsDialog(names, publishing_objections(self.document), self.columns)
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
