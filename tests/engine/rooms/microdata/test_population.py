"""People of a population in the cells of published classes, against comparing them one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.rooms.microdata.population import ClassBoxes

CELL = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda ends: (min(ends), max(ends)))
WIDE = st.lists(st.tuples(CELL, CELL, st.integers(1, 9)), min_size=1, max_size=12)
APART = st.lists(
    st.tuples(st.sampled_from([(0, 2), (3, 3), (5, 6)]), st.sampled_from([(0, 0), (1, 6)]), st.integers(1, 9)),
    min_size=1,
    max_size=12,
)
PEOPLE = st.lists(st.tuples(st.integers(-1, 6), st.integers(-1, 6), st.integers(1, 9)), max_size=20)
Box = tuple[tuple[int, int], tuple[int, int], int]
Person = tuple[int, int, int]


def fits(box: Box, person: Person) -> bool:
    return all(box[i][0] <= person[i] <= box[i][1] for i in (0, 1))


@given(st.one_of(WIDE, APART), PEOPLE)
def test_people_and_rows_are_counted_as_one_by_one(boxes: list[Box], people: list[Person]) -> None:
    low, high = (tuple(np.array([box[c][end] for box in boxes]) for c in (0, 1)) for end in (0, 1))
    leaf = tuple(np.array([person[c] for person in people], dtype=np.int64) for c in (0, 1))
    found = ClassBoxes(low, high, leaf)
    counts, rows = (np.array([each[2] for each in all_], dtype=np.int64) for all_ in (people, boxes))
    expected_people = [sum(p[2] for p in people if fits(box, p)) for box in boxes]
    expected_rows = [sum(box[2] for box in boxes if fits(box, p)) for p in people]
    assert found.people_in_boxes(counts, SILENT).tolist() == expected_people
    assert found.rows_of_people(rows, SILENT).tolist() == expected_rows
