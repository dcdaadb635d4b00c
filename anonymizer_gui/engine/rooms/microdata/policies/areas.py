"""How many people live in each postal area, from a table the user supplies."""

from dataclasses import replace
from pathlib import Path

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.core.progress import SILENT, Progress
from anonymizer_gui.engine.data.tables.io import ReadOptions, read_table
from anonymizer_gui.engine.rooms.microdata.policies.places import PostalAreas
from anonymizer_gui.engine.rooms.microdata.policies.rule_sets import RuleSet

_MOST_ROWS = 100_000
_DIGITS = 3


def read_areas(path: Path, progress: Progress = SILENT) -> dict[str, int]:
    """Read areas and their people from the first two columns; codes of more digits are added up by the first three.

    Raises UnreadableFile with one sentence for the first row that does not fit.
    """
    table = read_table(path, ReadOptions(), progress)[0]
    if len(table.columns) < 2 or table.n_rows > _MOST_ROWS:
        raise _unfit(path)
    found: dict[str, int] = {}
    codes, people = (column.texts().tolist() for column in table.columns[:2])
    for code, count in zip(codes, people, strict=True):
        plain = str(count).replace(",", "").replace(" ", "")
        if not (code.isascii() and code.isdigit() and plain.isascii() and plain.isdigit()) or len(plain) > 10:
            raise _unfit(path)
        area = (code.zfill(_DIGITS) if len(code) <= _DIGITS else code.zfill(5))[:_DIGITS]
        found[area] = found.get(area, 0) + int(plain)
    return found


def with_areas(policy: RuleSet, areas: dict[str, int]) -> RuleSet:
    """Give a policy whose rules about postal areas know how many people live there."""
    populations = tuple(sorted((area, float(people)) for area, people in areas.items()))
    rules = [replace(rule, populations=populations) if isinstance(rule, PostalAreas) else rule for rule in policy.rules]
    return replace(policy, rules=tuple(rules))


def looks_at_areas(policy: RuleSet) -> bool:
    """Tell whether a policy has a rule about postal areas."""
    return any(isinstance(rule, PostalAreas) for rule in policy.rules)


def asks_for_areas(policy: RuleSet) -> bool:
    """Tell whether a policy has a rule about postal areas that knows no people yet."""
    return any(isinstance(rule, PostalAreas) and not rule.populations for rule in policy.rules)


def _unfit(path: Path) -> UnreadableFile:
    return UnreadableFile(
        message("“{name}” is no table of areas and their people.", name=path.name),
        "Its first column must hold postal codes in digits, its second how many people live there.",
    )
