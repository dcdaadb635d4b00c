"""Where a method does not do what it says, nothing is released: the recount sees only what was published."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anonymizer_gui.engine.core.errors import PromiseBroken
from anonymizer_gui.engine.core.progress import SILENT
from anonymizer_gui.engine.data.baskets.baskets import Baskets
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.releases.export import export
from anonymizer_gui.engine.releases.release_candidate import Safeguards, read_safeguards
from anonymizer_gui.engine.rooms.baskets import release_candidate
from anonymizer_gui.engine.rooms.baskets.algorithms.apriori import AprioriWithoutRoot
from anonymizer_gui.engine.rooms.baskets.algorithms.clustering import LocalClustering
from anonymizer_gui.engine.rooms.baskets.models.km_anonymity import KAnonymity, KmAnonymity, LDiversity, PrivacyModel
from anonymizer_gui.engine.sets.encoding import EncodedTransactions, ItemRecoding
from anonymizer_gui.engine.storage.keys import make_key
from tests.engine.rooms.baskets.making import released

BASKETS = Baskets.from_sets([["a", "b"], ["a", "c"], ["a", "b", "pill"], ["c", "pill"], ["b", "c"]])
TREE = Hierarchy.from_nested({"*": {"x": ["a", "b"], "y": ["c"], "z": ["pill"]}})


def nothing_done(self: Any, data: EncodedTransactions, wanted: Any, progress: Any) -> ItemRecoding:
    return ItemRecoding(data.tree.leaves[data.leaves], data.tree.leaves)


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        (KmAnonymity(k=2, m=2), r"k\^m-anonymity"),
        (KAnonymity(k=2), "k-anonymity of whole baskets"),
        (LDiversity(sensitive="pill", l=4, m=2), "l-diversity"),
    ],
    ids=["few items", "whole baskets", "sensitive item"],
)
@pytest.mark.parametrize("method", [AprioriWithoutRoot, LocalClustering])
def test_a_method_that_does_nothing_releases_nothing(
    method: type, goal: PrivacyModel, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(method, "run", nothing_done)
    with pytest.raises(PromiseBroken, match=title):
        released(BASKETS, TREE, method(), goal)


def test_a_file_that_holds_one_basket_less_is_not_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = release_candidate.prepare_candidate(
        released(BASKETS, TREE, AprioriWithoutRoot(delete=1.0), KmAnonymity(k=2, m=2)), Safeguards(), SILENT
    )
    write = release_candidate.write_baskets
    monkeypatch.setattr(
        release_candidate,
        "write_baskets",
        lambda baskets, *more: write(baskets.take(np.arange(len(baskets) - 1)), *more),
    )
    with pytest.raises(PromiseBroken, match="does not hold the release"):
        export(ready, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_another_release_with_the_same_figures_is_another(tmp_path: Path) -> None:
    """Equal numbers prove nothing: the ledger compares what is published."""
    make_key(tmp_path / "key")
    guards = read_safeguards(str(tmp_path / "key"), str(tmp_path / "ledger"))
    first = release_candidate.prepare_candidate(
        released(BASKETS, TREE, AprioriWithoutRoot(delete=1.0), KmAnonymity(k=2, m=2)), guards, SILENT
    )
    for name in ("one.csv", "same.json"):
        export(first, tmp_path / name)
        assert first.checks[-1].holds
    renamed = Baskets.from_sets([[f"{item}!" for item in held] for held in first.baskets.sets()])
    other = replace(first, baskets=renamed)
    assert dict(other.numbers) == dict(first.numbers)
    assert not other.checks[-1].holds
