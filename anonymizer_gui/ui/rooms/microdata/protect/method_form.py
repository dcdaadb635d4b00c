"""How the goals are reached: the algorithm with its parameters, suppression limit and seed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import Float, Int, Text, params_of, to_json
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import Algorithm
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.recoding import LEAST_LOSS, Method
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.param_form import ParamField, ParamForm, field_for

_WIDEST = 45
"""Lines of text the form is wide at most: a number needs no field across a large screen."""


class MicrodataMethodForm(QWidget):
    """Edits the algorithm, the suppression limit in percent, the meaning of uneven depth, and the seed."""

    edited = Signal(str, object, str)
    """Carries the sentence of the step, the fields of the project to replace, and the key for merging."""
    invalid = Signal(str)
    """Carries the mistake in a field, or nothing when all are right."""

    def __init__(self, registry: Registry[Algorithm]) -> None:
        """Offer the algorithms of a registry."""
        super().__init__()
        self._registry = registry
        self.form: ParamForm | None = None
        self._algorithm: Method | None = None
        self._build()

    @property
    def error(self) -> str:
        """The first mistake in a field; empty when all are right."""
        if self.form is not None and self.form.error:
            return self.form.error
        for label, field in ((tr("Suppression limit"), self._suppression), (tr("Seed"), self._seed)):
            try:
                field.read()
            except ValueError as error:
                return tr("{label} must be {rule}.", label=label, rule=tr(error.args[0]))
        return ""

    def in_reading_order(self) -> list[QWidget]:
        """Give what the Tab key goes through."""
        fields = [] if self.form is None else [field.widget for field in self.form.fields.values()]
        return [self.algorithm, self.suppression, self.covers_emptied, self.fold, *fields, self.uneven, self.seed]

    def wanted_height(self) -> int:
        """Give the height at which nothing has to be scrolled."""
        return self._inside.sizeHint().height()

    def show_project(self, project: Project) -> None:
        """Show the settings of a project."""
        chosen = project.algorithm.name if project.algorithm else ""
        self._set_quietly(self.algorithm, self.algorithm.findData(chosen))
        self.covers_emptied.setChecked(project.limit_covers_emptied)
        self._set_quietly(self.uneven, self.uneven.findData(project.uneven))
        if type(project.algorithm) is not type(self._algorithm):
            self._rebuild(project)
        elif self.form is not None and project.algorithm is not None and self.form.value() != project.algorithm:
            self.form.set_value(project.algorithm)
        self._algorithm = project.algorithm
        for field, value in ((self._suppression, project.suppression * 100), (self._seed, project.seed)):
            if not field.widget.hasFocus():
                field.show(value)
        self._name_fold(project)

    def _build(self) -> None:
        self.algorithm = WidePopupComboBox()
        self.algorithm.setObjectName("algorithm")
        for declared in self._registry:
            self.algorithm.addItem(tr(declared.title), declared.name)
            self.algorithm.setItemData(self.algorithm.count() - 1, tr(declared.summary), Qt.ItemDataRole.ToolTipRole)
        self.summary = QLabel(wordWrap=True)
        self.aim = name_widget(QLabel(wordWrap=True), "aim")
        self._suppression = field_for(Float(low=0, high=100), ())
        self._seed = field_for(Int(low=0), ())
        self.suppression, self.seed = self._suppression.widget, self._seed.widget
        self.suppression.setObjectName("suppression")
        self.seed.setObjectName("seed")
        self.uneven = WidePopupComboBox()
        self.uneven.setObjectName("uneven")
        self.uneven.addItem(tr("lift deep values first"), "cap")
        self.uneven.addItem(tr("climb step by step from each value"), "climb")
        self.uneven.make_room()
        self._inside = inside = QWidget()
        inside.setMaximumWidth(_WIDEST * inside.fontMetrics().height())
        self._lay_out(inside)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self.algorithm.activated.connect(self._on_algorithm)
        self.uneven.activated.connect(self._on_uneven)
        self._suppression.changed.connect(self._on_suppression)
        self._seed.changed.connect(self._on_seed)

    def _lay_out(self, inside: QWidget) -> None:
        """Put what everybody decides first, and fold away what only experts change."""
        rows = QFormLayout()
        _add(rows, tr("Algorithm"), self.algorithm, tr("How classes are found; each has its strength."))
        rows.addRow(self.summary)
        rows.addRow(self.aim)
        words = tr("How many records may be left out to keep the rest finer.")
        _add(rows, tr("Suppression limit, %"), self.suppression, words)
        rows.addRow("", self._built_covers_emptied())
        self.fold = name_widget(QToolButton(autoRaise=True), "more_settings")
        self.fold.setCheckable(True)
        self.fold.setWhatsThis(tr("Shows what few people change, such as the parameters of the algorithm."))
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.toggled.connect(self._on_fold)
        self.further = name_widget(QWidget(), "further_settings")
        self._rows = QFormLayout(self.further)
        self._rows.setContentsMargins(0, 0, 0, 0)
        _add(
            self._rows,
            tr("Uneven hierarchies"),
            self.uneven,
            tr("What a level means where leaves are not equally deep."),
        )
        words = tr("Same table, settings, seed and version: the same release, byte for byte.")
        _add(self._rows, tr("Seed"), self.seed, words)
        for form in (rows, self._rows):
            form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(rows)
        layout.addWidget(self.fold, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.further)
        layout.addStretch()
        self._on_fold(False)

    def _built_covers_emptied(self) -> QCheckBox:
        self.covers_emptied = QCheckBox(tr("also for records with nothing left"))
        self.covers_emptied.setObjectName("covers_emptied")
        words = tr("Count records against the limit that are published with * or the root in every quasi-identifier.")
        self.covers_emptied.setToolTip(words)
        self.covers_emptied.setWhatsThis(words)
        self.covers_emptied.clicked.connect(self._on_covers_emptied)
        return self.covers_emptied

    def _on_fold(self, is_open: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.further.setVisible(is_open)

    def _name_fold(self, project: Project) -> None:
        """Say how many of the folded settings are not as usual: nothing decided is out of sight."""
        algorithm = project.algorithm
        told = {} if algorithm is None else to_json(algorithm)
        usual = {} if algorithm is None else to_json(type(algorithm)())
        count = sum(told[name] != usual[name] for name in told) + (project.uneven != "cap") + (project.seed != 0)
        words = tr("More settings, {count} changed", count=count) if count else tr("More settings")
        self.fold.setText(words)
        self.fold.setAccessibleName(words)

    def _rebuild(self, project: Project) -> None:
        if self.form is not None:
            self._rows.removeRow(self.form)
            self.form = None
        algorithm = project.algorithm
        self.summary.setText(tr(algorithm.summary) if algorithm else tr("Choose an algorithm."))
        self._tell_aim(algorithm)
        if algorithm is None:
            return
        self.form = ParamForm(type(algorithm), algorithm, columns=_columns(algorithm, project))
        self.form.changed.connect(self._on_parameters)
        self.form.invalid.connect(self.invalid)
        self._rows.insertRow(0, self.form)
        self._align()
        # Levels by hand are nothing but their further settings.
        if algorithm.told_levels() is not None:
            self.fold.setChecked(True)

    def _tell_aim(self, algorithm: Method | None) -> None:
        """Say what an algorithm makes small that can follow no other objective, and which ones can."""
        has_own = algorithm is not None and bool(algorithm.aims_at) and algorithm.told_levels() is None
        self.aim.setVisible(has_own)
        if algorithm is not None and has_own:
            others = [tr(declared.title) for declared in self._registry if not declared.aims_at]
            self.aim.setText(
                tr(
                    "It makes this small: {aim}. Another objective can be chosen for {others}.",
                    aim=tr(algorithm.aims_at),
                    others=", ".join(others),
                )
            )

    def _align(self) -> None:
        """Let the fields of the algorithm begin where the others do."""
        labels = [label for label in self._inside.findChildren(QLabel) if label.buddy() is not None]
        widest = max(label.sizeHint().width() for label in labels)
        for label in labels:
            label.setMinimumWidth(widest)

    def _set_quietly(self, box: QComboBox, place: int) -> None:
        if box.currentIndex() != place:
            box.setCurrentIndex(place)

    def _on_algorithm(self, place: int) -> None:
        declared = self._registry.get(self.algorithm.itemData(place))
        text = tr("Choose the algorithm {title}", title=tr(declared.title))
        asked = (LEAST_LOSS, "") if self._algorithm is None else self._algorithm.objective_asked()
        self.edited.emit(text, {"algorithm": declared().following(*asked)}, "")

    def _on_parameters(self, value: Method) -> None:
        self.invalid.emit(self.error)
        self.edited.emit(tr("Set {title}", title=tr(value.title)), {"algorithm": value}, "algorithm")

    def _on_uneven(self, place: int) -> None:
        self.edited.emit(tr("Set the meaning of levels"), {"uneven": self.uneven.itemData(place)}, "")

    def _on_covers_emptied(self, chosen: bool) -> None:
        self.edited.emit(tr("Set what the limit counts"), {"limit_covers_emptied": chosen}, "")

    def _on_suppression(self) -> None:
        self._on_field(self._suppression, tr("Set the suppression limit"), "suppression", 0.01)

    def _on_seed(self) -> None:
        self._on_field(self._seed, tr("Set the seed"), "seed", 1)

    def _on_field(self, field: ParamField, text: str, name: str, unit: float) -> None:
        self.invalid.emit(self.error)
        if self.error:
            return
        value = field.read()
        self.edited.emit(text, {name: value * unit if unit != 1 else value}, name)


def _add(rows: QFormLayout, title: str, widget: QWidget, about: str) -> None:
    label = QLabel(title)
    label.setBuddy(widget)
    widget.setAccessibleName(title)
    widget.setToolTip(about)
    widget.setWhatsThis(about)
    rows.addRow(label, widget)


def _columns(algorithm: Method, project: Project) -> tuple[str, ...]:
    """Give the columns that fields offer: the quasi-identifiers; where one column is to be predicted, others first."""
    names = project.schema.names
    if not any(isinstance(param.kind, Text) and param.kind.column for param in params_of(type(algorithm))):
        return names(Role.QI)
    return (*names(Role.SA), *names(Role.OTHER), *names(Role.QI))
