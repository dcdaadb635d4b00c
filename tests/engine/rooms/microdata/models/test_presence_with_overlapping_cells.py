"""People in no class are found although overlapping cells count others twice."""

from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.measurement import MeasurementContext, measure_table, published_groups
from anonymizer_gui.engine.rooms.microdata.models.presence import DeltaPresence
from tests.engine.rooms.microdata.making import hospital_project

TREES = hospital_project().hierarchies
PUBLISHED = Table.from_rows(["age", "zip"], [["20-23", "1305*"], ["*", "13050"]])
POPULATION = Table.from_rows(["age", "zip"], [["20", "13050"], ["24", "13051"]])


def test_somebody_outside_every_class_breaks_a_lower_bound() -> None:
    _, groups, whole = published_groups(PUBLISHED, ["age", "zip"], [], TREES, population=POPULATION)
    assert groups.population is not None
    assert groups.population.tolist() == [1, 1]
    assert whole.people_in_no_class == 1
    for goal, holds in ((DeltaPresence(delta_max=1.0), True), (DeltaPresence(delta_max=1.0, delta_min=0.1), False)):
        measured = measure_table(
            PUBLISHED,
            ["age", "zip"],
            [],
            goals=[goal],
            background=MeasurementContext(hierarchies=TREES, population=POPULATION),
        )
        assert measured.holds is holds
