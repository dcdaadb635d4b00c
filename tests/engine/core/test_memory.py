"""How much memory is left, in a container, too."""

from pathlib import Path

from anonymizer_gui.engine.core import memory


def test_the_limit_of_a_container_counts(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("700\n")
    (tmp_path / "memory.stat").write_text("anon 600\ninactive_file 100\n")
    assert memory._left_in_container(tmp_path) == 400
    (tmp_path / "memory.max").write_text("max\n")
    assert memory._left_in_container(tmp_path) is None
    assert memory._left_in_container(tmp_path / "none") is None
