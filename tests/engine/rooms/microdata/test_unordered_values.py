"""Distances by order need values that have one."""

import pytest

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from tests.engine.rooms.microdata.making import DISEASES, hospital_project, hospital_release

BY_ORDER = (KAnonymity(k=2), TCloseness(t=0.9, distance="emd-ordered"))


def test_illnesses_are_not_ordered_by_the_alphabet() -> None:
    with pytest.raises(BadParameter, match="“disease” has no order"):
        hospital_release(goals=BY_ORDER)


def test_a_hierarchy_gives_an_order() -> None:
    trees = {**hospital_project().hierarchies, "disease": Hierarchy.from_nested({"*": list(DISEASES)})}
    release, _ = hospital_release(goals=BY_ORDER, hierarchies=trees)
    assert release.measured.holds
