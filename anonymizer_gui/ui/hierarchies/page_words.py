"""What the Hierarchies page says of the columns it is about; a room that knows others by other names says so."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageWords:
    """Sentences of the page, to be translated; as they are, they speak of the columns of a table."""

    unmarked: str = "Mark the quasi-identifiers first."
    some: str = "{done} of {all} quasi-identifiers have a hierarchy"
    unplaced: str = "{count:quasi-identifier has|quasi-identifiers have} values without a place"
    contradicted: str = "{count:quasi-identifier has|quasi-identifiers have} labels that contradict values"
    done: str = "Every quasi-identifier has a hierarchy"
    propose: str = "Propose a hierarchy for every quasi-identifier that has none"
    no_data: str = "Open a table to shape its hierarchies."
    no_column: str = "No column is marked as a quasi-identifier yet."
    way_out: str = "Hierarchies say how quasi-identifiers are made coarser: mark those columns on the Data page."
    go: str = "Go to Data"
    go_to: str = "data"
    """The page where columns are marked."""
    level: str = "<b>The column at level</b>"
    one_class: str = "One class from this column alone, with {rows:row|rows}; LM {loss}"
    classes: str = "{classes:class|classes} from this column alone, the smallest with {rows:row|rows}; LM {loss}"
    counted: str = "Rows"
    """What is counted under each label."""
    counted_tip: str = "Rows of the table whose value lies under this label"
    node: str = "{label}: level {level} of {height}, {rows:row|rows}, {leaves:leaf|leaves}, LM {loss}"
    tray: str = "<b>Without a place</b>: values {values}, rows {rows}"
    with_sensitive: bool = True
    """Whether sensitive columns may have a hierarchy, too."""
    is_one: bool = False
    """Whether there is always one column, so that no list of them is needed."""


OF_TABLES = PageWords()
"""Where nothing else is said, columns of a table are spoken of."""
