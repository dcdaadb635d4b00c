"""Damaged projects, hierarchies, certificates, keys and ledgers: opened, or refused in one sentence."""

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.cli import main
from anonymizer_gui.engine.core.budget import Budget
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.hierarchy.files import read_hierarchy, write_hierarchy
from anonymizer_gui.engine.projects.opening import open_project
from anonymizer_gui.engine.projects.project_file import load_project, project_text
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.releases.ledger.releases import ReleaseLedger
from anonymizer_gui.engine.releases.signing import make_signing_key, read_signing_key
from anonymizer_gui.engine.releases.verification import verify_release
from anonymizer_gui.engine.rooms.microdata.recipe import make_recipe
from anonymizer_gui.engine.storage.keys import make_key, read_key
from tests.engine.data.tables.io.malformed import DAMAGES
from tests.engine.rooms.microdata.arx.arx_files import write_project

LONGEST_SECONDS = 10.0
"""Of the processor: the clock on the wall goes on while other programs work."""
SAMPLES = resource_path("samples")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export a release with key and ledger; give the folder it lies in."""
    folder = tmp_path_factory.mktemp("release")
    roles = ["--ei", "Zip", "--qi", "Age,Nationality", "--sa", "Disease", "--k", "2", "--algorithm", "mondrian"]
    kept = ["--key", str(folder / "key"), "--ledger", str(folder / "ledger")]
    assert main(["anonymize", str(SAMPLES / "lecture.csv"), *roles, *kept, "-o", str(folder / "o.csv")]) == 0
    return folder


def sound(folder: Path, release: Path) -> dict[str, tuple[bytes, Callable[[Path], object]]]:
    """Give the bytes of sound files of each sort, with what opens them."""
    tree = next(path for path in sorted((SAMPLES / "hospital_hierarchies").iterdir()) if path.is_file())
    write_hierarchy(read_hierarchy(tree), folder / "h.json")
    make_key(folder / "k")
    project = json.loads((SAMPLES / "lecture.anon").read_text("utf-8"))
    project["sources"]["table"]["path"] = str(SAMPLES / "lecture.csv")
    shutil.copy(release / "o.csv", folder / "o.csv")
    return {
        "p.anon": (json.dumps(project).encode(), open_project),
        "h.csv": (tree.read_bytes(), read_hierarchy),
        "h.json": ((folder / "h.json").read_bytes(), read_hierarchy),
        "o.csv.release.json": (
            (release / "o.csv.release.json").read_bytes(),
            lambda path: verify_release(path.with_name("o.csv"), path),
        ),
        "key": ((folder / "k").read_bytes(), read_key),
        "d.deid": (write_project(folder / "d.deid").read_bytes(), open_project),
        "recipe.anon": (project_text(make_recipe(load_project(SAMPLES / "lecture.anon"))).encode(), open_project),
        "sign.pem": (signing_key(folder), read_signing_key),
        "budget": (budget(folder), lambda path: BudgetLedger(path).accounts()),
        "ledger": ((release / "ledger").read_bytes(), lambda path: ReleaseLedger(path).entries()),
    }


def signing_key(folder: Path) -> bytes:
    make_signing_key(folder / "signing")
    return (folder / "signing").read_bytes()


def budget(folder: Path) -> bytes:
    """Give a ledger of budgets with an entry."""
    with BudgetLedger(folder / "spent").spending("a" * 64) as spending:
        spending.set_total(Budget(epsilon=3))
    return (folder / "spent").read_bytes()


def told(opens: Callable[[Path], object], path: Path) -> str:
    """Open a file; give the sentence with which it is refused."""
    try:
        opens(path)
    except AnonymizerError as error:
        return error.message
    return ""


def damaged_files(folder: Path, release: Path, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    files = sound(folder, release)
    for number in range(count):
        name = list(files)[number % len(files)]
        data, opens = files[name]
        path = folder / name
        path.write_bytes(DAMAGES[int(random.integers(len(DAMAGES)))](data, random))
        started = time.process_time()
        assert re.search(r"^$|[.?!]$", told(opens, path))
        assert time.process_time() - started < LONGEST_SECONDS, (name, seed, number)


def test_sound_files_are_opened(tmp_path: Path, release: Path) -> None:
    for name, (data, opens) in sound(tmp_path, release).items():
        (tmp_path / name).write_bytes(data)
        opens(tmp_path / name)


def test_three_hundred_damaged_files_of_ours_are_opened_or_refused(tmp_path: Path, release: Path) -> None:
    damaged_files(tmp_path, release, 300, seed=1)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(10))
def test_thousands_of_damaged_files_of_ours_are_opened_or_refused(tmp_path: Path, release: Path, seed: int) -> None:
    damaged_files(tmp_path, release, 600, seed=1000 + seed)
