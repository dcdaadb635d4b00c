"""Forms made from declared parameters."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.core.params import Choice, Flag, Float, Int, ListOf, PerColumn, Shares, Text, param
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.param_form import ParamForm


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing with one parameter of each kind."""

    k: int = param(Int(low=2), default=5, label="k", help="Smallest class.")
    share: float = param(Float(low=0, high=1), default=0.1, label="Share", help="A share.")
    way: str = param(Choice({"a": "First way", "b": "Second way"}), default="a", label="Way", help="Which way.")
    fast: bool = param(Flag(), default=False, label="Fast", help="Be fast.")
    column: str = param(Text(column=True), default="", label="Column", help="Which column.")
    sizes: tuple[int, ...] = param(ListOf(Int()), default=(1, 2), label="Sizes", help="Some sizes.")
    levels: tuple[tuple[str, int], ...] = param(PerColumn(Int()), default=(), label="Levels", help="Some levels.")


def made(qtbot: QtBot, **options: object) -> ParamForm:
    form = ParamForm(Thing, columns=["age", "zip"], **options)  # type: ignore[arg-type]
    qtbot.addWidget(form)
    form.show()
    return form


def test_the_form_shows_the_defaults_and_gives_them_back(qtbot: QtBot) -> None:
    assert made(qtbot).value() == Thing()


def test_every_kind_of_field_is_read(qtbot: QtBot) -> None:
    form = made(qtbot)
    value = Thing(9, 0.25, "b", True, "zip", (3, 4), (("age", 1),))
    form.set_value(value)
    assert form.value() == value


def test_a_change_tells_the_new_value(qtbot: QtBot) -> None:
    form = made(qtbot)
    field = form.fields["k"].widget
    field.selectAll()
    with qtbot.waitSignal(form.changed, check_params_cb=lambda value: value == Thing(k=7)):
        qtbot.keyClicks(field, "7")


def test_a_mistake_shows_the_rule_at_the_field_and_tells_it(qtbot: QtBot) -> None:
    form = made(qtbot)
    field = form.fields["k"].widget
    field.selectAll()
    with qtbot.waitSignal(form.invalid):
        qtbot.keyClicks(field, "1")
    assert form.rules["k"].isVisible()
    assert form.rules["k"].text() == "Must be a whole number of at least 2."
    assert form.error == "k must be a whole number of at least 2."
    assert form.value() is None


def test_the_arrow_keys_step_a_number(qtbot: QtBot) -> None:
    form = made(qtbot)
    qtbot.keyClick(form.fields["k"].widget, Qt.Key.Key_Up)
    assert form.value() == Thing(k=6)


def test_setting_a_value_tells_nothing(qtbot: QtBot) -> None:
    form = made(qtbot)
    told: list[object] = []
    form.changed.connect(told.append)
    form.set_value(Thing(k=8, way="b", fast=True))
    assert told == []


def test_every_field_has_a_label_and_help(qtbot: QtBot) -> None:
    form = made(qtbot)
    for name, field in form.fields.items():
        assert field.widget.accessibleName(), name
        assert field.widget.whatsThis(), name


def test_parameters_that_are_not_shown_keep_their_value(qtbot: QtBot) -> None:
    form = made(qtbot, value=Thing(k=9), names=["way"])
    assert list(form.fields) == ["way"]
    assert form.value() == Thing(k=9)


@dataclass(frozen=True, slots=True)
class Ordered:
    """A thing that asks for columns."""

    first: tuple[str, ...] = param(ListOf(Text(column=True)), default=(), label="First", help="Columns first.")
    ways: tuple[tuple[str, str], ...] = param(
        PerColumn(Choice({"a": "First way", "b": "Second way"})), default=(), label="Ways", help="A way for each."
    )


def of_columns(qtbot: QtBot) -> ParamForm:
    form = ParamForm(Ordered, columns=["age", "zip", "sex"])
    qtbot.addWidget(form)
    form.show()
    return form


def entry(menu: QMenu, title: str) -> QAction:
    menu.aboutToShow.emit()
    return next(action for action in menu.actions() if action.text() == title)


def test_columns_are_ticked_in_an_order_without_typing(qtbot: QtBot) -> None:
    form = of_columns(qtbot)
    box = form.fields["first"].widget
    assert box.currentText() == "none"
    entry(box.menu, "zip").trigger()
    entry(box.menu, "age").trigger()
    assert (box.currentText(), form.value()) == ("zip, age", Ordered(first=("zip", "age")))
    entry(box.menu, "zip").trigger()
    assert form.value() == Ordered(first=("age",))


def test_each_column_may_go_another_way_and_back_to_the_usual_one(qtbot: QtBot) -> None:
    form = of_columns(qtbot)
    box = form.fields["ways"].widget
    assert box.currentText() == "all as usual"
    entry(entry(box.menu, "zip").menu(), "Second way").trigger()
    assert (box.currentText(), form.value()) == ("zip: Second way", Ordered(ways=(("zip", "b"),)))
    entry(entry(box.menu, "zip").menu(), "as usual").trigger()
    assert form.value() == Ordered()


def test_a_choice_that_does_not_fit_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    form = made(qtbot)
    box = form.fields["way"].widget
    assert isinstance(box, WidePopupComboBox)
    assert box.shown_text() == "First way"
    box.resize(60, box.height())
    assert box.shown_text().endswith("…")


@dataclass(frozen=True, slots=True)
class Compared:
    """A thing with a parameter that counts only beside a choice."""

    way: str = param(Choice({"a": "First way", "own": "My own"}), default="a", label="Way", help="Which way.")
    shares: tuple[tuple[str, float], ...] = param(
        Shares(), default=(), label="Shares", help="Some shares.", when=("way", "own")
    )


def test_a_field_shows_only_while_it_counts(qtbot: QtBot) -> None:
    form = ParamForm(Compared)
    qtbot.addWidget(form)
    form.show()
    line = form.fields["shares"].widget
    assert not line.isVisible()
    form.fields["way"].show("own")
    assert line.isVisible()
    form.set_value(Compared())
    assert not line.isVisible()


def test_shares_are_read_and_shown_with_their_commas(qtbot: QtBot) -> None:
    form = ParamForm(Compared, Compared("own", (("flu, mild", 0.25), ("x=y", 2.0))))
    qtbot.addWidget(form)
    line = form.fields["shares"].widget
    assert isinstance(line, QLineEdit)
    assert line.text() == "flu,, mild=0.25, x=y=2"
    assert form.value() == Compared("own", (("flu, mild", 0.25), ("x=y", 2.0)))
    line.setText("flu")
    assert "pairs" in form.error


def test_a_recommended_value_is_taken_from_the_menu_at_the_end_of_the_line(qtbot: QtBot) -> None:
    @dataclass(frozen=True, slots=True)
    class Limited:
        risk: float = param(
            Float(low=0, high=1),
            default=0.5,
            label="Risk",
            help="A risk.",
            presets=((0.09, "A & B"), (0.2, "A book")),
        )

    form = ParamForm(Limited)
    qtbot.addWidget(form)
    line = form.fields["risk"].widget
    menu = line.findChild(QMenu)
    assert [entry.text() for entry in menu.actions()] == ["0.09: A && B", "0.2: A book"]  # shown as A & B
    assert line.findChild(QAction, "presets_risk") is not None
    with qtbot.waitSignal(form.changed, check_params_cb=lambda value: value == Limited(0.09)):
        menu.actions()[0].trigger()
