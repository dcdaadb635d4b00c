"""Known faults of opendp: those that matter to us are gone, and those that are still there are in parts we never use.

Run on every change of the pinned version. A test that fails because a fault is gone is good news: take it off the list.
"""

import ast
import inspect
import math

import numpy as np
import pytest
from opendp import domains, measurements, measures, metrics, transformations
from opendp.mod import enable_features

from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.checker.sampling_bound import clopper_pearson
from tests.engine.dp.fitting import fits

enable_features("contrib")
NUMBERS = domains.vector_domain(domains.atom_domain(T="i64"))
# All that the gateway may call; each is covered by the tests of samplers, choices and lower bounds.
USED = {
    "measurements.make_laplace", "measurements.make_gaussian", "measurements.make_noisy_max",
    "measurements.make_noisy_top_k", "measures.max_divergence", "measures.zero_concentrated_divergence",
    "metrics.l1_distance", "metrics.l2_distance", "metrics.linf_distance", "domains.vector_domain",
    "domains.atom_domain", "mod.enable_features", "mod.__version__",
}  # fmt: skip


def test_the_gateway_uses_the_sound_part_of_opendp_only() -> None:
    tree = ast.parse(inspect.getsource(gateway))
    attributes = {ast.unparse(node).removeprefix("dp.") for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    packages = ("measurements.", "measures.", "metrics.", "domains.", "transformations.", "combinators.", "mod.")
    assert {name for name in attributes if name.startswith(packages)} == USED
    enabled = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and "enable_features" in ast.unparse(node.func)
    ]
    assert [ast.unparse(node) for node in enabled] == ["mod.enable_features('contrib')"]


# Margins and truncation of Polars (#2945, #2949), MST and AIM (#2789), amplification by sampling (#2933): open faults.
@pytest.mark.parametrize("part", ["polars", "extras", "make_private_lazyframe", "mbi", "population_amplification"])
def test_parts_with_open_faults_are_reached_from_nowhere(part: str) -> None:
    tree = ast.parse(inspect.getsource(gateway))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.alias)]
    names += [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.ImportFrom)]
    assert [name for name in names if part in name] == []


def test_gone_the_noisy_maximum_is_a_maximum() -> None:
    scores = metrics.linf_distance(T="i64")
    for measure in (measures.max_divergence(), measures.zero_concentrated_divergence()):
        choose = measurements.make_noisy_max(NUMBERS, scores, measure, scale=0.1)
        assert {choose([1, 50, 2]) for _ in range(50)} == {1}


def test_gone_the_noisy_maximum_under_zcdp_costs_what_it_says() -> None:
    choose = measurements.make_noisy_max(
        NUMBERS, metrics.linf_distance(T="i64"), measures.zero_concentrated_divergence(), scale=1.0
    )
    chosen = [choose([2, 0]) for _ in range(4000)]
    assert fits(chosen, {0: 1 / (1 + math.exp(-2)), 1: 1 / (1 + math.exp(2))})
    assert choose.map(1) == pytest.approx(0.5, rel=1e-12)  # epsilon 2, and rho = epsilon^2 / 8


def test_gone_additive_noise_has_no_bias() -> None:
    noise = measurements.make_laplace(NUMBERS, metrics.l1_distance(T="i64"), scale=5.0)
    samples = np.array(noise([0] * 40_000))
    assert fits(np.sign(samples[samples != 0]), {-1: 0.5, 1: 0.5})
    a = math.exp(-0.2)
    assert fits(samples == 0, {1: (1 - a) / (1 + a), 0: 2 * a / (1 + a)})


def test_still_there_a_threshold_tells_more_than_its_delta() -> None:
    domain = domains.map_domain(domains.atom_domain(T="String"), domains.atom_domain(T="i64"))
    metric = metrics.l01inf_distance(metrics.absolute_distance(T="i64"))
    release = measurements.make_laplace_threshold(domain, metric, scale=1.0, threshold=5)
    declared = release.map((1, 1, 1))[1]
    alone = {f"person {number}": 1 for number in range(20_000)}
    assert declared < clopper_pearson(len(release(alone)), len(alone), 1e-6)[0]


def test_still_there_a_sum_of_squared_deviations_moves_further_than_declared() -> None:
    large, rows = 2.0**50, 1024
    domain = domains.vector_domain(domains.atom_domain(bounds=(large, large + 1), nan=False), size=rows)
    deviations = transformations.make_sum_of_squared_deviations(domain, metrics.symmetric_distance())
    one = [large + 0.25] * rows
    moved = abs(deviations(one) - deviations([large + 0.5, *one[1:]]))
    assert moved > deviations.map(2)


def test_still_there_a_tree_of_counts_moves_further_than_declared() -> None:
    domain = domains.vector_domain(domains.atom_domain(T="i32"), size=4)
    tree = transformations.make_b_ary_tree(domain, metrics.l2_distance(T="i32"), leaf_count=4, branching_factor=4)
    assert math.dist(tree([0] * 4), tree([1] * 4)) > tree.map(2)


def test_still_there_the_length_of_bits_is_told() -> None:
    answer = measurements.make_randomized_response_bitvec(
        domains.bitvector_domain(max_weight=1), metrics.discrete_distance(), f=0.5
    )
    assert math.isfinite(answer.map(1))
    assert {len(answer(b"\x01")) for _ in range(20)} == {1}
    assert {len(answer(b"\x01\x00")) for _ in range(20)} == {2}
