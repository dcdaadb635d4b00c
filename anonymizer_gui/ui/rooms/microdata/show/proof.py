"""The release leaves with its proof; one changed cell, and the proof says so."""

import tempfile
from pathlib import Path

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.release.page import ReleasePage
from anonymizer_gui.ui.release.verify_dialog import VerifyDialog
from anonymizer_gui.ui.room_view import TourStep
from anonymizer_gui.ui.shell.main_window import MainWindow

_FILE = "hospital_release.csv"


class Proof:
    """Exports to a folder of its own, which goes with the tour."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._dialog: VerifyDialog | None = None

    @property
    def path(self) -> Path:
        """Where the release is written to."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="anonymizer-tour-")
        return Path(self._folder.name) / _FILE

    def check(self, window: MainWindow) -> None:
        """Show the checklist of the release."""
        release = window.document.selected
        if release is not None:
            window.document.finished.use_settings_of(release, tr("Set the goals of the tour"))
        window.go_to("release")

    def export(self, window: MainWindow) -> None:
        """Let it leave."""
        window.go_to("release")
        page = window.pages.page("release")
        if isinstance(page, ReleasePage):
            page.export(self.path)

    def verify(self, window: MainWindow) -> None:
        """Show what anybody finds who has the file and its certificate."""
        self.close(window)
        window.document.messages.clear_told()
        self._dialog = VerifyDialog(window.document, self.path, window)
        self._dialog.show()  # not modal: the tour goes on beside it

    def tamper(self, window: MainWindow) -> None:
        """Change one cell of the file, and verify again."""
        self.close(window)
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        before, diagnosis, charge = lines[-1].rsplit(",", 2)  # cells before them may hold commas in quotes
        other = "Influenza" if diagnosis != "Influenza" else "Asthma"
        self.path.write_text("".join([*lines[:-1], f"{before},{other},{charge}"]), encoding="utf-8")
        self.verify(window)

    def close(self, _window: MainWindow) -> None:
        """Take the dialog away."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None

    def clear(self, window: MainWindow) -> None:
        """Take the dialog and all files away."""
        self.close(window)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def proof_steps() -> tuple[TourStep, ...]:
    """Check, export, verify, change a cell, verify again."""
    proof = Proof()
    return (
        TourStep(
            "release",
            tr("Release"),
            tr("A checklist must be in order before anything leaves. What is red blocks the way, or needs a reason."),
            proof.check,
            "checklist",
        ),
        TourStep(
            "export",
            tr("Export"),
            tr(
                "The file is written, read back, and every promise measured again by other code. "
                "It leaves with a certificate and a report."
            ),
            proof.export,
        ),
        TourStep(
            "verify",
            tr("Verify"),
            tr("Whoever gets both can check the file against its certificate."),
            proof.verify,
            leave=proof.close,
        ),
        TourStep(
            "tampered",
            tr("One cell changed"),
            tr(
                "We change the diagnosis of one row in the file and verify again: "
                "it is not the file that was certified."
            ),
            proof.tamper,
            leave=proof.clear,
        ),
    )
