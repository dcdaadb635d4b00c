"""The gateway promises no more than it was asked for, takes no seed, and says what is missing."""

import ast
import inspect
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonymizer_gui
from anonymizer_gui.engine import dp
from anonymizer_gui.engine.core.errors import Cancelled, MissingExtra
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.dp import gateway
from anonymizer_gui.engine.dp.gateway import NoiseRequest

ZEROS = np.zeros(3, dtype=np.int64)
FILES = sorted(Path(dp.__path__[0]).rglob("*.py"))
NOISES = ("laplace", "gaussian", "exponential", "permute-and-flip")


def root_from_above(square: int) -> float:
    root = math.sqrt(square)
    return root if Fraction(root) ** 2 >= square else math.nextafter(root, math.inf)


@pytest.mark.parametrize("noise", NOISES)
@settings(max_examples=60, deadline=None)
@given(
    distance=st.integers(0, 10**6),
    limit=st.fractions(Fraction(1, 10**6), 100, max_denominator=10**6),
    is_monotone=st.booleans(),
)
def test_opendp_itself_promises_no_more_than_the_limit(
    noise: gateway.Noise, distance: int, limit: Fraction, is_monotone: bool
) -> None:
    request = NoiseRequest(noise, ZEROS, distance, limit, is_monotone)
    made = gateway._measurement(noise, distance, limit, request.scale(), is_monotone, 1)
    promised = Fraction(made.map(root_from_above(distance) if noise == "gaussian" else distance))
    allowed = limit**2 / 8 if noise == "exponential" else limit
    assert promised <= allowed
    assert promised >= allowed * (1 - Fraction(1, 10**9)) or not distance
    assert len(gateway.answer(request)) == (3 if noise in ("laplace", "gaussian") else 1)


@pytest.mark.parametrize(
    "wrong",
    [
        NoiseRequest("laplace", np.zeros(3), 1, Fraction(1)),  # type: ignore[arg-type]
        NoiseRequest("laplace", np.zeros((2, 2), dtype=np.int64), 1, Fraction(1)),
        NoiseRequest("laplace", ZEROS, -1, Fraction(1)),
        NoiseRequest("laplace", ZEROS, 1, Fraction(0)),
    ],
)
def test_what_is_no_whole_number_is_refused(wrong: NoiseRequest) -> None:
    with pytest.raises(ValueError, match="gateway"):
        gateway.answer(wrong)


def test_the_same_question_gives_another_answer() -> None:
    request = NoiseRequest("laplace", np.zeros(50, dtype=np.int64), 1000, Fraction(1))
    assert not np.array_equal(gateway.answer(request), gateway.answer(request))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("cells", [25_000, gateway.MANY_CELLS + 1])
def test_drawing_can_be_stopped(noise: gateway.Noise, cells: int) -> None:
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        gateway.answer(
            NoiseRequest(noise, np.zeros(cells, dtype=np.int64), 1, Fraction(1)),
            Progress(is_cancelled=lambda: next(asked)),
        )


def test_no_cells_are_answered_with_none() -> None:
    for noise in ("laplace", "gaussian"):
        assert len(gateway.answer(NoiseRequest(noise, np.zeros(0, dtype=np.int64), 1, Fraction(1)))) == 0


def test_without_opendp_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    gateway._opendp.cache_clear()
    gateway._measurement.cache_clear()
    monkeypatch.setitem(sys.modules, "opendp", None)
    with pytest.raises(MissingExtra) as missing:
        gateway.answer(NoiseRequest("laplace", ZEROS, 1, Fraction(1)))
    assert missing.value.message == "Differential privacy needs the package opendp, which is not installed."
    assert missing.value.hint.endswith("pip install 'anonymizer-gui[dp]'")


def test_another_version_of_opendp_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from opendp import mod

    gateway._opendp.cache_clear()
    gateway._measurement.cache_clear()
    monkeypatch.setattr(mod, "__version__", "0.14.1")
    with pytest.raises(MissingExtra, match=r"version 0\.16\.0 .* but 0\.14\.1"):
        gateway.answer(NoiseRequest("laplace", ZEROS, 1, Fraction(1)))


def test_the_pin_is_that_of_the_package() -> None:
    project = Path(anonymizer_gui.__path__[0]).parent / "pyproject.toml"
    assert f'dp = ["opendp=={gateway.EXAMINED}"]' in project.read_text(encoding="utf-8")


def test_importing_the_kernel_loads_no_opendp_and_using_it_no_prelude() -> None:
    program = (
        "import sys\nfrom fractions import Fraction\nimport numpy as np\nfrom anonymizer_gui.engine.dp import gateway\n"
        "from anonymizer_gui.engine.dp.mechanisms.contract import MECHANISMS\nMECHANISMS.names()\n"
        "assert 'opendp' not in sys.modules\n"
        "gateway.answer(gateway.NoiseRequest('laplace', np.zeros(1, dtype=np.int64), 1, Fraction(1)))\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "opendp.measurements" in loaded
    assert not {"opendp.prelude", "polars", "sklearn", "pandas", "pyarrow", "opendp.context"} & loaded


def test_no_code_of_the_kernel_can_seed_or_replace_the_noise() -> None:
    """Only what simulates makes a generator, and nothing reads the environment or puts itself before the gateway."""
    seeding = [path.stem for path in FILES if "default_rng" in path.read_text(encoding="utf-8")]
    assert set(seeding) == {"sampling_bound"}
    for path in FILES:
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        names = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name)}
        assert not {"os.environ", "os.getenv", "np.random.seed", "np.random.RandomState", "random.seed"} & names, path
        assert not any(isinstance(node, ast.Global) for node in nodes), path
        written = [ast.unparse(target) for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
        assert "gateway.answer" not in written, path


def test_the_gateway_takes_no_generator() -> None:
    assert list(inspect.signature(gateway.answer).parameters) == ["request", "progress"]
    tree = ast.parse(inspect.getsource(gateway))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported == {"math", "os", "numpy", "numpy.typing"}
    draws = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    bitwise = [node for node in draws if ast.unparse(node.func) == "discrete_laplace"]
    assert [len(node.args) for node in bitwise] == [3]
    assert not any(node.keywords for node in bitwise)
