"""DataFrames as tables and back: types, missing values, odd names; what is not ready is no frame."""

import datetime
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import anonymizer_gui.engine as anonymizer
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import AnonymizerError, BadParameter, UnreadableFile
from anonymizer_gui.engine.data.tables.dataframes import from_dataframe, to_dataframe
from anonymizer_gui.engine.data.tables.table import MISSING
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.opening import OpenedProject
from anonymizer_gui.engine.releases.export import NotReady
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity


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
    table, _ = from_dataframe(frame)
    assert table.column("whole").texts().tolist() == ["1", "2", "3"]
    assert table.column("number").texts().tolist() == ["1", MISSING, "2.5"]
    assert table.column("day").texts().tolist() == ["2024-01-31", MISSING, "2024-02-01"]
    assert table.column("text").texts().tolist() == ["a", MISSING, MISSING]
    assert to_dataframe(table)["sort"].tolist() == ["x", None, "x"]


def test_names_are_made_different_and_told() -> None:
    table, report = from_dataframe(pd.DataFrame([[1, 2, 3]], columns=["a", "a", 5]))
    assert len(set(table.names)) == 3
    assert "5" in table.names
    assert report.renamed


def test_a_frame_without_columns_is_refused_and_one_without_rows_is_not() -> None:
    with pytest.raises(UnreadableFile):
        from_dataframe(pd.DataFrame())
    table, _ = from_dataframe(pd.DataFrame({"a": []}))
    assert to_dataframe(table).shape == (0, 1)


PEOPLE = pd.DataFrame({"age": [20, 20, 30, 30], "note": ["w", "x", "y", "z"]})
AGES = Hierarchy.from_nested({"*": ["20", "30"]})


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
        (PEOPLE, {"hierarchies": {"agee": AGES}}, "“hierarchies” cannot be decided so: .* column “agee”"),
        (PEOPLE, {"hierarchies": {"age": {"*": ["1"]}}}, "“hierarchies” of a project cannot be dict"),
        (PEOPLE, {"weights": {"gone": 1.0}}, "column “gone”"),
        (PEOPLE, {"bounds": {"gone": (0, 1)}}, "column “gone”"),
        (PEOPLE, {"sampling_weight": "gone"}, "column “gone”"),
        (PEOPLE, {"suppression": "a little"}, "“suppression” cannot be decided so"),
        (PEOPLE, {"seed": "x"}, "“seed” cannot be decided so"),
        (PEOPLE, {"schema": 5}, "“schema” of a project cannot be int"),
        (PEOPLE, {"source": "x.csv"}, "“source” of a project cannot be str"),
        (PEOPLE, {"name": 5}, "“name” of a project cannot be int"),
        (PEOPLE, {"roles": ["age"]}, "no mapping of columns"),
        (PEOPLE, {"room": "kitchen"}, "no room “kitchen”"),
        (PEOPLE, {"room": 5}, "no room “5”"),
    ],
)
def test_what_cannot_be_begun_is_told_in_a_sentence(data: object, decided: dict[str, object], words: str) -> None:
    with pytest.raises(BadParameter, match=words) as told:
        anonymizer.run(anonymizer.begin(data, **{"roles": {"age": "qi", "note": "SA"}} | decided))  # type: ignore[arg-type]
    assert told.value.hint


def begun() -> OpenedProject:
    return anonymizer.begin(
        PEOPLE, roles={"age": "qi", "note": "SA"}, hierarchies={"age": AGES}, goals=(KAnonymity(2),)
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: anonymizer.open(5),  # type: ignore[arg-type]
        lambda: anonymizer.open(None),  # type: ignore[arg-type]
        lambda: anonymizer.open("x.anon", moved_to=5),  # type: ignore[arg-type]
        lambda: anonymizer.run(5),  # type: ignore[arg-type]
        lambda: anonymizer.frame(5, 5),  # type: ignore[arg-type]
        lambda: anonymizer.frame(begun(), 5),
        lambda: anonymizer.frame(begun(), anonymizer.run(begun()), reason=5),  # type: ignore[arg-type]
        lambda: anonymizer.export(begun(), anonymizer.run(begun()), 5),  # type: ignore[arg-type]
        lambda: anonymizer.export(begun(), 5, "x.csv"),
        lambda: anonymizer.export(begun(), anonymizer.run(begun()), "x.csv", key=5),  # type: ignore[arg-type]
        lambda: anonymizer.verify(5),  # type: ignore[arg-type]
        lambda: anonymizer.verify("x.csv", 5),  # type: ignore[arg-type]
    ],
)
def test_what_a_script_gives_by_mistake_is_told_in_a_sentence(call: Callable[[], object]) -> None:
    with pytest.raises(BadParameter) as told:
        call()
    assert told.value.hint


def test_a_key_may_be_given_as_a_path(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(bytes(range(32)).hex())
    opened = begun()
    made = anonymizer.export(opened, anonymizer.run(opened), tmp_path / "out.csv", key=key, reason="a test")
    assert anonymizer.verify(made.path).holds
