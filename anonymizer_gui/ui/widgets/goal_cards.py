"""The privacy goals as cards: what each asks for, its parameters, what it stops and what it leaves open."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import params_of
from anonymizer_gui.engine.core.registry import Registry
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, plain_text
from anonymizer_gui.ui.widgets.layout import VerticalScrollArea
from anonymizer_gui.ui.widgets.param_form import ParamForm

GoalGroups = Sequence[tuple[str, Sequence[type[Any]]]]
"""Headings, and the goals below each."""


class GoalCard(QFrame):
    """One goal."""

    changed = Signal(object)
    invalid = Signal(str)
    removed = Signal()

    def __init__(self, model: Any, columns: Sequence[str]) -> None:
        super().__init__(frameShape=QFrame.Shape.StyledPanel)
        self.setObjectName(f"goal_{model.name}")
        self.setAutoFillBackground(True)
        self.setBackgroundRole(self.backgroundRole().Base)
        self.form = ParamForm(type(model), model, columns=columns, names=_names_worth_asking(model, columns))
        self._build(model)
        self.form.changed.connect(self.changed)
        self.form.invalid.connect(self.invalid)

    def _build(self, model: Any) -> None:
        title = QLabel(tr(model.title), wordWrap=True)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        self.about = about = _icon_button("info", tr("About {title}", title=tr(model.title)))
        about.setCheckable(True)
        self.remove = remove = _icon_button("delete", tr("Remove {title}", title=tr(model.title)))
        remove.clicked.connect(self.removed)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(about)
        head.addWidget(remove)
        self.sentence = QLabel(tr(model.summary), wordWrap=True)
        self.more = QLabel(_explanation(model), wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.more.setVisible(False)
        self.more.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        about.toggled.connect(self.more.setVisible)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(self.sentence)
        layout.addWidget(self.form)
        layout.addWidget(self.more)


class GoalList(QWidget):
    """All goals, and the button that adds one."""

    edited = Signal(str, object, str)
    """Carries the sentence of the step, the new goals, and the key under which steps are merged."""
    invalid = Signal(str)
    """Carries the mistake in a field, or nothing when all are right."""

    def __init__(self, registry: Registry[Any], nothing: str, groups: GoalGroups | None = None) -> None:
        """Offer the goals of a registry, in groups under a heading each; `nothing` is said while there is none."""
        super().__init__()
        self.registry = registry
        self._nothing = nothing
        # The best known have the shortest names.
        self._groups = groups or (("", sorted(registry, key=lambda model: len(model.name))),)
        self.cards: list[GoalCard] = []
        self._goals: tuple[Any, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._build()

    def show_goals(self, goals: Sequence[Any], columns: Sequence[str]) -> None:
        """Show other goals; cards whose fields already say so are left alone, with focus and cursor."""
        same_kinds = [type(goal) for goal in goals] == [type(goal) for goal in self._goals]
        self._goals = tuple(goals)
        if not same_kinds or tuple(columns) != self._columns:
            self._columns = tuple(columns)
            self._rebuild()
        for card, goal in zip(self.cards, goals, strict=True):
            if card.form.value() != goal and not (card.form.error and card.form.isAncestorOf(self.focusWidget())):
                card.form.set_value(goal)
        self.invalid.emit(self.error)

    def in_reading_order(self) -> list[QWidget]:
        """Give what the Tab key goes through."""
        parts: list[QWidget] = [self.add]
        for card in self.cards:
            parts += [card.about, card.remove, *(field.widget for field in card.form.fields.values())]
        return parts

    @property
    def error(self) -> str:
        """The first mistake in a field; empty when all are right."""
        return next((card.form.error for card in self.cards if card.form.error), "")

    def add_goal(self, name: str) -> None:
        """Add a goal of this kind with its usual parameters."""
        declared = self.registry.get(name)
        self.edited.emit(tr("Add the goal {title}", title=tr(declared.title)), (*self._goals, declared()), "")

    def _build(self) -> None:
        self.add = name_widget(QPushButton(tr("Add a Goal")), "add_goal")
        theme.set_icon(self.add, "add")
        self.add.setMenu(self._menu())
        self.add.setWhatsThis(tr("Adds one more promise that every release must keep; all of them must hold together."))
        self.nothing = QLabel(self._nothing, wordWrap=True)
        inside = QWidget()
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.addWidget(self.nothing)
        self._list.addStretch()
        area = VerticalScrollArea(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.add, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(area, 1)

    def _menu(self) -> QMenu:
        """Offer every goal with what it means, under what it is good for."""
        menu = QMenu(self)
        for heading, declared in self._groups:
            if heading:
                menu.addSection(heading)
            for model in declared:
                entry = menu.addAction(tr("{title}: {text}", title=tr(model.title), text=tr(model.summary)))
                entry.setObjectName(f"add_{model.name}")
                entry.setStatusTip(tr(model.stops))
                entry.triggered.connect(lambda _checked=False, name=model.name: self.add_goal(name))
        return menu

    def _rebuild(self) -> None:
        for card in self.cards:
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for place, goal in enumerate(self._goals):
            card = GoalCard(goal, self._columns)
            card.changed.connect(lambda value, place=place: self._on_changed(place, value))
            card.invalid.connect(self.invalid)
            card.removed.connect(lambda place=place: self._on_removed(place))
            self._list.insertWidget(place + 1, card)
            self.cards.append(card)
        self.nothing.setVisible(not self.cards)

    def _on_changed(self, place: int, value: Any) -> None:
        self.invalid.emit(self.error)
        goals = (*self._goals[:place], value, *self._goals[place + 1 :])
        self.edited.emit(tr("Set {title}", title=tr(value.title)), goals, f"goal {place}")

    def _on_removed(self, place: int) -> None:
        text = tr("Remove the goal {title}", title=tr(self._goals[place].title))
        self.edited.emit(text, (*self._goals[:place], *self._goals[place + 1 :]), "")


def _icon_button(icon: str, name: str) -> QToolButton:
    button = QToolButton(autoRaise=True)
    theme.set_icon(button, icon)
    button.setToolTip(plain_text(name))
    button.setWhatsThis(plain_text(name))
    button.setAccessibleName(name)
    return button


def _names_worth_asking(model: Any, columns: Sequence[str]) -> list[str]:
    """List the parameters to show: with one sensitive column there is no choice among several."""
    usual = type(model)()
    return [
        param.name
        for param in params_of(type(model))
        if len(columns) > 1 or not param.among_columns or _differs(model, usual, param.name)
    ]


def _differs(model: Any, usual: Any, name: str) -> bool:
    return bool(getattr(model, name) != getattr(usual, name))


def _explanation(model: Any) -> str:
    parts = [
        (tr("Stops"), tr(model.stops)),
        (tr("Leaves open"), tr(model.leaves_open)),
        (tr("Formula"), tr(model.formula)),
        (tr("Source"), model.source),
    ]
    return "".join(f"<p><b>{head}:</b> {_escaped(text)}</p>" for head, text in parts if text)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
