"""Every protocol: exact chances that prove epsilon, the numbers of the literature, clients that draw what is proven."""

import csv
import io
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.dp.checker.sampling_bound import epsilon_lower_bound
from anonymizer_gui.engine.dp.local.design import STEPS, design, frequency_protocol, mean_protocol, switch_point
from anonymizer_gui.engine.dp.local.estimation import estimate_counts, estimate_mean
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS, FrequencyProtocol, MeanProtocol, Protocol, largest_ratio
from anonymizer_gui.engine.dp.local.protocols.local_hashing import PRIME, LocalHashing
from anonymizer_gui.engine.dp.safe_rounding import GRAIN, exp_exact, is_within
from anonymizer_gui.engine.rooms.survey.simulation import seeded_source

ALPHA = 1e-6
"""Of every test that draws: with a fixed seed it never flickers, and a wrong chance is far beyond it."""

# Epsilon, values, and of each protocol p, q and the variance per answer, as closed forms give them.
TABLE = """
0.1 2 0.524979 0.475021 99.9167 0.512497 399.9167 0.475021 399.6668 2 0.524979 400.6668 grr
0.1 8 0.136354 0.123378 642.3670 0.512497 399.9167 0.475021 399.6668 2 0.524979 400.6668 oue
0.1 128 0.008627 0.007806 11491.3721 0.512497 399.9167 0.475021 399.6668 2 0.524979 400.6668 oue
0.1 1024 0.001079 0.000976 92497.2774 0.512497 399.9167 0.475021 399.6668 2 0.524979 400.6668 oue
1 2 0.731059 0.268941 0.9207 0.622459 3.9177 0.268941 3.6827 4 0.475367 3.6917 grr
1 8 0.279708 0.102899 2.9529 0.622459 3.9177 0.268941 3.6827 4 0.475367 3.6917 grr
1 128 0.020955 0.007709 43.5965 0.622459 3.9177 0.268941 3.6827 4 0.475367 3.6917 oue
1 1024 0.002650 0.000975 347.0689 0.622459 3.9177 0.268941 3.6827 4 0.475367 3.6917 oue
2 2 0.880797 0.119203 0.1810 0.731059 0.9207 0.119203 0.7241 8 0.513519 0.7246 grr
2 8 0.513519 0.069497 0.3280 0.731059 0.9207 0.119203 0.7241 8 0.513519 0.7246 grr
2 128 0.054983 0.007441 3.2677 0.731059 0.9207 0.119203 0.7241 8 0.513519 0.7246 oue
2 1024 0.007171 0.000971 25.2177 0.731059 0.9207 0.119203 0.7241 8 0.513519 0.7246 oue
4 2 0.982014 0.017986 0.0190 0.880797 0.1810 0.017986 0.0760 56 0.498167 0.0760 grr
4 8 0.886360 0.016234 0.0211 0.880797 0.1810 0.017986 0.0760 56 0.498167 0.0760 grr
4 128 0.300654 0.005507 0.0629 0.880797 0.1810 0.017986 0.0760 56 0.498167 0.0760 grr
4 1024 0.050667 0.000928 0.3748 0.880797 0.1810 0.017986 0.0760 56 0.498167 0.0760 oue
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]
EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(2), Fraction(4)]
FOR_VALUES = ["grr", "olh", "oue", "sue"]
FOR_TWO = ["rr", "rr-alpha", "rr-coins"]


def made(name: str, size: int, epsilon: Fraction) -> Protocol:
    """Make any protocol; numbers are told in few steps, so that all of them can be looked at."""
    return PROTOCOLS.get(name)(size, max(epsilon, Fraction(11, 10)) if name == "rr-coins" else epsilon)


def chances_of(protocol: Protocol, value: int) -> list[Fraction]:
    """Give the exact chance of every report, from the numbers that a client is given and nothing else."""
    numbers, size = protocol.chances(), protocol.size
    if protocol.name in ("oue", "sue"):
        one, other = Fraction(numbers["one"], GRAIN), Fraction(numbers["other"], GRAIN)
        ones = [one if place == value else other for place in range(size)]
        reports = itertools.product((0, 1), repeat=size)
        return [
            math.prod(
                (chance if bit else 1 - chance for chance, bit in zip(ones, bits, strict=True)), start=Fraction(1)
            )
            for bits in reports
        ]
    if protocol.name == "duchi":
        keep, up = Fraction(numbers["keep"], GRAIN), Fraction(value, size)
        told = up * keep + (1 - up) * (1 - keep)
        return [1 - told, told]
    near, window, cells = Fraction(numbers["near"], GRAIN), numbers["window"], numbers["cells"]
    start, more = divmod(value * (cells - window), size)
    inside, outside = near / window, (1 - near) / (cells - window)
    places = {start: 1 - Fraction(more, size), start + 1: Fraction(more, size)}
    return [
        sum((w * (inside if k <= cell < k + window else outside) for k, w in places.items()), start=Fraction(0))
        for cell in range(cells)
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_chances_and_variances_are_those_of_the_literature(row: list[str]) -> None:
    epsilon, size = Fraction(row[0]), int(row[1])
    found = {entry.name: entry for entry in design(size, epsilon, 10_000).entries}
    grr_p, grr_q, grr, sue_p, sue, oue_q, oue, places, olh_p, olh = map(float, row[2:-1])
    close = {"abs": 5.1e-7}
    assert found["grr"].p == pytest.approx(grr_p, **close)
    assert found["grr"].q == pytest.approx(grr_q, **close)
    assert (found["sue"].p, found["sue"].q) == (pytest.approx(sue_p, **close), pytest.approx(1 - sue_p, **close))
    assert (found["oue"].p, found["oue"].q) == (0.5, pytest.approx(oue_q, **close))
    assert (found["olh"].p, found["olh"].q) == (pytest.approx(olh_p, **close), pytest.approx(1 / places, **close))
    told = {"grr": grr, "sue": sue, "oue": oue, "olh": olh}
    assert {name: found[name].variance_per_answer for name in told} == {
        name: pytest.approx(variance, abs=5.1e-5) for name, variance in told.items()
    }
    assert design(size, epsilon, 10_000).best == row[-1]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("size", [2, 8, 128, 1024])
def test_variances_are_those_of_the_closed_forms_to_nine_digits(size: int, epsilon: Fraction) -> None:
    e, half = math.exp(epsilon), math.exp(epsilon / 2)
    assert frequency_protocol("grr", size, epsilon).variance() == pytest.approx((size - 2 + e) / (e - 1) ** 2, rel=1e-9)
    assert frequency_protocol("sue", size, epsilon).variance() == pytest.approx(half / (half - 1) ** 2, rel=1e-9)
    assert frequency_protocol("oue", size, epsilon).variance() == pytest.approx(4 * e / (e - 1) ** 2, rel=1e-9)
    places = round(e) + 1
    p, q = e / (e + places - 1), 1 / places
    # Hash functions onto a prime number of residues meet a little more rarely than 1 in g times.
    assert frequency_protocol("olh", size, epsilon).variance() == pytest.approx(q * (1 - q) / (p - q) ** 2, rel=1e-6)


def test_generalised_response_wins_exactly_below_the_switch_point() -> None:
    assert [round(switch_point(epsilon), 1) for epsilon in EPSILONS] == [5.3, 10.2, 24.2, 165.8]
    for epsilon in EPSILONS:
        last = math.floor(switch_point(epsilon))
        assert design(last, epsilon, 100).best == "grr"
        assert design(last + 1, epsilon, 100).best == "oue"


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(
    ("name", "size"),
    [*itertools.product(FOR_VALUES, (2, 3, 5)), *itertools.product(FOR_TWO, (2,)), ("duchi", 16), ("piecewise", 16)],
)
def test_the_largest_ratio_of_the_exact_chances_is_e_to_the_epsilon(name: str, size: int, epsilon: Fraction) -> None:
    protocol = made(name, size, epsilon)
    limit = Fraction(3) if name == "rr-coins" else exp_exact(protocol.epsilon)
    assert protocol.ratio() <= limit
    assert float(protocol.ratio() / limit) == pytest.approx(1.0, abs=1e-12)
    assert is_within(protocol.ratio(), protocol.epsilon)


@pytest.mark.parametrize(
    ("name", "size"), [*itertools.product(["grr", "oue", "sue"], (2, 3, 4)), *((name, 2) for name in FOR_TWO)]
)
def test_exact_chances_of_all_reports_add_up_to_one_and_give_p_and_q(name: str, size: int) -> None:
    protocol = made(name, size, Fraction(1))
    assert isinstance(protocol, FrequencyProtocol)
    assert [sum(row) for row in protocol.matrix()] == [1] * size
    outputs = np.array(list(itertools.product((0, 1), repeat=size))) if protocol.bits == size > 1 else np.eye(size)
    if name == "grr" or name in FOR_TWO:
        outputs = np.eye(size)
    for value, row in enumerate(protocol.matrix()):
        for other in range(size):
            supported = sum(chance for chance, bits in zip(row, outputs, strict=True) if bits[other])
            assert supported == (protocol.p if other == value else protocol.q)


def test_every_hash_function_keeps_epsilon_and_they_meet_as_often_as_said() -> None:
    protocol = frequency_protocol("olh", 7, Fraction(1))
    assert isinstance(protocol, LocalHashing)
    lie = (1 - protocol.p) / (protocol.places - 1)
    generator = np.random.default_rng(5)
    for a, b in generator.integers(1, PRIME, (50, 2)).tolist():
        places = [(a * value + b) % PRIME % protocol.places for value in range(7)]
        rows = [[protocol.p if place == told else lie for told in range(protocol.places)] for place in places]
        assert [sum(row) for row in rows] == [1] * 7
        assert largest_ratio(rows) <= exp_exact(Fraction(1))
    assert float(protocol.q) == pytest.approx(1 / protocol.places, abs=1e-8)


@pytest.mark.parametrize("steps", [4, 16])
def test_the_chances_of_numbers_between_the_bounds_stay_within_epsilon_too(steps: int) -> None:
    duchi = PROTOCOLS.get("duchi")(steps, Fraction(1))
    assert isinstance(duchi, MeanProtocol)
    p = duchi.chances()["keep"]
    ones = [
        Fraction(u, steps) * p / GRAIN + Fraction(steps - u, steps) * (1 - Fraction(p, GRAIN)) for u in range(steps + 1)
    ]
    assert largest_ratio([[1 - one, one] for one in ones]) == duchi.ratio()


def test_two_coins_cost_ln_3_and_are_refused_below() -> None:
    coins = frequency_protocol("rr-coins", 2, Fraction(11, 10))
    assert (coins.p, coins.q, coins.ratio()) == (Fraction(3, 4), Fraction(1, 4), 3)
    assert coins.cost() == pytest.approx(math.log(3))
    with pytest.raises(BadParameter, match=r"costs epsilon 1\.09861"):
        frequency_protocol("rr-coins", 2, Fraction(1))


def test_eighty_and_twenty_become_65_and_35_and_come_back() -> None:
    coins = frequency_protocol("rr-coins", 2, Fraction(11, 10))
    expected = np.array([80, 20]) @ np.array([[float(chance) for chance in row] for row in coins.matrix()])
    assert expected.tolist() == [65.0, 35.0]
    told = np.repeat([0, 1], [65, 35])
    assert estimate_counts(coins, told).estimates.tolist() == [80.0, 20.0]


def test_the_alpha_form_estimates_as_its_formula_says() -> None:
    protocol = frequency_protocol("rr-alpha", 2, Fraction(1))
    alpha, told = protocol.chances()["alpha"] / GRAIN, np.repeat([1, 0], [30, 70])
    assert estimate_counts(protocol, told).estimates[1] == pytest.approx(100 * (0.3 - (1 - alpha) / 2) / alpha)


@pytest.mark.parametrize("name", [*FOR_VALUES, *FOR_TWO])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)])
def test_the_client_draws_what_is_proven(name: str, epsilon: Fraction) -> None:
    """Count the support of every value, for every true value, and compare it with p and q."""
    size, n = 2 if name in FOR_TWO else 6, 60_000
    protocol = made(name, size, epsilon)
    assert isinstance(protocol, FrequencyProtocol)
    for value in range(size):
        support = protocol.support(protocol.perturb(np.full(n, value), seeded_source(value + 1)))
        chances = np.array([float(protocol.p if other == value else protocol.q) for other in range(size)])
        z = (support - n * chances) / np.sqrt(n * chances * (1 - chances))
        assert float(np.max(z**2)) < chi2.isf(ALPHA / size, 1)


@pytest.mark.parametrize("name", ["grr", "rr", "rr-alpha", "rr-coins"])
def test_the_whole_distribution_of_reports_is_that_of_the_matrix(name: str) -> None:
    size, n = (5 if name == "grr" else 2), 100_000
    protocol = made(name, size, Fraction(1))
    for value, row in enumerate(protocol.matrix()):
        told = np.bincount(protocol.perturb(np.full(n, value), seeded_source(7)), minlength=size)
        expected = n * np.array([float(chance) for chance in row])
        assert float(((told - expected) ** 2 / expected).sum()) < chi2.isf(ALPHA, size - 1)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_all_chances_of_the_piecewise_mechanism_add_up_to_one_and_stay_within_epsilon(epsilon: Fraction) -> None:
    protocol = made("piecewise", 7, epsilon)
    rows = [chances_of(protocol, value) for value in range(8)]
    assert [sum(row) for row in rows] == [1] * 8
    assert largest_ratio(rows) == protocol.ratio()


@pytest.mark.parametrize("name", ["duchi", "piecewise", "oue", "sue"])
def test_whole_reports_are_drawn_with_their_exact_chances(name: str) -> None:
    n, size = 300_000, 16 if name in ("duchi", "piecewise") else 4
    protocol = made(name, size, Fraction(1))
    for value in (0, 3):
        reports = protocol.perturb(np.full(n, value), seeded_source(value + 40))
        expected = n * np.array([float(chance) for chance in chances_of(protocol, value)])
        told = np.bincount(reports[:, 0] >> 4 if reports.ndim == 2 else reports, minlength=len(expected))
        assert float(((told - expected) ** 2 / expected).sum()) < chi2.isf(ALPHA, len(expected) - 1)


@pytest.mark.parametrize("name", ["duchi", "piecewise"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)])
@pytest.mark.parametrize("at", [0.0, 0.3, 1.0])
def test_means_are_unbiased_with_the_variance_told(name: str, epsilon: Fraction, at: float) -> None:
    protocol, n = mean_protocol(name, epsilon), 200_000
    numbers = protocol.numbers(protocol.perturb(np.full(n, round(at * STEPS)), seeded_source(3)))
    variance = protocol.variance(round(at * STEPS) / STEPS)
    assert abs(numbers.mean() - round(at * STEPS) / STEPS) < 5 * math.sqrt(variance / n)
    assert numbers.var() == pytest.approx(variance, rel=0.03)


def test_a_mean_comes_back_in_its_own_unit() -> None:
    protocol = mean_protocol("piecewise", Fraction(4))
    ages = np.random.default_rng(1).integers(20, 60, 100_000)
    steps = np.rint((ages - 0) / 100 * STEPS).astype(np.int64)
    found = estimate_mean(protocol, protocol.perturb(steps, seeded_source(2)), 0.0, 100.0)
    assert abs(found.mean - ages.mean()) < 5 * found.sd
    assert found.interval()[0] < found.mean < found.interval()[1]


@pytest.mark.parametrize("name", FOR_VALUES)
@pytest.mark.parametrize(("size", "epsilon"), [(8, Fraction(1)), (128, Fraction(2))])
def test_estimates_are_unbiased_with_the_error_told(name: str, size: int, epsilon: Fraction) -> None:
    protocol, n, repeats = frequency_protocol(name, size, epsilon), 4_000, 25
    shares = 1 / np.arange(1, size + 1) ** 1.2
    true = np.random.default_rng(0).multinomial(n, shares / shares.sum())
    values, source = np.repeat(np.arange(size), true), seeded_source(9)
    estimates = np.array(
        [estimate_counts(protocol, protocol.perturb(values, source)).estimates for _ in range(repeats)]
    )
    theory = np.array([n * protocol.variance(share) for share in true / n])
    z = (estimates.mean(axis=0) - true) / np.sqrt(theory / repeats)
    assert float(np.max(np.abs(z))) < 5.5
    assert ((estimates - true) ** 2).mean(axis=0).sum() / theory.sum() == pytest.approx(1.0, abs=0.35)


@pytest.mark.parametrize("name", PROTOCOLS.names())
def test_reports_are_read_as_they_were_written_and_nothing_else_is(name: str) -> None:
    size = STEPS if name in ("duchi", "piecewise") else 2 if name in FOR_TWO else 11
    protocol = made(name, size, Fraction(3, 2))
    reports = protocol.perturb(np.arange(40) % min(size, 11), seeded_source(4))
    texts = protocol.encode(reports)
    assert (protocol.gather([protocol.decode(text) for text in texts]) == reports).all()
    assert next(csv.reader(io.StringIO(",".join(texts)))) == texts
    wrong = (
        "",
        "-1",
        "x",
        " 1",
        "99999999999999999999999",
        "1.2",
        "0.1.1",
        "1.2.3.4",
        "ffff",
        "FFE0",
        "01",
        "1e3",
        "²",
    )
    for text in wrong:
        with pytest.raises(ValueError):  # noqa: PT011
            protocol.decode(text)


def heaps(name: str, lie_from_all: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Give a statistic of reports for two values, from a client that may have a fault planted."""
    protocol, n = frequency_protocol(name, 8, Fraction(1)), 100_000
    both = []
    for value in (0, 1):
        source = seeded_source(value + 20)
        if lie_from_all:
            generator = np.random.default_rng(value)
            true = generator.random(n) < float(protocol.p)
            both.append(np.where(true, value, generator.integers(0, 8, n)))
        elif name == "oue":
            packed = protocol.perturb(np.full(n, value), source)
            both.append((packed[:, 0] >> 7) * 2 + ((packed[:, 0] >> 6) & 1))
        else:
            both.append(protocol.perturb(np.full(n, value), source))
    return both[0], both[1]


@pytest.mark.parametrize("name", ["grr", "oue"])
def test_no_more_than_epsilon_is_certified_of_real_clients_and_nearly_all_of_it(name: str) -> None:
    assert 0.85 < epsilon_lower_bound(*heaps(name)).epsilon <= 1.0


def test_a_lie_drawn_from_all_values_is_caught() -> None:
    """The usual fault: whoever draws lies from all d values tells the truth more often than epsilon allows."""
    assert epsilon_lower_bound(*heaps("grr", lie_from_all=True)).epsilon > 1.05
