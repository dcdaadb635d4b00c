"""Random edits, undo, redo, save, kill and reopen: the document never loses a step and never invents one."""

import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from pytestqt.qtbot import QtBot

from anonymizer_gui.engine.data.tables.table import ColumnSchema, Role, Schema
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.engine.projects.project_file import load_project
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import KAnonymity
from anonymizer_gui.engine.rooms.microdata.project import Project
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.recovery import Recovery, recoverable_projects

SCHEMAS = [Schema(()), Schema((ColumnSchema("age", role=Role.QI),)), Schema((ColumnSchema("age"),))]
TREES = [{}, {"age": Hierarchy.from_nested({"*": ["1", "2"]})}, {"age": Hierarchy.from_nested({"*": ["1", "3"]})}]
EDITS = st.one_of(
    st.fixed_dictionaries({"name": st.sampled_from(["", "Study", "Größe"])}),
    st.fixed_dictionaries({"seed": st.integers(0, 2)}),
    st.fixed_dictionaries({"suppression": st.sampled_from([0.0, 0.05])}),
    st.fixed_dictionaries({"goals": st.sampled_from([(), (KAnonymity(k=5),), (KAnonymity(k=10),)])}),
    st.integers(0, 2).map(lambda i: {"schema": SCHEMAS[1 + i % 2], "hierarchies": TREES[i]}),
)
FILES = st.sampled_from(["one.anon", "two.anon"])


def as_saved(project: Project) -> Project:
    """Give a project as it comes back: the hierarchies of identifiers are not saved."""
    return replace(project, hierarchies=project.saved_hierarchies())


@dataclass
class Step:
    """One step as a person would describe it."""

    old: Project
    new: Project
    stroke: str


@dataclass
class Model:
    """What the document should be: the steps, how many are done, at how many it was saved."""

    project: Project = field(default_factory=Project)
    steps: list[Step] = field(default_factory=list)
    done: int = 0
    clean: int = 0
    file: str = ""

    def edit(self, new: Project, stroke: str) -> None:
        if new == self.project:
            return
        if self.clean > self.done:
            self.clean = -1
        del self.steps[self.done :]
        last = self.steps[-1] if self.steps else None
        if last and stroke and last.stroke == stroke and self.done != self.clean:
            last.new = new
            if last.old == new:
                self.steps.pop()
        else:
            self.steps.append(Step(self.project, new, stroke))
        self.done, self.project = len(self.steps), new

    @property
    def is_dirty(self) -> bool:
        return self.done != self.clean


class Work(RuleBasedStateMachine):
    """Works on one document as a restless person would."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.saved: dict[str, Project] = {}
        self.model = Model()
        self.document = self.start()

    def start(self) -> Document:
        """Start the program anew, with a recovery folder of its own."""
        self.unsaved = Path(tempfile.mkdtemp(dir=self.folder))
        self.recovery = Recovery(self.unsaved)
        return Document(inline_jobs=True, recovery=self.recovery)

    def teardown(self) -> None:
        self.document.close()
        shutil.rmtree(self.folder)

    @rule(fields=EDITS, stroke=st.sampled_from(["", "", "typing", "sliding"]))
    def edit(self, fields: dict[str, Any], stroke: str) -> None:
        self.model.edit(replace(self.model.project, **fields), stroke)
        self.document.edit("Change something", stroke, **fields)

    @rule()
    def undo(self) -> None:
        self.document.undo_stack.undo()
        if self.model.done:
            self.model.done -= 1
            self.model.project = self.model.steps[self.model.done].old

    @rule()
    def redo(self) -> None:
        self.document.undo_stack.redo()
        if self.model.done < len(self.model.steps):
            self.model.project = self.model.steps[self.model.done].new
            self.model.done += 1

    @rule(name=FILES)
    def save(self, name: str) -> None:
        assert self.document.save(self.folder / name)
        self.saved[name] = as_saved(self.model.project)
        self.model.clean, self.model.file = self.model.done, name

    @rule()
    def fail_to_save(self) -> None:
        assert not self.document.save(self.folder / "no folder" / "p.anon")

    @precondition(lambda self: self.saved)
    @rule(data=st.data())
    def open(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.saved)))
        self.document.open_project(self.folder / name)
        self.model = Model(self.saved[name], file=name)

    @rule()
    def kill_and_start_again(self) -> None:
        self.recovery.flush()
        left = Path(tempfile.mkdtemp(dir=self.folder))
        for file in self.unsaved.glob("*.json"):  # as a killed program leaves them: locked by nobody
            shutil.copy(file, left)
        self.document.close()
        lost = recoverable_projects(left)
        assert len(lost) == self.model.is_dirty
        self.document = self.start()
        if not lost:
            self.model = Model()
            return
        self.document.recover(lost[0])
        assert recoverable_projects(left) == []
        self.model = Model(as_saved(self.model.project), clean=-1, file=self.model.file)

    @invariant()
    def it_is_what_was_done(self) -> None:
        stack = self.document.undo_stack
        assert self.document.project == self.model.project
        assert (stack.count(), stack.index()) == (len(self.model.steps), self.model.done)
        assert self.document.is_dirty == self.model.is_dirty
        assert self.document.path == ((self.folder / self.model.file).resolve() if self.model.file else None)

    @invariant()
    def every_file_is_what_was_saved_last(self) -> None:
        for name, project in self.saved.items():
            assert load_project(self.folder / name) == project


def test_no_step_is_lost_or_invented(qtbot: QtBot) -> None:
    run_state_machine_as_test(Work, settings=settings(max_examples=40, stateful_step_count=30))


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_step_is_lost_or_invented_in_a_long_day(qtbot: QtBot) -> None:
    run_state_machine_as_test(Work, settings=settings(max_examples=500, stateful_step_count=100))
