"""Charts of a masked column draw as original what was read, never what a mask made of it."""

from collections import Counter
from pathlib import Path

import pytest

from anonymizer_gui.engine.rooms.microdata.masking.contract import Step
from anonymizer_gui.engine.rooms.microdata.masking.global_recoding import RoundNumbers
from anonymizer_gui.engine.rooms.microdata.masking.microaggregation import Microaggregation
from anonymizer_gui.engine.rooms.microdata.masking.noise_addition import AddNoise
from anonymizer_gui.engine.rooms.microdata.masking.row_sampling import SyntheticRows
from anonymizer_gui.engine.rooms.microdata.release.release import UnmaskedComparison, compare_with_source
from anonymizer_gui.engine.rooms.microdata.utility.distributions import column_distribution, joint_change
from anonymizer_gui.engine.rooms.microdata.utility.query_error import ask_texts
from tests.engine.rooms.microdata.test_untruthful import ROWS, released

COSTS = [row.split(",")[3] for row in ROWS[1:]]
AGES = [row.split(",")[1] for row in ROWS[1:]]


@pytest.mark.parametrize(
    "step", [AddNoise(("cost",), 0.5, seed=3), RoundNumbers("cost", 50), Microaggregation(("cost",), 3, within=True)]
)
def test_the_original_of_a_masked_column_is_what_was_read(step: Step, tmp_path: Path) -> None:
    release, table = released(tmp_path, step)
    found = column_distribution(compare_with_source(release, table), "cost", most=1000)
    share = Counter(COSTS)
    assert dict(zip(found.labels, found.before, strict=True)) == pytest.approx(
        {label: share.get(label, 0) / len(COSTS) for label in found.labels}
    )
    assert set(COSTS) <= set(found.labels)
    published = Counter(release.table.column("cost").texts())
    kept = len(release.table.column("cost"))
    for label, after in zip(found.labels, found.after, strict=True):
        assert after == pytest.approx(published.get(label, 0) / kept)


def test_a_masked_quasi_identifier_keeps_its_hierarchy_and_its_true_values(tmp_path: Path) -> None:
    release, table = released(tmp_path, RoundNumbers("age", 5))
    found = column_distribution(compare_with_source(release, table), "age", most=1000)
    before = {label: share for label, share in zip(found.labels, found.before, strict=True) if share}
    assert before == pytest.approx({age: n / len(AGES) for age, n in Counter(AGES).items()})
    assert sum(found.after) == pytest.approx(1.0)


def test_rows_that_are_made_up_are_not_in_the_original(tmp_path: Path) -> None:
    release, table = released(tmp_path, SyntheticRows(0.5, seed=3))
    comparison = compare_with_source(release, table)
    found = column_distribution(comparison, "cost", most=1000)
    before = {label: share for label, share in zip(found.labels, found.before, strict=True) if share}
    assert before == pytest.approx({cost: n / len(COSTS) for cost, n in Counter(COSTS).items()})
    assert comparison.suppressed == 0
    assert abs(sum(map(sum, joint_change(comparison, "age", "cost").change))) < 0.1


def test_a_question_is_answered_with_the_true_count(tmp_path: Path) -> None:
    release, table = released(tmp_path, RoundNumbers("cost", 1000))
    assert ask_texts(compare_with_source(release, table), {"cost": "100"})[0].truth == COSTS.count("100")


def test_without_steps_it_is_the_usual_comparison(tmp_path: Path) -> None:
    assert not isinstance(compare_with_source(*released(tmp_path)), UnmaskedComparison)
