"""The document as the pages of this room know it: its project and releases are of their own kind."""

from typing import TYPE_CHECKING, cast

from anonymizer_gui.workspace.document import Document

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release.release import Release

    class MicrodataDocument(Document):
        """A document that is in this room."""

        project: Project
        releases: tuple[Release, ...]
        selected: Release | None

else:
    MicrodataDocument = Document


def ours(document: Document) -> MicrodataDocument:
    """Take what the frame hands over for a document of this room, which it has made sure of."""
    return cast("MicrodataDocument", document)
