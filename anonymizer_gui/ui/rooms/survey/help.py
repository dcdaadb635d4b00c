"""The help of the room: a page made of what the protocols say of themselves."""

from typing import Any

from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.ui.help_pages import GeneratedPages, generated_page
from anonymizer_gui.ui.i18n import tr

ORDER = ("survey/survey", "survey/collect", "survey/estimate", "survey/simulate", "survey/protocols", "release")


def protocols_page() -> str:
    """Describe every protocol."""
    intro = tr("How a form changes an answer by chance, so that nobody can be sure of it from the report.")
    protocols: list[Any] = list(PROTOCOLS)
    return generated_page(tr("Protocols"), intro, protocols, formula=True, source="reference")


COMPOSED: GeneratedPages = {"survey/protocols": (lambda: tr("Protocols"), protocols_page)}
