"""The sensitive column an attack is after, and how its values are spread over the classes."""

from dataclasses import replace
from typing import Protocol

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.params import Text, replace_params
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.equivalence_classes import Histogram
from anonymizer_gui.engine.data.tables.normalisation import merge_homographs
from anonymizer_gui.engine.rooms.microdata.privacy.contract import Sensitive
from anonymizer_gui.engine.rooms.microdata.risk.contract import Exposure, RiskResult
from anonymizer_gui.engine.rooms.microdata.sensitive_values import describe_sensitive

COLUMN = Text(column=True, empty="the sensitive column it hits most")
COLUMN_HELP = "The sensitive column the attacker is after; empty: the one in which most people are hit."


class SensitiveAttack(Protocol):
    """An attack on one sensitive column, or with an empty name on whichever it hits most."""

    @property
    def column(self) -> str:
        """The column it is after."""

    def measure(self, exposure: Exposure, progress: Progress) -> RiskResult:
        """Run the attack on one table."""


def is_open(attack: SensitiveAttack, exposure: Exposure) -> bool:
    """Tell whether the attack may choose among several sensitive columns."""
    return not attack.column and len(exposure.sas) > 1


def hits_most(attack: SensitiveAttack, exposure: Exposure, progress: Progress) -> RiskResult:
    """Run the attack on every sensitive column and give the result with most people hit; the details name its column.

    Columns the attack cannot be run on do not count; raises their BadParameter when there is no other.
    """
    found: list[RiskResult] = []
    refused: BadParameter | None = None
    for done, name in enumerate(exposure.sas):
        part = progress.sub(done / len(exposure.sas), (done + 1) / len(exposure.sas))
        aimed = replace_params(attack, column=name)
        try:
            result = aimed.measure(exposure, part)
        except BadParameter as error:
            refused = error
            continue
        found.append(replace(result, details={**result.details, "column": name}))
    if not found and refused is not None:
        raise refused
    return max(found, key=lambda result: (result.hit, result.value))


def sensitive_histogram(exposure: Exposure, column: str, *, by_rows: bool = False) -> tuple[Histogram, Sensitive]:
    """Count the values of a sensitive column in every class, by people where somebody has several rows.

    Raises BadParameter when there is no such column.
    """
    name = column or next(iter(exposure.sas), "")
    if name not in exposure.sas:
        known = list(exposure.sas) or message("none")
        raise BadParameter("The attack needs a sensitive column.", message("Sensitive are: {names}.", names=known))
    values = merge_homographs(exposure.table.column(name)).compact()
    classes = exposure.classes
    if exposure.persons is None or by_rows:
        histogram = Histogram.count(classes.ids, len(classes), values.codes, len(values.labels), exposure.table.times)
    else:
        histogram = exposure.persons.histogram(name)
    return histogram, describe_sensitive(values, exposure.hierarchies.get(name), exposure.schema)
