"""What a release of nested records promises, as the recount found it."""

from typing import TYPE_CHECKING

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.engine.room import Promise
from anonymizer_gui.engine.rooms.trees.roles import PathRole

if TYPE_CHECKING:
    from anonymizer_gui.engine.rooms.trees.project import Project

DIVERSITY = "l"
LEFT_OPEN = "few_l"


def asked(project: "Project") -> tuple[Promise, ...]:
    """Give what is promised before anybody counted: nothing holds yet."""
    return project.algorithm.promised(has_sensitive=bool(project.of_role(PathRole.SENSITIVE)))


def whole_structure(k: int) -> Promise:
    """Promise records that are alike in all that is known of them."""
    return Promise(
        "full",
        "k-anonymity of the whole structure",
        message("every record is alike in structure and quasi-identifiers to at least {k} in all", k=k),
        False,
        0,
        {"k": k},
        "Finding somebody's record by anything that is known of it: labels, how they hang together, and how many.",
        "What the sensitive values of alike records have in common, and public labels, which leave as they are.",
        "|class(r)| ≥ k for every record r",
        "Ozalp, Gursoy, Nergiz and Saygin, TOPS 2016",
    )


def diverse_vertices(l: int) -> Promise:  # noqa: E741 - what everybody calls it
    """Promise sensitive values that differ, vertex by vertex."""
    return Promise(
        DIVERSITY,
        "l-diversity at every vertex",
        message("every vertex of a class has at least {l} sensitive values", l=l),
        False,
        0,
        {"l": l},
        "Learning a sensitive value because all alike records have the same at that place.",
        "Values that differ but mean the same, and what is known of a person besides.",
        "|values(v)| ≥ l for every kept vertex v",
        "Ozalp, Gursoy, Nergiz and Saygin, TOPS 2016",
    )


def few_labels(k: int, m: int, n: int) -> Promise:
    """Promise records enough for whoever knows a few labels."""
    return Promise(
        "few",
        "k^(m,n)-anonymity",
        message(
            "whoever knows up to {m:label|labels} and {n:relation|relations} of somebody finds at least "
            "{k:record|records}",
            m=m,
            n=n,
            k=k,
        ),
        False,
        0,
        {"k": k, "m": m, "n": n},
        "Finding somebody's record by a few things known to be in it, and which of them belong together.",
        "Knowing more labels or relations, knowing that something is not there, and knowing how often something is "
        "there: how many children a record has is not hidden.",
        "support(P) = 0 or support(P) ≥ k for every pattern P of at most m labels and n relations",
        "Gkountouna and Terrovitis, TKDE 2015",
    )


def values_left_open(l: int, m: int, n: int) -> Promise:  # noqa: E741 - what everybody calls it
    """Promise sensitive values that differ among them."""
    return Promise(
        LEFT_OPEN,
        "l-diversity of every pattern",
        message(
            "of whoever fits up to {m:label|labels} and {n:relation|relations}, no statement that names fewer than {l} "
            "values of a sensitive path is true of all",
            m=m,
            n=n,
            l=l,
        ),
        False,
        0,
        {"l": l, "m": m, "n": n},
        "Learning a sensitive value because all who fit what is known have it: somewhere in the record, or in line "
        "with a label that is known.",
        "Values that most but not all have, values that differ but mean the same, and knowing more labels or "
        "relations.",
        "|V| ≥ l for every pattern P and every V such that each record that fits P has a value in V",
        "Xu, Wang, Fu and Yu, KDD 2008; Gkountouna and Terrovitis, TKDE 2015",
    )
