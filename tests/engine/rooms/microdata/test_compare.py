"""A release beside its original."""

import pytest

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import ALGORITHMS
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.engine.rooms.microdata.release.release import Release, attack_views, compare_release
from anonymizer_gui.engine.rooms.microdata.risk.contract import attack_before_and_after
from anonymizer_gui.engine.rooms.microdata.risk.reidentification import ProsecutorRisk
from anonymizer_gui.engine.rooms.microdata.run import run
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS
from tests.engine.rooms.microdata.worked_tables import HOSPITAL, HOSPITAL_QIS, HOSPITAL_TREES


@pytest.fixture(scope="module")
def release() -> Release:
    roles = {**dict.fromkeys(HOSPITAL_QIS, Role.QI), "Disease": Role.SA}
    schema = Schema(tuple(ColumnSchema(name, role=roles[name]) for name in HOSPITAL.names))
    project = Project(
        schema=schema, hierarchies=HOSPITAL_TREES, goals=(KAnonymity(k=4),), algorithm=ALGORITHMS.get("bottom-up")()
    )
    return run(HOSPITAL, project)


@pytest.mark.parametrize("name", ["lm", "md", "discernibility"])
def test_measures_of_a_release_agree_with_what_it_was_measured_to_hold(release: Release, name: str) -> None:
    found = METRICS.get(name)().measure(compare_release(release, HOSPITAL), SILENT).value
    assert found == pytest.approx(getattr(release.measured, name))


def test_the_risk_of_a_release_is_one_in_the_size_of_its_smallest_class(release: Release) -> None:
    both = attack_before_and_after(ProsecutorRisk(), *attack_views(release, HOSPITAL), SILENT)
    assert (both.before.value, both.after.value) == (1.0, 1 / release.measured.k)
