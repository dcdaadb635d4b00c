"""What a release of nested records promises, as the recount found it."""

from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.algorithms.few import Few
from anonymizer_gui.engine.rooms.trees.algorithms.full import Full
from anonymizer_gui.engine.rooms.trees.project import Project
from anonymizer_gui.engine.rooms.trees.roles import PathRole
from anonymizer_gui.engine.words import say

DIVERSITY = "l"
LEFT_OPEN = "few_l"


def asked(project: Project) -> tuple[Promise, ...]:
    """Give what is promised before anybody counted: nothing holds yet."""
    algorithm = project.algorithm
    is_diverse = bool(project.of_role(PathRole.SENSITIVE))
    if isinstance(algorithm, Few):
        return (_few(algorithm), *([_left_open(algorithm)] if algorithm.l > 1 and is_diverse else []))
    assert isinstance(algorithm, Full)
    return (_whole(algorithm), *([_diverse(algorithm)] if algorithm.l > 1 and is_diverse else []))


def _whole(algorithm: Full) -> Promise:
    return Promise(
        "full",
        "k-anonymity of the whole structure",
        say("every record is alike in structure and quasi-identifiers to at least {k} in all", k=algorithm.k),
        False,
        0,
        {"k": algorithm.k},
        "Finding somebody's record by anything that is known of it: labels, how they hang together, and how many.",
        "What the sensitive values of alike records have in common, and public labels, which leave as they are.",
        "|class(r)| ≥ k for every record r",
        "Ozalp, Gursoy, Nergiz and Saygin, TOPS 2016",
    )


def _diverse(algorithm: Full) -> Promise:
    return Promise(
        DIVERSITY,
        "l-diversity at every vertex",
        say("every vertex of a class has at least {l} sensitive values", l=algorithm.l),
        False,
        0,
        {"l": algorithm.l},
        "Learning a sensitive value because all alike records have the same at that place.",
        "Values that differ but mean the same, and what is known of a person besides.",
        "|values(v)| ≥ l for every kept vertex v",
        "Ozalp, Gursoy, Nergiz and Saygin, TOPS 2016",
    )


def _few(algorithm: Few) -> Promise:
    return Promise(
        "few",
        "k^(m,n)-anonymity",
        say(
            "whoever knows up to {m:label|labels} and {n:relation|relations} of somebody finds at least "
            "{k:record|records}",
            m=algorithm.m,
            n=algorithm.n,
            k=algorithm.k,
        ),
        False,
        0,
        {"k": algorithm.k, "m": algorithm.m, "n": algorithm.n},
        "Finding somebody's record by a few things known to be in it, and which of them belong together.",
        "Knowing more labels or relations, knowing that something is not there, and knowing how often something is "
        "there: how many children a record has is not hidden.",
        "support(P) = 0 or support(P) ≥ k for every pattern P of at most m labels and n relations",
        "Gkountouna and Terrovitis, TKDE 2015",
    )


def _left_open(algorithm: Few) -> Promise:
    return Promise(
        LEFT_OPEN,
        "l-diversity of every pattern",
        say(
            "of whoever fits up to {m:label|labels} and {n:relation|relations}, no statement that names fewer than {l} "
            "values of a sensitive path is true of all",
            m=algorithm.m,
            n=algorithm.n,
            l=algorithm.l,
        ),
        False,
        0,
        {"l": algorithm.l, "m": algorithm.m, "n": algorithm.n},
        "Learning a sensitive value because all who fit what is known have it: somewhere in the record, or in line "
        "with a label that is known.",
        "Values that most but not all have, values that differ but mean the same, and knowing more labels or "
        "relations.",
        "|V| ≥ l for every pattern P and every V such that each record that fits P has a value in V",
        "Xu, Wang, Fu and Yu, KDD 2008; Gkountouna and Terrovitis, TKDE 2015",
    )
