"""What every page of the room asks first: whether places are open, and which."""

from anonymizer_gui.engine.data.places.places import Places
from anonymizer_gui.engine.rooms.places.project import PLACES
from anonymizer_gui.engine.rooms.places.release import Release
from anonymizer_gui.workspace.document import Document

ROOM = "places"


def places_of(document: Document) -> Places | None:
    """Give the places that are open; nothing where the document is of another room or has none."""
    found: Places | None = document.files.get(PLACES) if document.room == ROOM else None
    return found


def release_of(document: Document) -> Release | None:
    """Give the chosen release."""
    found: Release | None = document.selected if document.room == ROOM else None
    return found


def has_places(document: Document) -> bool:
    """Tell whether places are open."""
    return places_of(document) is not None
