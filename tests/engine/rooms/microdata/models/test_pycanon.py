"""Our numbers against pycanon's on random tables.

Where our definition differs from pycanon 1.x, and why:
- Missing values: pycanon's group-by drops them when there is one QI, and reports a k that is too high;
  ours are a class of their own.
- Entropy l: pycanon cuts exp(entropy) to a whole number; ours is not cut, so it is compared after cutting.
- Recursive (c,l): pycanon sorts the counts upwards, so its r_1 is the rarest value; the definition takes the
  commonest. It also gives the smallest whole c for its distinct l, ours the largest l for a given c. The two agree
  where all values of a class are equally common, and where l is 1.
- Enhanced beta: pycanon takes max over values of min(beta, -ln p) with the beta of the whole table, which cannot fail;
  ours is the smallest beta for which the definition holds, infinite when a share grows by more than -ln p. The two
  agree where no share does.
- delta-disclosure: pycanon leaves out values that a class lacks; to the letter of the definition they are infinite.
  The two agree where every class has every value, and where not, pycanon's is that over the values present.
- t-closeness: pycanon takes the ordered distance for numeric and the equal distance for text columns; so does `t.emd`.
"""

import numpy as np
import pandas as pd
import pytest
from pycanon import anonymity

from anonymizer_gui.engine.data.tables.table import MISSING, Table
from anonymizer_gui.engine.rooms.microdata.measurement import TableMeasurement, measure_table
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import AlphaKAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from anonymizer_gui.engine.rooms.microdata.models.likeness import (
    BasicBetaLikeness,
    DeltaDisclosure,
    EnhancedBetaLikeness,
)
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness

QIS, SAS = ["q1", "q2"], ["text", "text2"]
READINGS = [("each", True), ("harmonised", False)]


def frame(seed: int, n_rows: int = 300, complete: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n_values = 2 if complete else 4
    return pd.DataFrame(
        {
            "q1": rng.integers(0, 3, n_rows).astype(str),
            "q2": rng.integers(0, 2, n_rows).astype(str),
            "text": np.array(["a", "b", "c", "d"])[rng.integers(0, n_values, n_rows)],
            "text2": np.array(["u", "v"])[rng.integers(0, 2, n_rows)],
            "number": rng.integers(0, 9, n_rows) ** 2,
        }
    )


def measured(data: pd.DataFrame, sas: list[str], *goals: object) -> TableMeasurement:
    table = Table.from_rows(list(data.columns), data.astype(str).to_numpy().tolist())
    return measure_table(table, QIS, sas, goals=goals)


SEEDS = pytest.mark.parametrize("seed", range(4))
BOTH_READINGS = pytest.mark.parametrize(("several", "gen"), READINGS, ids=["each", "harmonised"])


@SEEDS
def test_k_agrees(seed: int) -> None:
    data = frame(seed, 40)
    assert measured(data, SAS).k == anonymity.k_anonymity(data, QIS)


@SEEDS
@BOTH_READINGS
def test_distinct_l_agrees(seed: int, several: str, gen: bool) -> None:
    data = frame(seed, 60)
    ours = measured(data, SAS, DistinctLDiversity(several=several)).goals[0][1].value
    assert ours == anonymity.l_diversity(data, QIS, SAS, gen=gen)


@SEEDS
@BOTH_READINGS
def test_entropy_l_agrees_when_cut_to_a_whole_number(seed: int, several: str, gen: bool) -> None:
    data = frame(seed)
    ours = measured(data, SAS, EntropyLDiversity(several=several)).goals[0][1].value
    assert int(ours) == anonymity.entropy_l_diversity(data, QIS, SAS, gen=gen)


def test_recursive_l_agrees_only_that_a_homogeneous_class_has_l_1() -> None:
    data = frame(0, 40)
    data["text"] = "a"
    assert anonymity.recursive_c_l_diversity(data, QIS, ["text"])[1] == 1
    assert measured(data, ["text"]).l["recursive"] == 1


def test_recursive_l_agrees_where_values_are_equally_common() -> None:
    data = pd.DataFrame({"q1": list("111222"), "q2": list("000000"), "text": list("abcabc")})
    c, l = anonymity.recursive_c_l_diversity(data, QIS, ["text"])  # noqa: E741
    assert (c, l) == (2, 3)
    ours = measured(data, ["text"], RecursiveLDiversity(c=float(c), l=l), RecursiveLDiversity(c=c - 1.0, l=l))
    assert [found.holds for _, found in ours.goals] == [True, False]


def test_recursive_l_differs_where_a_value_dominates() -> None:
    data = pd.DataFrame({"q1": list("1111"), "q2": list("0000"), "text": list("aaab")})
    assert anonymity.recursive_c_l_diversity(data, QIS, ["text"]) == (1, 2)  # 1 of b against 3 of a
    ours = measured(data, ["text"], *(RecursiveLDiversity(c=c, l=2) for c in (1.0, 3.0, 3.01)))  # 3 < c * 1
    assert [found.holds for _, found in ours.goals] == [False, False, True]


@SEEDS
@BOTH_READINGS
def test_enhanced_beta_agrees_where_no_share_grows_by_more_than_its_logarithm(
    seed: int, several: str, gen: bool
) -> None:
    data = frame(seed, 500, complete=True)
    ours = measured(data, SAS, EnhancedBetaLikeness(several=several)).goals[0][1].value
    assert ours == pytest.approx(anonymity.enhanced_beta_likeness(data, QIS, SAS, gen=gen))


def test_enhanced_beta_differs_where_a_common_value_becomes_certain() -> None:
    data = pd.DataFrame({"q1": list("1122"), "q2": list("0000"), "text": list("aaab")})
    assert np.isfinite(anonymity.enhanced_beta_likeness(data, QIS, ["text"]))
    assert np.isinf(measured(data, ["text"], EnhancedBetaLikeness()).goals[0][1].value)  # a: 1 / 0.75 - 1 > -ln 0.75


@SEEDS
@BOTH_READINGS
@pytest.mark.parametrize(("sas", "distance"), [(["text", "text2"], "emd-equal"), (["number"], "emd-ordered")])
def test_t_agrees(seed: int, several: str, gen: bool, sas: list[str], distance: str) -> None:
    data = frame(seed)
    ours = measured(data, sas, TCloseness(distance=distance, several=several)).goals[0][1].value
    assert ours == pytest.approx(anonymity.t_closeness(data, QIS, sas, gen=gen))


def test_the_reported_earth_mover_distance_agrees_for_text_and_for_numbers() -> None:
    data = frame(7)
    for sas in (["text"], ["number"]):
        assert measured(data, sas).t["emd"] == pytest.approx(anonymity.t_closeness(data, QIS, sas))


@SEEDS
@BOTH_READINGS
def test_alpha_and_k_agree(seed: int, several: str, gen: bool) -> None:
    data = frame(seed)
    found = measured(data, SAS, AlphaKAnonymity(several=several))
    assert (found.goals[0][1].value, found.k) == pytest.approx(anonymity.alpha_k_anonymity(data, QIS, SAS, gen=gen))


@SEEDS
@BOTH_READINGS
def test_basic_beta_agrees(seed: int, several: str, gen: bool) -> None:
    data = frame(seed)
    ours = measured(data, SAS, BasicBetaLikeness(several=several)).goals[0][1].value
    assert ours == pytest.approx(anonymity.basic_beta_likeness(data, QIS, SAS, gen=gen))


@SEEDS
@BOTH_READINGS
def test_delta_disclosure_agrees_where_every_class_has_every_value(seed: int, several: str, gen: bool) -> None:
    data = frame(seed, 500, complete=True)
    ours = measured(data, SAS, DeltaDisclosure(several=several)).goals[0][1].value
    assert ours == pytest.approx(anonymity.delta_disclosure(data, QIS, SAS, gen=gen))


def test_delta_disclosure_differs_where_a_class_lacks_a_value() -> None:
    data = pd.DataFrame({"q1": list("1122"), "q2": list("0000"), "text": list("aaab")})
    present = max(abs(np.log(1 / 0.75)), abs(np.log(0.5 / 0.75)), abs(np.log(0.5 / 0.25)))
    assert anonymity.delta_disclosure(data, QIS, ["text"]) == pytest.approx(present)
    assert np.isinf(measured(data, ["text"], DeltaDisclosure()).goals[0][1].value)


def test_missing_values_are_dropped_by_pycanon_and_not_by_us() -> None:
    data = pd.DataFrame({"q1": ["1", "1", None], "text": ["a", "b", "a"]})
    table = Table.from_rows(["q1", "text"], [["1", "a"], ["1", "b"], [MISSING, "a"]])
    assert anonymity.k_anonymity(data, ["q1"]) == 2
    assert measure_table(table, ["q1"], ["text"]).k == 1
