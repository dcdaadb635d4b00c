"""The worst classes of an analysis as lines a person can read."""

from dataclasses import dataclass

from anonymizer_gui.engine.rooms.microdata.risk.contract import Exposure, RiskResult


@dataclass(frozen=True, slots=True)
class WorstClass:
    """One class: its published cells, its rows (or people where these are counted), the number the analysis gives."""

    cells: tuple[str, ...]
    rows: int
    value: float
    shares: tuple[float, ...] = ()
    """Which part of the number each column has a hand in, where an analysis tells it (SUDA2)."""


def worst_classes(exposure: Exposure, found: RiskResult, most: int = 50) -> tuple[WorstClass, ...]:
    """List the worst classes of the table that was analysed, worst first; those without any risk are left out."""
    columns = [exposure.table.column(name) for name in exposure.qis]
    listed = []
    for number in found.worst[:most].tolist():
        row = int(found.first_rows[number])
        cells = tuple(column.labels[int(column.codes[row])] for column in columns)
        if found.per_class[number] > 0:
            told = found.details.get("scores", {}).get(str(row), {}).get("columns", {})
            shares = tuple(told.get(name, 0.0) for name in exposure.qis) if told else ()
            listed.append(WorstClass(cells, int(exposure.people[number]), float(found.per_class[number]), shares))
    return tuple(listed)
