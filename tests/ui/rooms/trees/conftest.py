"""Documents of the room: the students and the two hospitals, with and without a release."""

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def hospitals(document: Document) -> Document:
    """Open the two hospitals."""
    document.open_project(resource_path("samples", "two_hospitals.anon"), as_copy=True)
    return document


@pytest.fixture
def students(document: Document) -> Document:
    """Open the students."""
    document.open_project(resource_path("samples", "students.anon"), as_copy=True)
    return document


@pytest.fixture
def released(hospitals: Document) -> Document:
    """Give the two hospitals protected."""
    hospitals.run()
    assert hospitals.releases
    return hospitals
