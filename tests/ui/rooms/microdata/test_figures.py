"""The figures of a release in words."""

from dataclasses import replace

import numpy as np

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.models.contract import Measurement
from anonymizer_gui.engine.rooms.microdata.models.k_anonymity import AlphaKAnonymity, KAnonymity
from anonymizer_gui.engine.rooms.microdata.models.l_diversity import DistinctLDiversity
from anonymizer_gui.engine.rooms.microdata.models.t_closeness import TCloseness
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.ui.rooms.microdata.figures import format_one_in, release_figures
from anonymizer_gui.ui.widgets.figure_cards import Figure
from tests.ui.rooms.microdata.protect_documents import hospital_document


def release_of_two_sensitive_columns() -> Release:
    """Protect a hospital whose disease and ward are sensitive, with a diversity goal for the disease."""
    document = hospital_document(goals=(KAnonymity(k=2), DistinctLDiversity(l=2, column="disease")))
    document.edit("Ward is sensitive", schema=document.project.schema.with_roles({"ward": Role.SA}))
    document.run()
    assert document.selected is not None
    document.close()
    return document.selected


def diversity(release: Release) -> Figure:
    return next(figure for figure in release_figures(release, None) if figure.name == "l")


def test_a_small_risk_is_told_in_whole_people() -> None:
    assert format_one_in(1 / 1508.1) == "1 in 1,508"
    assert format_one_in(1 / 2.718) == "1 in 2.72"


def test_diversity_is_told_for_each_of_several_sensitive_columns() -> None:
    release = release_of_two_sensitive_columns()
    each = release.measured.per_sensitive
    told = ", ".join(f"{name} {each[name]['l']['distinct']:.0f}" for name in ("disease", "ward"))
    assert diversity(release).more == told
    least = min(each, key=lambda name: each[name]["l"]["distinct"])
    assert diversity(release).words.startswith(f"least in “{least}”")


def test_diversity_is_not_good_while_a_class_agrees_in_a_column_no_goal_looks_at() -> None:
    release = release_of_two_sensitive_columns()
    assert diversity(release).tone == "good"
    agreeing = replace(release.measured, l={**release.measured.l, "distinct": 1.0})
    assert diversity(replace(release, measured=agreeing)).tone == "warn"


def test_a_goal_for_one_column_does_not_praise_the_closeness_of_another() -> None:
    release = release_of_two_sensitive_columns()
    each = {name: both["t"]["emd-equal"] for name, both in release.measured.per_sensitive.items()}
    farther = max(each, key=lambda name: each[name])
    tones = {}
    for name in each:
        goal = TCloseness(t=1.0, column=name)
        held = Measurement(each[name], holds=True, per_class=np.zeros(1), worst=np.zeros(1, dtype=np.int64))
        judged = replace(release.measured, goals=((goal, held),))
        promised = replace(release, project=replace(release.project, goals=(goal,)), measured=judged)
        tones[name] = next(figure.tone for figure in release_figures(promised, None) if figure.name == "t")
    assert tones == {name: "good" if name == farther else "info" for name in each}


def test_every_promise_is_among_the_figures() -> None:
    document = hospital_document(goals=(KAnonymity(k=2), AlphaKAnonymity(alpha=0.9, k=2)))
    document.run()
    release = document.selected
    document.close()
    assert release is not None
    shown = {figure.name: figure for figure in release_figures(release, None)}
    promised = next(promise for promise in release.promises if promise.name == "alpha-k")
    assert shown["promise_alpha-k"].words == promised.sentence
    assert shown["promise_alpha-k"].tone == "good"
    assert promised.sentence in shown["goals"].more


def test_a_goal_that_compares_with_something_else_does_not_colour_the_distance_from_the_published_rows() -> None:
    """A distribution of one's own may be near while the published rows are far: each has its own number."""
    far, near = TCloseness(t=0.9), TCloseness(t=0.9, reference="uniform")
    document = hospital_document(goals=(KAnonymity(k=2), near))
    document.run()
    release = document.selected
    document.close()
    assert release is not None
    apart = Measurement(0.123, holds=True, per_class=np.zeros(1), worst=np.zeros(1, dtype=np.int64))

    def shown(goal: TCloseness) -> dict[str, Figure]:
        kept = [(model, found) for model, found in release.measured.goals if model.name != "t"]
        measured = replace(release.measured, goals=(*kept, (goal, apart)))
        project = replace(release.project, goals=(KAnonymity(k=2), goal))
        return {
            figure.name: figure
            for figure in release_figures(replace(release, project=project, measured=measured), None)
        }

    assert shown(near)["t"].tone == "info"
    assert "all published rows" in shown(near)["t"].words
    assert shown(near)["promise_t"].text == "0.123"
    assert "all values equally often" in shown(near)["promise_t"].words
    apart = replace(apart, value=release.measured.per_sensitive["disease"]["t"]["emd-equal"])
    assert shown(far)["t"].tone == "good"
    assert "promise_t" not in shown(far)


def test_diversity_that_nobody_asked_for_is_no_good_news() -> None:
    document = hospital_document(goals=(KAnonymity(k=20),))
    document.run()
    release = document.selected
    document.close()
    assert release is not None
    assert release.measured.l["distinct"] >= 2
    assert diversity(release).tone == "info"
