"""Builds a hierarchy by a rule: choose the rule, set its parameters, see every level before accepting."""

from dataclasses import dataclass

from PySide6.QtCore import QLocale, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Choice, ListOf, params_of
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.set_valued_cells import hierarchy_values
from anonymizer_gui.engine.data.tables.table import Column, ColumnSchema
from anonymizer_gui.engine.hierarchy.builders.automatic import choose_builder
from anonymizer_gui.engine.hierarchy.builders.contract import BUILDERS, Builder, build_hierarchy
from anonymizer_gui.engine.hierarchy.fit import Usage, count_usage
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.column_list import shape_text
from anonymizer_gui.ui.hierarchies.level_views import LevelTableView
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import resize_in_text_lines
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.document import Document

_SETTLE_MS = 120
"""So long after the last key the preview is made."""
"""The rule that chooses another rule: the dialog opens with what it would choose."""


@dataclass(frozen=True, slots=True)
class BuilderOffer:
    """The rules for a column: the one proposed with its parameters, and whether each suits."""

    proposed: Builder
    suits: dict[str, bool]


def offer_builders(column: Column, schema: ColumnSchema, progress: Progress) -> BuilderOffer:
    """Find out which rules make sense for a column."""
    kinds = [kind for kind in BUILDERS if kind.is_offered]
    column = hierarchy_values(column, schema)
    proposed = choose_builder(column, schema, progress.sub(0.0, 0.5))
    suits = {}
    for at, kind in enumerate(kinds):
        progress(0.5 + 0.5 * at / len(kinds))
        suits[kind.name] = kind.suits(column, schema)
    return BuilderOffer(proposed, suits)


def try_builder(builder: Builder, column: Column, schema: ColumnSchema, progress: Progress) -> Usage:
    """Build a hierarchy and compare it with the column."""
    tree = build_hierarchy(builder, column, schema, progress.sub(0.0, 0.5))
    return count_usage(column, tree, schema, progress.sub(0.5, 1.0))


class BuilderDialog(QDialog):
    """Rules on the left, suitable ones first; parameters and the levels they give on the right."""

    chosen = Signal(str, object)
    """The title of the rule and the hierarchy it gave."""

    def __init__(self, document: Document, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_builder")
        self._document, self._column = document, column
        self._schema = document.project.schema.column(column.name)
        self._usage: Usage | None = None
        self.rules = name_widget(QListWidget(), "hierarchy_rules")
        self.rules.setWordWrap(True)
        self.summary = name_widget(QLabel(wordWrap=True), "hierarchy_rule_summary")
        self.forms = QWidget()
        self.preview = LevelTableView()
        self.words = name_widget(QLabel(wordWrap=True), "hierarchy_builder_words")
        self.parts = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._form: dict[str, ParamForm] = {}
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._build()
        self._connect()
        document.ask(("builders", column.name), offer_builders, column, self._schema, then=self._on_offered)

    @property
    def rule(self) -> type[Builder]:
        """The rule that is chosen."""
        return BUILDERS.get(self.rules.currentItem().data(Qt.ItemDataRole.UserRole))

    def choose(self, name: str) -> None:
        """Choose a rule by its name."""
        rows = [row for row in range(self.rules.count()) if self._name_at(row) == name]
        if rows:
            self.rules.setCurrentRow(rows[0])

    def form(self, name: str) -> ParamForm:
        """Give the form of a rule."""
        return self._form[name]

    def _build(self) -> None:
        self.setWindowTitle(tr("Build a Hierarchy for “{column}”", column=self._column.name))
        em = self.fontMetrics().height()
        resize_in_text_lines(self, 58, 36)
        self.rules.setAccessibleName(tr("Rules"))
        self.rules.setMinimumWidth(13 * em)
        self.preview.setAccessibleName(tr("Preview of the levels"))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Use This Hierarchy"))
        self.summary.setForegroundRole(self.summary.foregroundRole().PlaceholderText)
        self._rows = rows = QVBoxLayout(self.forms)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setAlignment(Qt.AlignmentFlag.AlignTop)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(self.forms)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        upper, lower = _column(self.summary, scroll), _column(self.words, self.preview)
        self.parts.addWidget(upper)
        self.parts.addWidget(lower)
        self.parts.setStretchFactor(1, 1)
        body = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        body.addWidget(self.rules)
        body.addWidget(self.parts)
        body.setSizes([15 * em, 43 * em])
        layout = QVBoxLayout(self)
        layout.addWidget(body, 1)
        layout.addWidget(self.buttons)

    def _connect(self) -> None:
        self.rules.currentRowChanged.connect(self._on_rule_chosen)
        self._settle.timeout.connect(self._try)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        theme.strip_button_icons(self.buttons)
        self.finished.connect(self._settle.stop)
        self.finished.connect(self.deleteLater)

    def _name_at(self, row: int) -> str:
        return str(self.rules.item(row).data(Qt.ItemDataRole.UserRole))

    def _on_offered(self, offer: BuilderOffer) -> None:
        kinds = [kind for kind in BUILDERS if kind.name in offer.suits]
        kinds.sort(key=lambda kind: (kind.name != offer.proposed.name, not offer.suits[kind.name], tr(kind.title)))
        for kind in kinds:
            self._add_rule(kind, offer)
        self.rules.setCurrentRow(0)
        self.rules.setFocus()

    def _add_rule(self, kind: type[Builder], offer: BuilderOffer) -> None:
        is_proposed = kind.name == offer.proposed.name
        words = (
            tr("proposed") if is_proposed else tr("suits") if offer.suits[kind.name] else tr("unusual for this column")
        )
        item = QListWidgetItem(f"{tr(kind.title)}\n{words}")
        item.setData(Qt.ItemDataRole.UserRole, kind.name)
        item.setToolTip(tr(kind.summary))
        item.setSizeHint(QSize(0, round(2.8 * self.fontMetrics().height())))
        if is_proposed:
            font = item.font()
            font.setBold(True)
            item.setFont(font)
        form = ParamForm(kind, offer.proposed if is_proposed else None)
        form.changed.connect(lambda _value: self._settle.start())
        form.invalid.connect(self._refuse)
        self._form[kind.name] = form
        self._rows.addWidget(form)
        self.rules.addItem(item)

    def _on_rule_chosen(self, row: int) -> None:
        if row < 0:
            return
        form = self._form[self.rule.name]
        self.summary.setText("\n".join((tr(self.rule.summary), *_notes(self.rule))))
        for other in self._form.values():
            other.setVisible(other is form)
        em = self.fontMetrics().height()
        wanted = min(form.sizeHint().height() + 4 * em, 17 * em)
        self.parts.setSizes([wanted, max(self.parts.height() - wanted, 12 * em)])
        self._try()

    def _try(self) -> None:
        builder = self._form[self.rule.name].value()
        if builder is not None:
            self._document.ask(
                ("builder preview",),
                try_builder,
                builder,
                self._column,
                self._schema,
                then=self._on_tried,
                title=tr("Preview of the hierarchy"),
                failed=self._on_failed,
            )

    def _on_tried(self, usage: Usage) -> None:
        self._usage = usage
        tree, uneven = usage.hierarchy, self._document.project.uneven
        number = QLocale().toString
        classes = [len(usage.at_level(level, uneven).labels) for level in range(tree.height + 1)]
        self.words.setText(
            tr(
                "{shape}; classes from level to level: {classes}",
                shape=shape_text(tree),
                classes=" → ".join(number(n) for n in classes),
            )
        )
        self.preview.show_hierarchy(tree, uneven)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(True)

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, AnonymizerError):
            self._refuse(error_text(error))
        else:
            self._document.jobs.tell(error)

    def _refuse(self, sentence: str) -> None:
        self._usage = None
        self.words.setText(sentence)
        self.preview.show_hierarchy(None, "cap")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(False)

    def _on_accepted(self) -> None:
        if self._settle.isActive():
            self._settle.stop()
            self._try()
        if self._usage is not None:
            self.chosen.emit(tr(self.rule.title), self._usage.hierarchy)
            self.accept()


def _notes(rule: type[Builder]) -> list[str]:
    """Name the words a parameter takes where several of them are typed; say when there are no parameters."""
    params = params_of(rule)
    if not params:
        return [tr("There is nothing to set.")]
    listed = [
        (param.label, param.kind.of.options)
        for param in params
        if isinstance(param.kind, ListOf) and isinstance(param.kind.of, Choice)
    ]
    return [tr("{label}: any of {options}", label=tr(label), options=", ".join(options)) for label, options in listed]


def _column(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    return holder
