"""A small table about visits, a hierarchy for it, and one way to ask each question about it."""

from fractions import Fraction
from typing import Any

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.statistics.project import Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question

NAMES = ("id", "sex", "age", "school", "day", "east", "north")
ROW, CHANGE, PERSON = PrivacyUnit.parse("row"), PrivacyUnit.parse("change"), PrivacyUnit.parse("person=id:2")
SCHOOL = Hierarchy.from_nested({"*": {"low": ["none", "basic"], "high": {"first": ["BA"], "more": ["MA", "PhD"]}}})
ASKS = (
    "count",
    "count age>=65 and sex=F",
    "count with noise=gaussian",
    "sum age 20 100",
    "sum age -10 5.5 with noise=gaussian",
    "mean age 0 100",
    "mean age 18 65 with noise=gaussian",
    "median age 0 100",
    "quantile 0.9 age 0 100 with chooser=permute-and-flip",
    "min age 0 120",
    "max age 0 120",
    "histogram sex F,M",
    "histogram sex F,M with others=yes",
    "histogram school",
    "histogram school low,high",
    "histogram age 0 100 10",
    "histogram age 0 100 7 with others=yes noise=gaussian",
    "histogram day 2024-01-01 2024-12-31 month",
    "histogram day 2024-01-01 2024-03-31 week with others=yes",
    "two-way sex F,M school low,high",
    "grid east 0 1 north 0 2 4 3",
    "most-common school",
    "most-common sex F,M with chooser=permute-and-flip",
    "top 2 school",
    "top 2 school with way=top-k-once",
    "levels school",
    "bounds age",
    "mean age 0 100 for sex=F",
    "levels school for sex=M",
    "k-means 2 age 0 100 east 0 1",
    "k-means 2 age 0 100 east 0 1 north 0 2",
    "k-means 3 age 0 100 east 0 1 with way=halves rounds=3 noise=gaussian",
    "synthetic sex=F|M age=0..99/5 school day=2024-01-01..2024-12-31/4",
    "synthetic sex=F|M age=0..99/5 school day=2024-01-01..2024-12-31/4 with way=net",
    "synthetic sex=F|M east=0.00..1.00/4 school=low|high with target=sex rows=40 noise=laplace",
    "learn sex=F|M age=0..99/5 school with epochs=2 rate=0.5",
    "learn school=low|high age=0..99/5 sex=F|M with kind=hidden hidden=2 epochs=2 rate=0.25",
)


def visits(rows: int = 60) -> Table:
    """Give a table of visits that is the same every time."""
    schools = ("none", "basic", "BA", "MA", "PhD")
    made = [
        [f"p{i // 2}", "FM"[i % 2], str((i * 37) % 100), schools[i % 5], f"2024-{i % 12 + 1:02d}-15",
         f"{(i % 10) / 10:.1f}", f"{(i % 7) / 5:.1f}"]
        for i in range(rows)
    ]  # fmt: skip
    return Table.from_rows(NAMES, made)


def plan(*asks: str, **changes: Any) -> Project:
    """Give a plan with these questions."""
    usual: dict[str, Any] = {
        "questions": tuple(parse_question(ask) for ask in asks),
        "epsilon": Fraction(1),
        "total": Fraction(100),
        "delta": Fraction(1, 10**9),
        "hierarchies": {"school": SCHOOL},
    }
    return Project(**{**usual, **changes})
