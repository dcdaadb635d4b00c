"""The program finds its own files wherever it is installed."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from anonymizer_gui import assets

ROOT = Path(__file__).resolve().parent.parent


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"samples/nowhere\.csv is missing"):
        assets.resource_path("samples", "nowhere.csv")


def test_an_installed_wheel_brings_the_resources_along(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    program = "from anonymizer_gui.assets import resource_path; print(resource_path('samples', 'hospital.csv'))"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path / "site", capture_output=True, text=True, check=True
    )
    assert Path(result.stdout.strip()).is_relative_to(tmp_path / "site")


def test_a_frozen_build_has_the_resources_in_its_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = tmp_path / "anonymizer_gui" / "resources" / "samples" / "hospital.csv"
    sample.parent.mkdir(parents=True)
    sample.touch()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert assets.resource_path("samples", "hospital.csv") == sample
