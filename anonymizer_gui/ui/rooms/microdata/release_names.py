"""What a release is called until somebody gives it another name."""

from anonymizer_gui.engine.rooms.microdata.recoding import Method
from anonymizer_gui.ui.i18n import tr


def name_for(algorithm: Method | None) -> str:
    """Name a release after its algorithm; levels chosen by hand are said, as they are all that tells them apart."""
    if algorithm is None:
        return ""
    levels = algorithm.told_levels()
    if levels is None:
        return tr(algorithm.title)
    lifted = ", ".join(f"{name} {level}" for name, level in levels.items() if level)
    return tr("By hand: {levels}", levels=lifted) if lifted else tr("By hand: nothing lifted")
