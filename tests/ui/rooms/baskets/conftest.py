"""Documents of the room: the four customers and the market, with and without a release."""

import pytest

from anonymizer_gui.assets import resource_path
from anonymizer_gui.workspace.document import Document


@pytest.fixture
def four(document: Document) -> Document:
    """Open the four customers."""
    document.open_project(resource_path("samples", "four_customers.anon"), as_copy=True)
    return document


@pytest.fixture
def market(document: Document) -> Document:
    """Open the market."""
    document.open_project(resource_path("samples", "market.anon"), as_copy=True)
    return document


@pytest.fixture
def released(market: Document) -> Document:
    """Give the market protected."""
    market.run()
    assert market.releases
    return market
