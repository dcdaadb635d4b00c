"""What is said when goals cannot be reached, and that the way out works."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import Infeasible
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.algorithms.auto import Auto
from anonymizer_gui.engine.rooms.microdata.algorithms.contract import EncodedTable, SearchLimits
from anonymizer_gui.engine.rooms.microdata.algorithms.full_domain import BottomUp, ChosenLevels
from anonymizer_gui.engine.rooms.microdata.algorithms.suppression import allowed_suppressions, suppress_groups
from anonymizer_gui.engine.rooms.microdata.models.contract import PrivacyModel
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity, EntropyLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import NTCloseness, TCloseness
from tests.engine.rooms.microdata.algorithms.encoded_tables import encoded_table, goals_of, tables

PLACE = Hierarchy.from_nested({"*": {"north": ["a", "b"], "south": ["c", "d"]}})


def explained(encoded: EncodedTable, *models: PrivacyModel, algorithm: object = None, limit: float = 0.0) -> Infeasible:
    runner = algorithm or BottomUp()
    with pytest.raises(Infeasible) as caught:
        runner.run(encoded, goals_of(encoded, *models), SearchLimits(limit), SILENT)  # type: ignore[attr-defined]
    return caught.value


def test_more_people_than_there_are_cannot_be_asked_for() -> None:
    error = explained(encoded_table([[0], [1], [2]], [PLACE]), KAnonymity(5))
    assert error.message == "k-anonymity cannot be reached: the table has only 3 rows."
    assert error.nearest == "k = 3"
    assert error.goal == "every class has at least 5 rows"


def test_the_sensitive_column_that_has_too_few_values_is_named() -> None:
    error = explained(encoded_table([[0], [1], [2]], [PLACE], [0, 1, 0]), KAnonymity(2), DistinctLDiversity(3))
    assert "distinct l-diversity" in error.message
    assert "reaches only 2 for “s”; its only class (3 rows) fails" in error.message
    assert error.nearest == "l = 2"


def test_classes_that_fail_are_counted_and_higher_levels_offered() -> None:
    encoded = encoded_table([[0], [0], [0], [2]], [PLACE], bounds=[(0, 1)])
    error = explained(encoded, KAnonymity(2))
    assert "1 of its 2 classes (1 row) fail" in error.message
    assert "allow the suppression of 25 % of the rows" in error.hint
    assert "allow higher levels of a" in error.hint


def test_what_is_told_is_what_the_classes_were_decided_by() -> None:
    """Three of one kind and one of the other are within 1/4 of both classes; in a search the whole table is asked."""
    encoded = encoded_table([[0]] * 12 + [[2]] * 4, [PLACE], [0] * 14 + [1] * 2, bounds=[(0, 1)])
    error = explained(encoded, NTCloseness(t=0.3, n=4))
    assert "reaches only 0.375 for “s”" in error.message


def test_levels_by_hand_are_explained_for_the_node_that_was_picked() -> None:
    encoded = encoded_table([[0], [0], [0], [2], [2]], [PLACE])
    error = explained(encoded, KAnonymity(3), algorithm=ChosenLevels((("a", 0),)))
    assert error.message.startswith("k-anonymity cannot be reached: this table reaches only 2")
    assert error.nearest == "k = 2"


def test_auto_explains_when_no_algorithm_reaches_the_goals() -> None:
    error = explained(encoded_table([[0], [1]], [PLACE]), KAnonymity(3), algorithm=Auto())
    assert error.nearest == "k = 2"


def test_auto_takes_the_result_that_loses_least_and_names_its_maker() -> None:
    random = np.random.default_rng(3)
    encoded = encoded_table(random.integers(0, 4, (40, 3)), [PLACE] * 3)
    notes = Auto().run(encoded, goals_of(encoded, KAnonymity(3)), SearchLimits(), SILENT).notes
    losses = {title: float(lm.rstrip("%")) for title, _, lm in (note.partition(": LM ") for note in notes) if lm}
    assert notes[0] == f"Made by {min(losses, key=lambda title: losses[title])}."
    assert len(losses) >= 3


@given(
    tables(max_rows=20, max_columns=2),
    st.sampled_from([KAnonymity(30), DistinctLDiversity(4), EntropyLDiversity(3.5), TCloseness(0.0)]),
)
def test_the_nearest_setting_works_and_the_next_one_does_not(encoded: EncodedTable, model: PrivacyModel) -> None:
    node = ChosenLevels(tuple((qi.name, 0) for qi in encoded.qis))
    try:
        node.run(encoded, goals_of(encoded, model), SearchLimits(), SILENT)
    except Infeasible as error:
        label, _, value = error.nearest.partition(" = ")
        kind = type(getattr(model, label))
        assert works(encoded, type(model)(kind(value)))
        stricter = kind(value) + 1 if kind is int else kind(value) - (0.001 if label == "t" else -0.001)
        assert stricter < 0 or not works(encoded, type(model)(stricter))


def works(encoded: EncodedTable, model: PrivacyModel) -> bool:
    tuples = np.arange(len(encoded.tuples))
    groups = encoded.groups(tuples, len(tuples))
    return suppress_groups(groups, goals_of(encoded, model), 0) is not None


@given(st.integers(0, 1000), st.integers(0, 100))
def test_a_limit_in_percent_allows_whole_rows(rows: int, percent: int) -> None:
    assert allowed_suppressions(rows, percent / 100) == rows * percent // 100


def test_goals_are_decided_again_when_rows_are_dropped() -> None:
    # Shares of value 1: 0, 1/2 and 1; 0.7 of the whole, but 0.875 of what remains without the first class.
    rows = [[0]] * 4 + [[1]] * 4 + [[2]] * 12
    encoded = encoded_table(rows, [PLACE], [0] * 4 + [0, 0, 1, 1] + [1] * 12)
    groups, goals = encoded.groups(np.arange(3), 3), goals_of(encoded, TCloseness(0.32))
    assert goals.satisfied(groups).tolist() == [False, True, True]
    settled = suppress_groups(groups, goals, 8)
    assert settled is not None
    assert settled.kept.tolist() == [False, False, True]
    assert suppress_groups(groups, goals, 7) is None
