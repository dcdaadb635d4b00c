"""A hospital whose people, rare places and rare diseases no number may show."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.io import write_table
from anonymizer_gui.engine.dp.sensitivity import PrivacyUnit
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.room import room_of
from anonymizer_gui.engine.rooms.statistics.project import TABLE, Project
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question
from anonymizer_gui.engine.storage.sources import Source
from tests.canaries import PEOPLE, SUPPRESSED, UNUSED, canary_table
from tests.contract.room_samples import RoomSample

LEAVES = ("13050", "13051", "13052", "13053")
ASKED = (
    "count age>=24 with weight=2",
    "mean age 0 100 for ward=-W1 with epsilon=0.5",
    "histogram disease =Flu,Cancer,@Heart,+Asthma with noise=gaussian",
    "levels age",
    "top 2 disease =Flu,Cancer,@Heart with way=top-k-once",
)


def sample(folder: Path) -> RoomSample:
    """Give a plan that uses every entry: people, locks, weights, parts, Gaussian noise and a hierarchy."""
    write_table(canary_table(), folder / "hospital.csv")
    source = room_of("statistics").read(TABLE, Source(str(folder / "hospital.csv")), SILENT).source
    ages = {"20-23": ["20", "21", "22", "23"], "24-27": ["24", "25", "26", "27"]}
    project = Project(
        name="hospital",
        source=source,
        unit=PrivacyUnit.parse("person=name:2"),
        surplus="first",
        questions=tuple(parse_question(text) for text in ASKED),
        epsilon=Fraction(4),
        total=Fraction(5),
        delta=Fraction(1, 10**9),
        policy="weights",
        hierarchies={"age": Hierarchy.from_nested({"*": ages})},
        rows=40,
    )
    return RoomSample(project, "out.csv", hidden=(*PEOPLE, *SUPPRESSED, *LEAVES, UNUSED))


NOT_MEASURED: dict[str, str] = {
    "unit.surplus": "which rows of a person were left out cannot be seen in noisy numbers",
    "unit.told": "a table of answers does not name the unit; the number of rows is in the noise",
    "plan.policy": "a decision of the owner",
    "plan.total": "a decision of the owner",
    "earlier": "releases made before are not published with this one",
    "answers.*.is_cached": "releases made before are not published with this one",
    "resets": "the ledger is not published",
    "ledger": "the ledger is not published",
    "source": "the source is not published",
    "noise": "versions cannot be read off the bytes",
    "answers.*.why": "the hierarchy of a column is not published",
    "answers.*.notes": "some depend on noise that is not published",
    "answers.1.error95_all": "the error of a mean depends on a noisy count that is not published",
}
"""Entries of the certificate that no file can confirm, with the reason."""
FORGED: dict[str, dict[str, Any]] = {
    "differential-privacy": {"epsilon": 0.01, "delta": 1e-12, "epsilon_of_this_release": 0.001}
}
"""A stronger value of a parameter of every promise, which a forger would like to be believed."""
