"""What the installers are made of fits together; `make package` and `make check-package` prove the rest."""

import ast
import configparser
import json
import plistlib
import re
import runpy
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from anonymizer_gui import __version__
from anonymizer_gui.__main__ import main
from anonymizer_gui.assets import resource_path
from anonymizer_gui.engine.core.errors import MissingExtra
from anonymizer_gui.ui.dialogs.about import versions

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
LINUX = PACKAGING / "linux"
ID = "org.anonymizer.Anonymizer"
MIME_TYPE = "application/x-anonymizer-project"


def text_of(*names: str) -> str:
    return PACKAGING.joinpath(*names).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def is_kept() -> Callable[[str, str], bool]:
    """Give the rule by which files get into the bundle."""
    rule: Callable[[str, str], bool] = runpy.run_path(str(PACKAGING / "bundle" / "keep.py"))["is_kept"]
    return rule


@pytest.fixture
def desktop() -> configparser.SectionProxy:
    entries = configparser.ConfigParser(interpolation=None)
    entries.optionxform = str  # type: ignore[assignment,method-assign]
    entries.read_string(text_of("linux", f"{ID}.desktop"))
    return entries["Desktop Entry"]


@pytest.fixture
def metainfo() -> ET.Element:
    return ET.fromstring(text_of("linux", f"{ID}.metainfo.xml"))


def test_the_menu_entry_starts_the_program_with_a_file(desktop: configparser.SectionProxy) -> None:
    assert desktop["Exec"] == "anonymizer-gui %f"
    assert desktop["Icon"] == ID
    assert MIME_TYPE in desktop["MimeType"].split(";")


def test_the_window_belongs_to_the_menu_entry() -> None:
    assert f'setDesktopFileName("{ID}")' in (ROOT / "anonymizer_gui" / "ui" / "app.py").read_text(encoding="utf-8")


def test_the_software_centre_is_told_name_launcher_and_version(metainfo: ET.Element) -> None:
    assert metainfo.findtext("id") == ID
    assert metainfo.findtext("launchable") == f"{ID}.desktop"
    release = metainfo.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "@VERSION@", "date": "@DATE@"}


def test_the_pictures_of_the_software_centre_exist(metainfo: ET.Element) -> None:
    images = [image.text or "" for image in metainfo.iterfind("screenshots/screenshot/image")]
    assert len(images) >= 3
    assert [image for image in images if not (PACKAGING / "screenshots" / Path(image).name).is_file()] == []


def test_projects_are_known_by_their_suffix() -> None:
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = ET.fromstring(text_of("linux", f"{ID}.mime.xml")).find(f"{space}mime-type")
    assert kind is not None
    assert kind.attrib["type"] == MIME_TYPE
    assert [glob.attrib["pattern"] for glob in kind.iterfind(f"{space}glob")] == ["*.anon"]


def test_the_manual_page_names_every_command() -> None:
    page = text_of("linux", "anonymizer-gui.1")
    described = set(re.findall(r"^\.TP\n\.B (\w+)$", page, re.MULTILINE))
    assert commands_of_program() | {"demo"} == described


def commands_of_program() -> set[str]:
    """Ask the program itself."""
    asked = subprocess.run([sys.executable, "-m", "anonymizer_gui", "--help"], cwd=ROOT, capture_output=True, text=True)
    return set(re.findall(r"^    (\w+)(?:\s|$)", asked.stdout, re.MULTILINE))


def test_the_specification_is_python_and_collects_what_is_found_by_walking() -> None:
    source = text_of("bundle", "anonymizer-gui.spec")
    calls = [ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    assert "collect_submodules('anonymizer_gui')" in calls


@pytest.mark.parametrize(
    ("target", "source", "kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "/venv/libqxcb.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", r"C:\venv\qwindows.dll", True),
        (r"PySide6\plugins\platforms\qdirect2d.dll", r"C:\venv\qdirect2d.dll", False),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", "/venv/libqeglfs.so", False),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", "/venv/x.so", False),
        ("PySide6/Qt/lib/libQt6Network.so.6", "/venv/x.so", False),
        ("PySide6/Qt/lib/libQt6Gui.so.6", "/venv/x.so", True),
        ("pyarrow/libparquet.so.2600", "/venv/x.so", True),
        ("pyarrow/libarrow_flight.so.2600", "/venv/x.so", False),
        ("opendp/lib/opendp.abi3.so", "/venv/opendp/lib/opendp.abi3.so", True),
        ("libgtk-3.so.0", "/usr/lib/x86_64-linux-gnu/libgtk-3.so.0", False),
        ("libstdc++.so.6", "/lib/x86_64-linux-gnu/libstdc++.so.6", False),
        ("libxcb-cursor.so.0", "/lib/x86_64-linux-gnu/libxcb-cursor.so.0", True),
        ("libpython3.11.so.1.0", "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0", True),
        ("python3.11/lib-dynload/_ssl.so", "/usr/lib/python3.11/lib-dynload/_ssl.so", True),
        ("anonymizer_gui/resources/samples/hospital.csv", "/src/hospital.csv", True),
        ("anonymizer_gui/resources/samples/hospital.py", "/src/hospital.py", False),
    ],
)
def test_the_bundle_has_what_is_used_and_no_more(
    is_kept: Callable[[str, str], bool], target: str, source: str, kept: bool
) -> None:
    assert is_kept(target, source) is kept


def test_the_version_is_the_same_wherever_it_is_told(tmp_path: Path) -> None:
    sample, release = resource_path("samples", "lecture.anon"), tmp_path / "release.csv"
    assert main(["run", str(sample), "-o", str(release)]) == 0
    certificate = json.loads(Path(f"{release}.release.json").read_text(encoding="utf-8"))
    asked = subprocess.run(
        [sys.executable, "-m", "anonymizer_gui", "--version"], cwd=ROOT, capture_output=True, text=True
    )
    assert certificate["program"]["anonymizer"] == __version__
    assert asked.stdout == f"anonymizer-gui {__version__}\n"
    assert versions().startswith(f"Anonymizer {__version__} ")
    assert metadata.version("anonymizer-gui") == __version__


def test_the_installer_of_windows_asks_for_no_rights_and_opens_projects() -> None:
    script = text_of("windows", "anonymizer.iss")
    assert "PrivilegesRequired=lowest" in script
    assert r"Software\Classes\.anon" in script
    sources = re.findall(r'^(?:LicenseFile|SetupIconFile)=(.+)$|^Source: "([^"]+)"', script, re.MULTILINE)
    inside = [(PACKAGING / "windows" / (a or b).replace("\\", "/")).resolve() for a, b in sources]
    assert [path for path in inside if not path.is_relative_to(ROOT)] == []


def test_the_entitlements_of_macos_are_two() -> None:
    entitlements = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())
    assert entitlements == dict.fromkeys(
        (
            f"com.apple.security.cs.{name}"
            for name in ("allow-unsigned-executable-memory", "disable-library-validation")
        ),
        True,
    )


def test_the_flatpak_has_no_network() -> None:
    manifest = text_of("flatpak", f"{ID}.yaml")
    assert f"id: {ID}\n" in manifest
    assert "--share=network" not in manifest


def test_the_workflow_calls_scripts_that_exist() -> None:
    workflow = (ROOT / ".github" / "workflows" / "package.yml").read_text(encoding="utf-8")
    called = {name.replace("\\", "/") for name in re.findall(r"\bpackaging[/\\][\w./\\]+", workflow)}
    assert {"packaging/windows/build.ps1", "packaging/macos/build"} <= called
    assert [name for name in called if not (ROOT / name).is_file()] == []


def test_the_list_of_parts_names_what_the_program_needs_and_no_tools() -> None:
    script = runpy.run_path(str(PACKAGING / "list_parts.py"))
    names = script["needed_by"]("anonymizer-gui", {"excel"})
    assert {"anonymizer-gui", "numpy", "pandas", "python-dateutil", "pyside6-essentials", "openpyxl"} <= names
    assert not {"pytest", "pyinstaller", "scikit-learn"} & names
    assert script["part_of"]("anonymizer-gui")["version"] == __version__


def test_the_versions_the_about_box_tells_are_in_the_bundle() -> None:
    specification = text_of("bundle", "anonymizer-gui.spec")
    left_out = {"scikit-learn"}
    asked = {line.split()[0] for line in versions().splitlines()[3:-1]} - left_out
    assert [name for name in asked if f'"{name}' not in specification and name.lower() not in specification] == []


def test_in_a_bundle_the_hint_does_not_tell_to_add_packages_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MissingExtra("No.", "Install it.").hint == "Install it."
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    hint = MissingExtra("No.", "Install it with: pip install x").hint
    assert hint.startswith("The installer leaves it out")
    assert hint.endswith("pip install x")
