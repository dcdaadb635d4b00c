"""What the certificate tells of a collection: questions, protocols with their exact chances, supports and estimates."""

from pathlib import Path

from anonymizer_gui.engine.core.budget import amount_text
from anonymizer_gui.engine.core.params import Json
from anonymizer_gui.engine.dp.local.estimation import max_gain, poison_mean
from anonymizer_gui.engine.dp.local.protocol import FrequencyProtocol, MeanProtocol
from anonymizer_gui.engine.rooms.survey.release import Release
from anonymizer_gui.engine.rooms.survey.results import Result
from anonymizer_gui.engine.rooms.survey.sifting import told


def told_of(release: Release) -> dict[str, Json]:
    """Give the room's entries of the certificate; all of it is public or comes from reports."""
    collection, source = release.collection, release.project.reports or release.project.source
    return {
        "survey": {**collection.to_json(), "fingerprint": collection.fingerprint},
        "proof": {
            "largest_ratio": amount_text(collection.ratio),
            "epsilon": amount_text(collection.epsilon),
            "cost": collection.cost,
        },
        "results": [_result(each, collection.protocols[each.question.name]) for each in release.results],
        "reports": {
            "counted": release.n,
            "not_counted": told(release.problems),
            "made": "here" if release.is_perturbed_here else "by respondents",
        },
        "source": {"file": Path(source.path).name if source else ""},
        "notes": [str(note) for note in release.notes],
    }


def _result(result: Result, protocol: FrequencyProtocol | MeanProtocol) -> dict[str, Json]:
    told = {**result.to_json(), "support": {cell.value: cell.support for cell in result.cells}}
    if isinstance(protocol, FrequencyProtocol):
        return told | {"most_of_one_fake": max_gain(protocol)}
    question = result.question
    most = poison_mean(protocol, result.cells[0].estimate, result.n, (question.low, question.high), 1)[1]
    return told | {"most_of_one_fake": most}
