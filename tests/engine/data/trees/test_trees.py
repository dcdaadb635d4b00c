"""Reading and writing trees: formats, forms that are kept, paths, and what is refused in one sentence."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.trees.reading import (
    JsonRecords,
    likelihood,
    read_trees,
    vertex_from_json,
    vertex_to_json,
)
from anonymizer_gui.engine.data.trees.trees import FileForm, Trees
from anonymizer_gui.engine.data.trees.writing import records_to_bytes
from anonymizer_gui.engine.storage.sources import FOLDER, Source

BOMB = """<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><l><r>&b;</r></l>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l><r>&a;</r></l>"""
NAMED = """<?xml version="1.0" encoding="UTF-8"?>
<s:all xmlns:s="http://a" xmlns="http://b" lang="en">
 <s:one s:id="1" x="&lt;&quot;ä"><t>a &amp; b</t><t>c</t><empty/></s:one>
 <s:one>loose <i>mixed</i> text<u z="1"/></s:one>
</s:all>
"""
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)


def read(path: Path, content: str | bytes) -> Trees:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_trees(Source(str(path))).trees


def round_trip(path: Path, content: str | bytes) -> bytes:
    trees = read(path, content)
    return records_to_bytes(trees.records, trees.form)


@given(st.lists(VALUES, min_size=1, max_size=5), st.sampled_from([None, 1, 2]))
def test_any_json_list_comes_back(
    tmp_path_factory: pytest.TempPathFactory, values: list[Any], indent: int | None
) -> None:
    path = tmp_path_factory.mktemp("any") / "a.json"
    text = json.dumps(values, indent=indent)
    again = round_trip(path, text)
    assert json.loads(again) == json.loads(text)
    assert [list(each) for each in json.loads(again) if isinstance(each, dict)] == [
        list(each) for each in json.loads(text) if isinstance(each, dict)
    ]


@pytest.mark.parametrize(
    "text",
    [
        '[\n {\n  "b": 1,\n  "a": [\n   {}\n  ]\n }\n]\n',
        '[{"n": 1.50, "huge": 123456789012345678901234567890e5, "e": -0.0}]\n',
        '{"a": 1}\n{"b": [1, "x", null, true, [2]]}\n',
        '{"rows": [{"a": "ä"}, {"a": 2}]}\n',
        '[{"half": "\\ud800"}]\n',
    ],
)
def test_the_spelling_of_json_is_kept(tmp_path: Path, text: str) -> None:
    assert round_trip(tmp_path / "a.json", text).decode() == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_the_encoding_of_json_is_kept(tmp_path: Path, encoding: str) -> None:
    content = '[{"a": "äß"}]\n'.encode(encoding)
    assert round_trip(tmp_path / "a.json", content).decode(encoding) == '[{"a": "äß"}]\n'


def test_a_file_larger_than_a_piece_is_read_record_by_record(tmp_path: Path) -> None:
    records = [{"n": at, "text": "x" * 1000} for at in range(3000)]
    for name, text in (("a.json", json.dumps(records)), ("a.jsonl", "\n".join(map(json.dumps, records)))):
        trees = read(tmp_path / name, text)
        assert [vertex_to_json(record)["n"] for record in trees.records] == [str(at) for at in range(3000)]


def test_a_list_is_walked_without_being_held(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" + ",".join('{"a": "' + "x" * 999 + '"}' for _ in range(5000)) + "]")
    with (tmp_path / "a.json").open("rb") as file:
        walk = iter(JsonRecords(file, "a.json"))
        next(walk)
        assert file.tell() < 2 << 20


def test_the_form_of_xml_is_kept(tmp_path: Path) -> None:
    trees = read(tmp_path / "a.xml", NAMED)
    again = records_to_bytes(trees.records, trees.form)
    assert [(each.tag, each.attrib) for each in ElementTree.fromstring(again).iter()] == [
        (each.tag, each.attrib) for each in ElementTree.fromstring(NAMED).iter()
    ]
    assert "".join(ElementTree.fromstring(again).itertext()).split() == ["a", "&", "b", "c", "loose", "mixed", "text"]
    assert round_trip(tmp_path / "b.xml", again) == again


STUDENTS_XML = """<?xml version="1.0" encoding="UTF-8"?>
<students>
 <student gender="F" birth_year="1996" department="Math" gpa="2.2">
  <course course="Algebra" year="2018" grade="A">
   <evaluation instructor="Math-Prof1" score="1"/>
   <book publisher="OReilly"/>
  </course>
  <course course="Calculus" year="2015" grade="C">
   <book publisher="OReilly"/>
   <book publisher="Springer"/>
  </course>
 </student>
 <student gender="M" birth_year="2001" department="CS" gpa="3.0"/>
</students>
"""


def student(number: int) -> dict[str, Any]:
    """Give a student as the lectures have them: courses, and below them evaluations and books, which may be missing."""
    courses = [
        {"course": name, "year": 2014 + at, "grade": "ABC"[at], "books": [{"publisher": "OReilly"}] * (number % 3)}
        | ({"evaluations": [{"instructor": f"Prof{at}", "score": str(at)}]} if number % 2 else {})
        for at, name in enumerate(("Algebra", "Calculus", "Statistics")[: number % 4])
    ]
    return {"student": {"gender": "FM"[number % 2], "birth_year": 1990 + number, "gpa": number / 4, "courses": courses}}


def test_students_come_back_byte_for_byte(tmp_path: Path) -> None:
    contents = {"students.xml": STUDENTS_XML, "students.json": json.dumps([student(at) for at in range(12)], indent=1)}
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        trees = read_trees(Source(str(tmp_path / name))).trees
        assert records_to_bytes(trees.records, trees.form).strip() == content.encode().strip()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.json", '[{"a": 1, "a": 2}]', "same entry twice"),
        ("a.json", "[" * 100_000, "levels deep"),
        ("a.json", '[{"a": ' * 70 + "1" + "}]" * 70, "levels deep"),
        ("a.json", "[1, 2", "not JSON"),
        ("a.json", "[1] 2", "not JSON"),
        ("a.json", "[1 2]", "not JSON"),
        ("a.json", "[NaN]", "not JSON"),
        ("a.json", b"[\xff\xfe\xff]", "not JSON"),
        ("a.json", "", "holds no records"),
        ("a.json", "[]", "holds no records"),
        ("a.xml", BOMB, "document type or entities"),
        ("a.xml", OUTSIDE, "document type or entities"),
        ("a.xml", "<a><b></a>", "not XML"),
        ("a.xml", "<a>" * 5000, "levels deep"),
        ("a.xml", "<a/>", "holds no records"),
    ],
)
def test_what_is_no_tree_is_refused_in_one_sentence(
    tmp_path: Path, name: str, content: str | bytes, sentence: str
) -> None:
    with pytest.raises(UnreadableFile, match=sentence) as caught:
        read(tmp_path / name, content)
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_paths_have_counts_types_and_how_often_they_are_there(tmp_path: Path) -> None:
    trees = read(
        tmp_path / "a.json",
        '[{"a": 1, "b": [{"c": null}, {"c": "x", "d.e": true}]}, {"a": "1", "b": [5, [6]]}, {}]',
    )
    assert [leaf.path for leaf in trees.leaves] == ["a", "b[].c", 'b[].["d.e"]', "b[]", "b[][]"]
    assert trees.leaf_of["a"].types == {"number": 1, "text": 1}
    assert trees.leaf_of["a"].column.labels == ("1",)
    objects = next(branch for branch in trees.branches if branch.path == "b[]" and branch.form == "object")
    assert (objects.vertices, objects.holders, objects.most) == (2, 1, 2)


def test_the_one_object_around_a_record_is_not_a_vertex_of_it() -> None:
    trees = Trees.of([vertex_from_json({"student": {"a": str(at), "b": [{}]}}, "t") for at in range(2)], FileForm())
    assert [trees.branches[at].path for at in trees.spine] == ["student"]
    assert [trees.branches[at].path for at in trees.above_spine] == [""]


def test_elements_that_hold_only_text_are_labels_unless_they_repeat(tmp_path: Path) -> None:
    trees = read(tmp_path / "a.xml", "<l><r><n>x</n><t>1</t><t>2</t></r><r><n>y</n><t>3</t></r></l>")
    assert trees.names == ("r/n", "r/t/text()")


def test_comments_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<l><!-- Zoe --><r a='1'/><!-- Max --></l>")
    found = read_trees(Source(str(tmp_path / "a.xml")))
    assert "2 comments were left out" in found.notes[0]
    assert b"Zoe" not in records_to_bytes(found.trees.records, found.trees.form)


def test_a_folder_of_xml_gets_a_root(tmp_path: Path) -> None:
    for at in range(2):
        (tmp_path / f"{at}.xml").write_text(f"<p><n>{at}</n></p>")
    found = read_trees(Source(str(tmp_path)))
    assert found.source.options == {FOLDER: True}
    assert read_trees(found.source).source.sha256 == found.source.sha256
    assert records_to_bytes(found.trees.records, found.trees.form).decode().splitlines()[1] == "<records>"


@pytest.mark.parametrize(
    ("name", "head", "chance"),
    [
        ("a.json", b'[{"a": 1}]', 0.8),
        ("a.json", b"[[1, 2], [3]]", 0.0),
        ("a.xml", b"<?xml version='1.0'?><l/>", 0.9),
        ("a.xml", b"<graphml>", 0.0),
        ("a.csv", b"a,b", 0.0),
        ("a.jsonl", b"{}", 0.8),
    ],
)
def test_files_are_recognised(name: str, head: bytes, chance: float) -> None:
    assert likelihood(Path(name), head) == chance
