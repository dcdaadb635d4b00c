"""The sensitive column an attack is after, and how its values are spread over the classes."""

from anonymizer_gui.engine.classes import Histogram
from anonymizer_gui.engine.errors import BadParameter
from anonymizer_gui.engine.measures import describe_sensitive
from anonymizer_gui.engine.params import Text
from anonymizer_gui.engine.privacy.contract import Sensitive
from anonymizer_gui.engine.risk.contract import Exposure

COLUMN = Text(column=True, empty="the first sensitive column")
COLUMN_HELP = "The sensitive column the attacker is after; empty: the first one."


def sensitive_histogram(exposure: Exposure, column: str) -> tuple[Histogram, Sensitive]:
    """Count the values of a sensitive column in every class; raises BadParameter when there is no such column."""
    name = column or next(iter(exposure.sas), "")
    if name not in exposure.sas:
        known = ", ".join(exposure.sas) or "none"
        raise BadParameter("The attack needs a sensitive column.", f"Sensitive are: {known}.")
    values = exposure.table.column(name).compact()
    classes = exposure.classes
    histogram = Histogram.count(classes.ids, len(classes), values.codes, len(values.labels))
    return histogram, describe_sensitive(values, exposure.hierarchies.get(name), exposure.schema)
