"""What is wrong with a hierarchy file is said in the language of the window."""

import pytest

from anonymizer_gui.engine.core.errors import BadHierarchy
from anonymizer_gui.engine.data.tables.table import Column
from anonymizer_gui.engine.hierarchy.files import read_text, repair_text
from anonymizer_gui.engine.hierarchy.fit import check_fit
from anonymizer_gui.ui.i18n import error_text, tr

ENGLISH = {"the", "is", "has", "line", "lines", "group", "parents", "twice", "more", "root", "and", "place", "rows"}


@pytest.mark.parametrize("text", [
    "a;x;*\nb;y;*\na;y;*\n",
    "a;x;*\nb;x;*\na;y;*\nb;y;*\n",
    "a;x;*\nb;x;*\na;y;*\nb;y;*\nc;x;*\nc;y;*\n",
    "a;x;*\nb;*;x;*\n",
    "a;*;*\nb;x;*\n",
    "Other;Other;*\nb;Other;*\nc;x;*\n",
    "*\n\ta\n\ta\n",
    "*\n\ta\n\t\t\tb\n",
    "*\n\ta\n*2\n\tb\n",
    "a;x;*\nb;;*\nc;x;*\n",
    'a;x;*\n"b;x;*\nc;x;*\n',
    "a,b\nb,c\nc,a\n",
    "a,x\nx,*\nx,x\n",
    '{"*": {"x": ["a"], "y": ["a"]}}',
])  # fmt: skip
def test_a_refused_file_is_explained_in_german(text: str, german: None) -> None:
    with pytest.raises(BadHierarchy) as caught:
        read_text(text, "f")
    said = error_text(caught.value)
    assert said.startswith("f, Zeile ")
    assert not ENGLISH & set(said.replace(",", " ").replace(".", " ").split())


@pytest.mark.parametrize("texts", [["a", "z"], ["z", "y"], ["a", "b", "c", "z", "z"]])
def test_how_a_hierarchy_fits_is_said_in_german(texts: list[str], german: None) -> None:
    found = repair_text("a;x;*\nb;x;*\nc;y;*\na;y;*\n", "f")
    fit = check_fit(Column.from_texts("f", texts), found.hierarchy, None, found.duplicates)
    said = " ".join(map(tr, [*fit.sentences(), *(each.sentence() for each in fit.duplicates)]))
    assert "1 Bezeichnung steht doppelt." in said
    assert "keinen Platz." in said
    assert not ENGLISH & set(said.replace(",", " ").replace(".", " ").split())
