"""What is asked of every control, on pages and in dialogs: a name, and room for its words."""

from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTabWidget,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTextEdit,
)


def has_name(widget: QWidget) -> bool:
    """Tell whether a screen reader can say what the control is."""
    buddies = [label for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return bool(widget.accessibleName() or text or buddies)


def is_part_of_another(widget: QWidget) -> bool:
    """Tell whether Qt made the control for its own use inside another one."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit, QTextBrowser)):
            return True
        if parent.metaObject().className() in ("QTabBar", "QDockWidgetTitle", "QComboBoxPrivateContainer"):
            return True
        parent = parent.parentWidget()
    return widget.objectName().startswith("qt_")


def nameless(root: QWidget) -> list[str]:
    """List the controls a screen reader could not name."""
    controls = [widget for widget in root.findChildren(QWidget) if isinstance(widget, CONTROLS)]
    return [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in controls
        if not has_name(widget) and not is_part_of_another(widget)
    ]


def narrow_buttons(root: QWidget) -> list[str]:
    """List the buttons in sight that are narrower than their words."""
    buttons = [button for button in root.findChildren(QAbstractButton) if button.isVisible() and button.text()]
    return [button.text() for button in buttons if button.width() < button.minimumSizeHint().width()]


def low_labels(root: QWidget) -> list[str]:
    """List the labels in sight that are lower than the lines of their words."""
    labels = [label for label in root.findChildren(QLabel) if label.isVisible() and label.wordWrap() and label.text()]
    return [label.text() for label in labels if label.height() < label.heightForWidth(label.width())]


def shown_texts(root: QWidget) -> Iterator[str]:
    """Give every text a person may read in a window: words, tooltips, names, choices, tabs and actions."""
    for widget in root.findChildren(QWidget):
        yield from (widget.toolTip(), widget.accessibleName())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        if isinstance(widget, QComboBox):
            yield from (widget.itemText(place) for place in range(widget.count()))
        if isinstance(widget, QTabWidget):
            yield from (widget.tabText(place) for place in range(widget.count()))
    yield from (action.text().replace("&", "") for action in root.findChildren(QAction))
