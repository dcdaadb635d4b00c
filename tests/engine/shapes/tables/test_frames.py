"""DataFrames as tables and back: types, missing values, odd names; what is not ready is no frame."""

import datetime

import numpy as np
import pandas as pd
import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.errors import AnonymizerError, BadParameter, UnreadableFile
from anonymizer_gui.engine.releases.export import NotReady
from anonymizer_gui.engine.rooms.microdata.privacy.k_anonymity import KAnonymity
from anonymizer_gui.engine.shapes.tables.frames import frame_of, table_of_frame
from anonymizer_gui.engine.shapes.tables.table import MISSING


def test_every_type_has_one_text_and_missing_is_missing() -> None:
    frame = pd.DataFrame(
        {
            "whole": [1, 2, 3],
            "number": [1.0, np.nan, 2.5],
            "day": [datetime.datetime(2024, 1, 31), pd.NaT, datetime.datetime(2024, 2, 1)],
            "text": [" a ", None, ""],
            "sort": pd.Categorical(["x", None, "x"]),
        },
        index=[7, 8, 9],
    )
    table, _ = table_of_frame(frame)
    assert table.column("whole").texts().tolist() == ["1", "2", "3"]
    assert table.column("number").texts().tolist() == ["1", MISSING, "2.5"]
    assert table.column("day").texts().tolist() == ["2024-01-31", MISSING, "2024-02-01"]
    assert table.column("text").texts().tolist() == ["a", MISSING, MISSING]
    assert frame_of(table)["sort"].tolist() == ["x", None, "x"]


def test_names_are_made_different_and_told() -> None:
    table, report = table_of_frame(pd.DataFrame([[1, 2, 3]], columns=["a", "a", 5]))
    assert len(set(table.names)) == 3
    assert "5" in table.names
    assert report.renamed


def test_a_frame_without_columns_is_refused_and_one_without_rows_is_not() -> None:
    with pytest.raises(UnreadableFile):
        table_of_frame(pd.DataFrame())
    table, _ = table_of_frame(pd.DataFrame({"a": []}))
    assert frame_of(table).shape == (0, 1)


PEOPLE = pd.DataFrame({"age": [20, 20, 30, 30], "note": ["w", "x", "y", "z"]})


def test_what_is_no_table_gives_no_frame() -> None:
    opened = anonymizer.open(resource_path("samples", "four_customers.anon"))
    with pytest.raises(BadParameter, match="no single table"):
        anonymizer.frame(opened, anonymizer.run(opened))


def test_a_column_nobody_agreed_to_is_no_frame_without_a_reason() -> None:
    people = pd.DataFrame({"age": [20, 20, 30, 30], "note": ["w", "x", "y", "z"]})
    opened = anonymizer.begin(people, roles={"age": "QI"}, goals=(KAnonymity(2),))
    release = anonymizer.run(opened)
    with pytest.raises(NotReady):
        anonymizer.frame(opened, release)
    assert anonymizer.frame(opened, release, reason="the notes are public")["note"].nunique() == 4
    with pytest.raises(AnonymizerError):
        anonymizer.begin(people, roles={"gone": "QI"})


@pytest.mark.parametrize(
    ("data", "decided", "words"),
    [
        ([1, 2], {}, "list is neither a DataFrame nor the name of a file"),
        (PEOPLE["age"], {}, "Series is neither"),
        (PEOPLE, {"roles": {"age": "quasi"}}, "“quasi” is no role"),
        (PEOPLE, {"goal": KAnonymity(2)}, "A project has no “goal”"),
        (PEOPLE, {"goals": KAnonymity(2)}, "no list of goals"),
        (PEOPLE, {"goals": ("k",)}, "no list of goals"),
        (PEOPLE, {"algorithm": "mondrian"}, "No algorithm is chosen"),
    ],
)
def test_what_cannot_be_begun_is_told_in_a_sentence(data: object, decided: dict[str, object], words: str) -> None:
    with pytest.raises(BadParameter, match=words) as told:
        anonymizer.run(anonymizer.begin(data, **{"roles": {"age": "qi", "note": "SA"}} | decided))  # type: ignore[arg-type]
    assert told.value.hint
