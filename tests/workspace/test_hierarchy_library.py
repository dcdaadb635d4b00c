"""The library of saved hierarchies on disk."""

import os
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import BadHierarchy, UnwritableFile
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Interval
from anonymizer_gui.ui.hierarchies.library import HierarchyLibrary

AGES = Hierarchy(["*", "[0-50)", "[50-100)"], [-1, 0, 0], {1: Interval(0, 50), 2: Interval(50, 100)})


def test_what_is_saved_comes_back_with_its_intervals(tmp_path: Path) -> None:
    HierarchyLibrary(tmp_path / "library").save("Ages", AGES)
    assert HierarchyLibrary(tmp_path / "library").load("Ages") == AGES


@pytest.mark.parametrize("name", ["../../etc/x", "a:b*c?", "Länder", "100 %", ".hidden"])
def test_any_name_stays_inside_the_library_and_comes_back(tmp_path: Path, name: str) -> None:
    library = HierarchyLibrary(tmp_path / "library")
    library.save(name, AGES)
    assert library.names() == [name]
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "library"]


def test_an_empty_library_has_no_names(tmp_path: Path) -> None:
    assert HierarchyLibrary(tmp_path / "nothing").names() == []


def test_what_is_removed_is_gone(tmp_path: Path) -> None:
    library = HierarchyLibrary(tmp_path)
    library.save("Ages", AGES)
    library.remove("Ages")
    assert library.names() == []


def test_a_damaged_file_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "Ages.json").write_text('{"label": }')
    with pytest.raises(BadHierarchy):
        HierarchyLibrary(tmp_path).load("Ages")


def test_a_place_that_cannot_be_written_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnwritableFile):
        HierarchyLibrary(tmp_path / "file" / "library").save("Ages", AGES)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_kept_hierarchies_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "hierarchies"
    HierarchyLibrary(folder).save("zip", Hierarchy.from_nested({"*": ["13053"]}))
    assert [path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())] == [0, 0]
