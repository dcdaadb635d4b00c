"""The finished runs of a document: in order, one selected, some pinned, some exported; each known by its id."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.workspace.changes import Change

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.history import RunRecord
    from anonymizer_gui.workspace.document import Document

OnChange = Callable[..., None]
"""Called with every `Change` there is."""


class ReleaseList:
    """Keeps releases of any room; none of them ever changes, a renamed one is put in the old one's place."""

    def __init__(self, document: "Document", tell: OnChange) -> None:
        self._document, self._tell = document, tell
        self.releases: tuple[Any, ...] = ()
        self._selected = ""
        self._pinned: frozenset[str] = frozenset()
        self._exported: tuple[tuple[str, Any], ...] = ()
        self._tried: dict[str, Any] = {}
        self._open_checks: dict[str, str] = {}
        self.earlier: tuple[RunRecord, ...] = ()
        """What the project file keeps of releases made before; each can be made again."""
        self._saved: frozenset[tuple[str, str]] = frozenset()

    @property
    def is_saved(self) -> bool:
        """Whether the project file keeps every release there is."""
        return self._saved == self._known()

    @property
    def selected(self) -> Any:
        """The release the pages show; None when there is none."""
        return self.find(self._selected)

    def find(self, release_id: str) -> Any:
        """Give the release of that id; None when it is gone."""
        return next((release for release in self.releases if release.id == release_id), None)

    def clear(self) -> None:
        """Forget all of them: another project is open."""
        self.releases, self._selected, self._pinned, self._exported, self._tried = (), "", frozenset(), (), {}
        self._open_checks = {}
        self.take_earlier(())

    def take_earlier(self, kept: "tuple[RunRecord, ...]") -> None:
        """Take over what a project file keeps."""
        self.earlier = kept
        self.note_saved()

    def put_aside(self) -> None:
        """Keep only the settings of all releases: their rows are those of another table than there is now."""
        kept, saved = self.to_keep(), self._saved
        self.clear()
        self.earlier, self._saved = kept, saved
        self._tell(Change.RELEASES, Change.RESULTS)

    def to_keep(self) -> "tuple[RunRecord, ...]":
        """Give what the project file should keep, oldest first; a room whose noise is secret repeats nothing."""
        from anonymizer_gui.engine.projects.history import record_run
        from anonymizer_gui.engine.room import room_of

        if not self.releases or not room_of(self._document.room).is_repeatable:
            return self.earlier
        return (*self.earlier, *(record_run(release) for release in self.releases))

    def note_saved(self) -> None:
        """Remember that the project file keeps all there is now."""
        self._saved = self._known()

    def forget_earlier(self, kept: "RunRecord") -> None:
        """Keep nothing of a release made before."""
        self.earlier = tuple(other for other in self.earlier if other.id != kept.id)
        self._tell(Change.RELEASES)

    def make_again(self, kept: "RunRecord") -> None:
        """Run with the settings of a release made before; it takes its old place, and is told when it differs."""

        def work(files: Any, now: Any, progress: Any) -> Any:
            from anonymizer_gui.engine.projects.history import project_of_record
            from anonymizer_gui.engine.room import room_of

            release = room_of(now.room).run(project_of_record(kept, now), files, progress)
            return replace(release, id=kept.id, name=kept.name)

        def done(release: Any) -> None:
            from anonymizer_gui.engine.projects.history import is_reproduced

            self.earlier = tuple(other for other in self.earlier if other.id != kept.id)
            self.add(release)
            if not is_reproduced(kept, release):
                text = message(
                    "“{name}” came out different from before: table, hierarchies or program have changed.",
                    name=kept.name,
                )
                self._document.messages.warning(text, key="came out different")

        document = self._document
        document.jobs.start("Protect", work, document.files, document.project, on_done=done, replace_key="run")

    def add(self, release: Any, tried_from: Any = None) -> None:
        """Append a finished run and select it; one of several tried together comes with what they started from.

        A name that another run has already gets a number.
        """
        release = self._named_apart(release)
        self.releases = (*self.releases, release)
        self._selected = release.id
        if tried_from is not None:
            self._tried[release.id] = tried_from
        self._tell(Change.RELEASES, Change.RESULTS)

    def select(self, release: Any) -> None:
        """Choose the release the pages show."""
        chosen = "" if release is None else release.id
        if chosen != self._selected:
            self._selected = chosen
            self._tell(Change.RESULTS)

    def remove(self, release: Any) -> None:
        """Forget a finished run; the newest one is selected instead."""
        self.releases = tuple(kept for kept in self.releases if kept.id != release.id)
        self._pinned -= {release.id}
        if self._selected == release.id:
            self._selected = self.releases[-1].id if self.releases else ""
        self._tell(Change.RELEASES, Change.RESULTS)

    def rename(self, release: Any, name: str) -> None:
        """Put the run under another name in the place of the old one."""
        self.releases = tuple(replace(kept, name=name) if kept.id == release.id else kept for kept in self.releases)
        self._tell(Change.RELEASES, Change.RESULTS)

    def pin(self, release: Any, pinned: bool = True) -> None:
        """Keep a run at hand, or not any more."""
        self._pinned = self._pinned | {release.id} if pinned else self._pinned - {release.id}
        self._tell(Change.RELEASES)

    def is_pinned(self, release: Any) -> bool:
        """Tell whether a run is pinned."""
        return release.id in self._pinned

    def note_export(self, release: Any, project: Any) -> None:
        """Remember that a release has left with these settings."""
        self._exported = (*self._exported, (release.id, project))
        self._tell(Change.EXPORTED)

    def is_exported(self, release: Any) -> bool:
        """Tell whether a release has left, and nothing was changed since."""
        return any(kept == release.id and project == self._document.project for kept, project in self._exported)

    def note_checks(self, release: Any, not_in_order: str) -> None:
        """Remember what of the checklist is not in order, as a release would leave now; nothing when all is."""
        if self._open_checks.get(release.id, "") != not_in_order:
            self._open_checks[release.id] = not_in_order
            self._tell(Change.CHECKS)

    def not_in_order(self, release: Any) -> str:
        """Say how the checklist stands; nothing when all is in order, or none was made yet."""
        return self._open_checks.get(release.id, "")

    def is_stale(self, release: Any) -> bool:
        """Tell whether the settings have changed since this run, or since it was tried together with others."""
        return not any(self._is_set(project) for project in self._settings_together(release))

    def has_settings_of(self, release: Any) -> bool:
        """Tell whether another run would give this release again."""
        return self._is_set(release.project)

    def use_settings_of(self, release: Any, text: str) -> None:
        """Take the settings a release was made with, as one step that can be undone."""
        self._document.take(self._with_settings_of(release.project), text)

    def _is_set(self, project: Any) -> bool:
        return bool(self._with_settings_of(project) == self._document.project)

    def _with_settings_of(self, project: Any) -> Any:
        from anonymizer_gui.engine.room import room_of

        now = self._document.project
        return room_of(now.room).settings_of(project, now)

    def _settings_together(self, release: Any) -> tuple[Any, ...]:
        """Give the settings of a run, then those of all that was tried with it and what they started from."""
        began = self._tried.get(release.id)
        if began is None:
            return (release.project,)
        together = (kept.project for kept in self.releases if self._tried.get(kept.id) is began)
        return release.project, began, *together

    def _known(self) -> frozenset[tuple[str, str]]:
        return frozenset((release.id, release.name) for release in (*self.earlier, *self.releases))

    def _named_apart(self, release: Any) -> Any:
        taken = {other.name for other in self.releases}
        if release.name not in taken:
            return release
        number = next(number for number in itertools.count(2) if f"{release.name} ({number})" not in taken)
        return replace(release, name=f"{release.name} ({number})")
