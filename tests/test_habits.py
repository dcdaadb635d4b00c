"""What every file of the repository keeps to, whoever writes it."""

import ast
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import anonymizer_gui

ROOT = Path(__file__).resolve().parent.parent
MODULE_LIMIT = 500
KERNEL_MODULE_LIMIT = 800
SHORT_MODULE = 80
FUNCTION_LIMIT = 40
KERNEL_LIMIT = 80

# What is left of the way to the rule: these numbers may fall, never rise.
LONG_MODULES = 24
SHORT_MODULES = 20
ONE_USER_MODULES = 50
LONG_FUNCTIONS = 2

FOUND_BY_PATH = re.compile(
    r"anonymizer_gui/(\w+\.py|commands/\w+\.py|engine/rooms/\w+/room\.py|ui/rooms/\w+/(view|help|tour|output_panel)\.py)"
)
REGISTERED = re.compile(r"^@\w+\.register$", re.MULTILINE)

# Written in pieces, so that this file does not find itself.
MACHINE_TRACES = re.compile(
    r"(^|[^a-z.])/(wor" + r"k|far" + r"m|roo" + r"t|home|Users)/|index-" + r"url|/simp" + r"le/"
)
HOLLOW = re.compile(
    r"\b(raise NotImplemented" + r"Error|TO" + r"DO|FIX" + r"ME|X" + r"XX)\b|pragma: no " + r"cover|assert " + r"True\b"
)


def tracked_files() -> list[Path]:
    """Return the files of the repository; those on disk where it is no checkout, as in a source archive."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        folders = [ROOT / name for name in ("anonymizer_gui", "resources", "tests", "packaging")]
        return [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    """Return a file's text, nothing for a binary file."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode("utf-8")


TRACKED = tracked_files()
PYTHON = [path for path in TRACKED if path.suffix == ".py"]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
    ],
    ids=" ".join,
)
def test_a_tool_finds_nothing_to_say(tool: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_nothing_is_there_that_neither_program_nor_test_uses() -> None:
    result = subprocess.run([sys.executable, "-m", "vulture"], cwd=ROOT, capture_output=True, text=True)
    assert result.stderr == ""
    # Parts of the engine come, with their tests, before the pages that show them.
    tested = set(re.findall(r"\w+", " ".join(text_of(path) for path in PYTHON if name_of(path).startswith("tests/"))))
    names = {line: re.findall("'(.*?)'", line) for line in result.stdout.splitlines()}
    assert [line for line, found in names.items() if not tested.issuperset(found)] == []


def test_words_are_spelled_right() -> None:
    command = [Path(sys.executable).with_name("codespell"), "--toml", "pyproject.toml", *map(name_of, TRACKED)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def private_uses(tree: ast.AST) -> list[str]:
    """Name what a file takes from others although its name says that it is their own."""
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.endswith("__")
        and ast.unparse(node.value) not in ("self", "cls", "super()")
    ]


def test_tests_of_the_window_go_the_way_people_go() -> None:
    folders = ("tests/ui/", "tests/workspace/", "tests/e2e/")
    files = [path for path in PYTHON if name_of(path).startswith(folders)]
    found = {name_of(path): private_uses(ast.parse(text_of(path))) for path in files}
    assert {name: uses for name, uses in found.items() if uses} == {}


MODULES = [path for path in PYTHON if path.is_relative_to(ROOT / "anonymizer_gui")]


def is_registered(path: Path) -> bool:
    """Tell whether a module holds entries that are found by walking their package or by the module's path."""
    return bool(FOUND_BY_PATH.fullmatch(name_of(path)) or REGISTERED.search(text_of(path)))


def test_a_module_can_be_held_in_mind() -> None:
    lengths = {name_of(path): text_of(path).count("\n") for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > KERNEL_MODULE_LIMIT} == {}
    long = sorted(name for name, length in lengths.items() if length > MODULE_LIMIT)
    assert len(long) <= LONG_MODULES, f"{len(long)} modules have more than {MODULE_LIMIT} lines: {long}"


def test_a_file_of_tests_can_be_held_in_mind() -> None:
    lengths = {name_of(path): text_of(path).count("\n") for path in PYTHON if path not in MODULES}
    assert {name: length for name, length in lengths.items() if length > MODULE_LIMIT} == {}


def test_a_module_is_a_concept_and_no_splinter() -> None:
    """Below 80 lines there are registered entries (an algorithm, a model, a reader, a question) and `__init__` only."""
    short = sorted(
        name_of(path)
        for path in MODULES
        if text_of(path).count("\n") < SHORT_MODULE and path.name != "__init__.py" and not is_registered(path)
    )
    assert len(short) <= SHORT_MODULES, f"{len(short)} modules have less than {SHORT_MODULE} lines: {short}"


def users_of_modules() -> dict[str, set[Path]]:
    """Give who imports each module of the program, at any depth."""
    users: dict[str, set[Path]] = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}:
                    users.setdefault(name, set()).add(path)
    return users


def test_a_module_with_one_user_is_part_of_that_user() -> None:
    """Of modules in the same folder; registered entries and the pages that a view names are found by others."""
    users = users_of_modules()
    modules = {name_of(path).removesuffix(".py").replace("/", "."): path for path in MODULES}
    lonely = sorted(
        f"{module} <- {user.stem}"
        for module, path in modules.items()
        for user in users.get(module, ())
        if len(users[module]) == 1 and user.parent == path.parent and user.name != "view.py" and not is_registered(path)
    )
    assert len(lonely) <= ONE_USER_MODULES, f"{len(lonely)} modules have one user, beside them: {lonely}"


def test_no_function_is_longer_than_one_can_hold_in_mind() -> None:
    long = [
        (f"{name_of(path)}:{node.lineno} {node.name} has {length} lines", length, "engine" in path.parts)
        for path in PYTHON
        for node, length in function_lengths(path)
        if length > FUNCTION_LIMIT
    ]
    assert [text for text, length, is_engine in long if length > (KERNEL_LIMIT if is_engine else FUNCTION_LIMIT)] == []
    assert len(long) <= LONG_FUNCTIONS, f"{len(long)} functions are kernels: {[text for text, *_ in long]}"


def function_lengths(path: Path) -> list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """Return the functions of a file with their lengths, docstrings not counted."""
    nodes = [
        node for node in ast.walk(ast.parse(text_of(path))) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    first = [node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0] for node in nodes]
    return [(node, (node.end_lineno or 0) - start.lineno + 1) for node, start in zip(nodes, first, strict=True)]


def test_no_file_names_the_machine_it_was_written_on() -> None:
    assert lines_with(MACHINE_TRACES, [path for path in TRACKED if path.suffix != ".svg"]) == []


def test_no_code_is_left_for_later() -> None:
    assert lines_with(HOLLOW, PYTHON) == []


def lines_with(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Return where a pattern occurs, as file:line."""
    return [
        f"{name_of(path)}:{number}"
        for path in paths
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if pattern.search(line)
    ]


def test_the_version_is_written_in_one_place() -> None:
    version = re.compile(rf"[\"']{re.escape(anonymizer_gui.__version__)}[\"']")
    places = lines_with(version, [path for path in TRACKED if path.suffix in {".py", ".toml", ".spec", ".sh", ""}])
    assert [place.partition(":")[0] for place in places] == ["anonymizer_gui/__init__.py"]


def test_scripts_can_be_called_and_stop_at_the_first_error() -> None:
    scripts = [path for path in TRACKED if text_of(path).startswith("#!")]
    assert [name_of(path) for path in scripts if not path.stat().st_mode & stat.S_IXUSR] == []
    shell = [path for path in scripts if re.match(r"#!.*\b(ba)?sh\b", text_of(path))]
    assert [name_of(path) for path in shell if "set -euo pipefail" not in text_of(path)] == []


def test_every_package_folder_has_an_init_file() -> None:
    folders = {path.parent for path in PYTHON if path.is_relative_to(ROOT / "anonymizer_gui")}
    assert [name_of(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_links_between_documents_lead_somewhere() -> None:
    links = [
        (path, target)
        for path in TRACKED
        if path.suffix == ".md" and "help" not in path.parts  # some help pages are composed; test_help follows those
        for target in re.findall(r"\]\(([^)#]+)\)", text_of(path))
        if "://" not in target
    ]
    assert [f"{name_of(path)}: {target}" for path, target in links if not (path.parent / target).exists()] == []
