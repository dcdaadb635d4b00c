"""The faults that `make mutants` puts into the program; each names the tests that must find it.

A place is given by its function and a short text inside it, so that it stays right while files move. The table says
once where a module is.
"""

from tests.mutants import Mutant

_ENGINE = "anonymizer_gui.engine"
_ROOMS = f"{_ENGINE}.rooms"
MODULES = {
    "alpha-k": f"{_ROOMS}.microdata.models.k_anonymity",
    "k": f"{_ROOMS}.microdata.models.k_anonymity",
    "l": f"{_ROOMS}.microdata.models.l_diversity",
    "distances": f"{_ROOMS}.microdata.models.distances",
    "judges": f"{_ROOMS}.microdata.independent.privacy_checks",
    "formulas": f"{_ROOMS}.microdata.independent.formulas",
    "certificate of tables": f"{_ROOMS}.microdata.release.certificate",
    "entries of tables": f"{_ROOMS}.microdata.release.expected_entries",
    "loss": f"{_ROOMS}.microdata.utility.information_loss",
    "pseudonyms": f"{_ROOMS}.microdata.release.pseudonyms",
    "order of rows": f"{_ROOMS}.microdata.release.output_table",
    "project of tables": f"{_ROOMS}.microdata.project",
    "engine's file": f"{_ROOMS}.microdata.out_of_core.verification",
    "risk": f"{_ROOMS}.microdata.risk.reidentification",
    "accounting": f"{_ENGINE}.dp.accountant",
    "sensitivity": f"{_ENGINE}.dp.sensitivity",
    "accounts": f"{_ROOMS}.statistics.budget_accounting",
    "audit": f"{_ROOMS}.statistics.independent.certificate_check",
    "estimating": f"{_ENGINE}.dp.local.estimation",
    "proof of surveys": f"{_ROOMS}.survey.independent.recount",
    "count of baskets": f"{_ROOMS}.baskets.independent.recount",
    "promises of baskets": f"{_ROOMS}.baskets.independent.recount",
    "knowledge of ties": f"{_ROOMS}.graphs.structural_knowledge",
    "count of ties": f"{_ROOMS}.graphs.independent.recount",
    "opinion on graphs": f"{_ROOMS}.graphs.independent_check",
    "count of regions": f"{_ROOMS}.places.independent.recount",
    "count of tiles": f"{_ROOMS}.places.independent.recount",
    "opinion on places": f"{_ROOMS}.places.independent_check",
    "groups of tracks": f"{_ROOMS}.places.trajectories",
    "hilbert": f"{_ROOMS}.places.algorithms.cloaking",
    "roles of paths": f"{_ROOMS}.trees.encoding",
    "variety": f"{_ROOMS}.trees.algorithms.clustree",
    "count of trees": f"{_ROOMS}.trees.independent.recount",
    "export": f"{_ENGINE}.releases.export",
    "certificate": f"{_ENGINE}.releases.certificate",
    "verify": f"{_ENGINE}.releases.verification",
    "leaving": f"{_ENGINE}.releases.release_candidate",
    "ledger": f"{_ENGINE}.releases.ledger.releases",
    "chain": f"{_ENGINE}.releases.ledger.chain",
    "ledger's file": f"{_ENGINE}.releases.ledger.store",
    "budgets": f"{_ENGINE}.releases.ledger.budget",
    "hierarchy": f"{_ENGINE}.hierarchy.tree",
    "places of values": f"{_ENGINE}.hierarchy.leaf_encoding",
    "edits": f"{_ENGINE}.hierarchy.edits",
    "jobs": "anonymizer_gui.workspace.jobs",
    "answers": "anonymizer_gui.workspace.result_cache",
    "recovery": "anonymizer_gui.workspace.recovery",
    "settings": "anonymizer_gui.workspace.settings",
}
_TABLES = "tests/engine/rooms/microdata"
_STATISTICS = "tests/engine/rooms/statistics"
_SURVEY = "tests/engine/rooms/survey/test_second_opinion.py"
_BASKETS = "tests/engine/rooms/baskets"
_GRAPHS = "tests/engine/rooms/graphs/test_release.py"
_PLACES = "tests/engine/rooms/places"
_TREES = "tests/engine/rooms/trees"
_LEDGER = "tests/engine/releases/test_ledger.py"


def _of(name: str, module: str, function: str, change: tuple[str, str], *tests: str) -> Mutant:
    return Mutant(name, MODULES[module], function, *change, tests)


_OF_TABLES = (
    _of(
        "k-anonymity asks for one row less", "k", "KAnonymity.satisfied", (">= self.k", ">= self.k - 1"),
        "tests/commands/test_measure_command.py::test_a_goal_that_does_not_hold_is_exit_1",
    ),
    _of(
        "(alpha,k)-anonymity without its k", "alpha-k", "AlphaKAnonymity.is_fine", (" & (groups.people >= self.k)", ""),
        "tests/commands/test_measure_command.py::test_alpha_k_asks_for_k_rows_however_large_alpha_is",
    ),
    _of(
        "the recount judges (alpha,k)-anonymity without its k", "judges", "_alpha_k",
        (" and _k(evidence, parameters)[1]", ""),
        f"{_TABLES}/test_second_opinion.py::test_a_larger_k_of_alpha_k_than_the_file_has_is_found",
    ),
    _of(
        "a missing value makes a class diverse", "l", "DistinctLDiversity.value_of",
        ("self.known(histogram, sensitive)", "histogram"),
        f"{_TABLES}/models/test_oracle.py::test_a_class_of_one_value_and_a_gap_is_not_diverse",
    ),
    _of(
        "what a class lacks counts in the distance", "distances", "variational", (", 0.0)", ", -1.0)"),
        f"{_TABLES}/models/test_worked_examples.py::test_skewness_is_seen_by_the_distance_and_not_by_diversity",
    ),
    _of(
        "an exact tie is recursively diverse", "formulas", "recursive_l", ("below < above", "below <= above"),
        f"{_TABLES}/independent/test_worked_numbers.py::test_an_exact_tie_fails_recursive_diversity",
    ),
    _of(
        "verify without class sizes", "entries of tables", "",
        ("[list(each) for each in release.found.bins()]", 'told["class_sizes"]'),
        f"{_TABLES}/test_second_opinion.py::test_other_sizes_of_classes_than_the_file_has_are_found",
    ),
    _of(
        "a certificate with LM to six digits", "certificate of tables", "", ("LM_DIGITS = 3", "LM_DIGITS = 6"),
        f"{_TABLES}/test_tells_nothing.py::"
        "test_the_loss_is_told_so_roughly_that_nobody_counts_the_values_of_rows_left_out",
    ),
    _of(
        "the digest of a column forgets where its cells are", "certificate of tables", "column_digest",
        ("rank[used.codes].tobytes() if len(order)", 'b"" if len(order)'),
        f"{_TABLES}/test_export.py::test_tampering_with_one_cell_is_found_and_told",
    ),
    _of(
        "rows left out cost nothing", "loss", "mean_loss", ("cells.loss + suppressed)", "cells.loss)"),
        "tests/commands/test_measure_command.py::test_rows_the_original_has_more_count_as_suppressed",
    ),
    _of(
        "pseudonyms without a salt", "pseudonyms", "_release_key", (r"{salt}\0{name}", r"\0{name}"),
        f"{_TABLES}/test_export.py::test_pseudonyms_link_two_releases_only_when_asked",
    ),
    _of(
        "rows are shuffled from the order of the source", "order of rows", "_order",
        ("by_value[np.random", "np.arange(table.n_rows)[np.random"),
        f"{_TABLES}/test_export.py::test_undoing_the_shuffle_gives_sorted_rows_not_the_order_of_the_source",
    ),
    _of(
        "formulas leave armed unless somebody asks", "project of tables", "Publishing",
        ("escape_formulas: bool = True", "escape_formulas: bool = False"),
        f"{_TABLES}/test_export.py::test_formulas_are_disarmed_in_the_file_and_the_numbers_stay",
    ),
    _of(
        "the engine's file is not compared", "engine's file", "require_same_rows", ("found != wanted", "False"),
        f"{_TABLES}/out_of_core/test_refusals.py::"
        "test_a_file_with_another_cell_that_no_promise_counts_never_gets_its_name",
    ),
    _of(
        "the attacker shares a class with one more", "risk", "ProsecutorRisk.measure",
        ("1.0 / sizes", "1.0 / (sizes + 1)"),
        f"{_TABLES}/risk/test_oracle.py::test_prosecutor_and_marketer_follow_from_the_sizes_of_classes",
    ),
)  # fmt: skip
_OF_NOISE = (
    _of(
        "half of rho for a pure epsilon", "accounting", "_as_zcdp", ("squares / 2", "squares / 4"),
        "tests/engine/dp/test_accounting.py::test_laplace_questions_cost_no_less_than_dp_accounting_says",
    ),
    _of(
        "a changed row costs once in parts", "accounting", "compose_parallel", ("group_privacy(largest, 2)", "largest"),
        "tests/engine/dp/test_accounting.py::test_a_changed_row_costs_twice_even_within_one_part",
    ),
    _of(
        "the rho of a group grows with its size alone", "accounting", "group_privacy", ("people**2", "people"),
        "tests/engine/dp/test_accounting.py::test_a_group_pays_for_all_its_members",
    ),
    _of(
        "a changed row moves one cell", "sensitivity", "histogram", ("Sensitivity(2, 2, 1", "Sensitivity(1, 1, 1"),
        "tests/engine/dp/test_sensitivity.py::test_no_neighbour_moves_further_and_some_move_as_far",
    ),
    _of(
        "a sum is as sensitive as its upper bound", "sensitivity", "bounded_sum",
        ("max(abs(low), abs(high))", "abs(high)"),
        "tests/engine/dp/test_sensitivity.py::test_no_neighbour_moves_further_and_some_move_as_far",
    ),
    _of(
        "a budget can be overdrawn", "accounts", "refuse_overdraft", ("after.epsilon <= total.epsilon and ", ""),
        f"{_STATISTICS}/test_running.py::test_what_would_overdraw_is_refused_with_what_is_left",
    ),
    _of(
        "what is known is paid again", "accounts", "questions_to_pay",
        ("each.key not in known and is_better", "is_better"),
        f"{_STATISTICS}/test_running.py::test_the_same_question_again_costs_nothing",
    ),
    _of(
        "the audit does not look at scales", "audit", "_is_scaled",
        ("scale * epsilon == ways * picks * step", "scale == scale or step"),
        f"{_STATISTICS}/test_audit.py::test_whatever_is_made_to_look_better_is_found",
    ),
    _of(
        "the audit lets more be spent than was allowed", "audit", "_of_budget", ("if spent > total or", "if"),
        f"{_STATISTICS}/test_audit.py::test_whatever_is_made_to_look_better_is_found",
    ),
)  # fmt: skip
_OF_ANSWERS = (
    _of(
        "estimates of a survey without its noise", "estimating", "estimate_from_support",
        ("support - n * q", "support"),
        f"{_SURVEY}::test_what_other_code_finds_the_same_leaves_and_verifies",
    ),
    _of(
        "the intervals of a survey are too narrow", "estimating", "", ("WIDTH95 = 1.959", "WIDTH95 = 1.644"),
        f"{_SURVEY}::test_what_other_code_finds_the_same_leaves_and_verifies",
    ),
    _of(
        "a survey of two questions costs as much as one", "proof of surveys", "product_ratio",
        ('sharing == "one"', "ratios"),
        f"{_SURVEY}::test_what_other_code_finds_the_same_leaves_and_verifies",
    ),
    _of(
        "any chances are allowed", "proof of surveys", "is_allowed", ("ratio <= limit", "limit > 0"),
        f"{_SURVEY}::test_a_smaller_epsilon_than_the_chances_cost_is_found",
    ),
)  # fmt: skip
_OF_SHAPES = (
    _of(
        "the recount looks at single items only", "count of baskets", "_beginning_with",
        ("len(items) == most", "len(items) <= most"),
        f"{_BASKETS}/test_broken_code.py::test_a_method_that_does_nothing_releases_nothing",
    ),
    _of(
        "any baskets keep k^m", "promises of baskets", "check_promise",
        ('smallest == 0 or smallest >= parameters["k"]', "smallest >= 0"),
        f"{_BASKETS}/test_broken_code.py::test_a_method_that_does_nothing_releases_nothing",
    ),
    _of(
        "one in two may have a sensitive item, whatever l is", "promises of baskets", "_diversity",
        ('with_item * parameters["l"]', "with_item * 2"),
        f"{_BASKETS}/test_broken_code.py::test_a_method_that_does_nothing_releases_nothing",
    ),
    _of(
        "H2 of directed graphs is one-sided", "knowledge of ties", "_refined",
        (", _around(graph, head, colours[tail])]", "]"),
        f"{_GRAPHS}::test_neighbours_are_looked_at_on_both_sides_of_ties_with_a_direction",
    ),
    _of(
        "the recount of H2 is one-sided", "count of ties", "_deeper", ("for each in into", "for each in ()"),
        f"{_GRAPHS}::test_neighbours_are_looked_at_on_both_sides_of_ties_with_a_direction",
    ),
    _of(
        "certain ties are not compared", "opinion on graphs", "",
        ('"certain_edges": counted.certain_edges,', '"certain_edges": 0.0,'),
        f"{_GRAPHS}::test_ties_that_are_said_to_be_less_certain_than_they_are_release_nothing",
    ),
    _of(
        "a region holds whose own sticks out of it in the west", "count of regions", "_surely_inside",
        ("other[0] + turn >= west and ", ""),
        f"{_PLACES}/test_release.py::test_nobody_is_surely_in_a_region_whose_own_sticks_out_of_it_on_one_side",
    ),
    _of(
        "tracks of a class may be any distance apart", "opinion on places", "_on_tracks",
        (' and found.widest <= written["delta"]', ""),
        f"{_PLACES}/test_release.py::test_code_that_moves_tracks_apart_releases_nothing",
    ),
    _of(
        "tiles are counted with one known visit less", "count of tiles", "count_tiles", ("most + 1", "most"),
        f"{_PLACES}/test_tiles.py::test_the_recount_counts_sets_one_by_one",
    ),
    _of(
        "one person fills a class of tracks", "groups of tracks", "_nearest",
        ("int(person[track]) not in people", "track != pivot"),
        f"{_PLACES}/test_tracks.py::test_tracks_of_one_person_never_share_a_class",
    ),
    _of(
        "the edges of a region are rounded inwards", "hilbert", "HilbertCloak._around",
        ("np.floor(low / step)", "np.ceil(low / step)"),
        f"{_PLACES}/test_cloaking.py::test_edges_of_a_bucket_are_rounded_outwards",
    ),
    _of(
        "the rest is a bucket too small for itself", "hilbert", "hilbert_buckets", ("// k - 1, 0)", "// k, 0)"),
        f"{_PLACES}/test_cloaking.py::test_a_bucket_has_k_users_and_the_last_up_to_2k_minus_1",
    ),
    _of(
        "a path nobody has decided about is public", "roles of paths", "",
        ("UNDECIDED = PathRole.REMOVE", "UNDECIDED = PathRole.PUBLIC"),
        "tests/ui/rooms/trees/test_trees_pages.py::"
        "test_a_path_nobody_has_decided_about_is_shown_as_removed_and_does_not_leave",
    ),
    _of(
        "identifiers of records leave", "roles of paths", "PathRole.leaves", ("PathRole.IDENTIFIER, ", ""),
        f"{_TREES}/test_full.py::test_identifiers_and_removed_branches_never_leave",
    ),
    _of(
        "records are diverse with a value less", "variety", "VertexDiversity.holds_at",
        ("< self._least", "< self._least - 1"),
        f"{_TREES}/test_full.py::test_every_kept_vertex_of_a_class_has_enough_sensitive_values",
    ),
    _of(
        "what is missing is a sensitive value", "count of trees", "fewest_values", (" and is_value(value)", ""),
        f"{_TREES}/test_release.py::test_code_that_takes_a_missing_value_for_another_one_releases_nothing",
    ),
    _of(
        "relations between two labels are not counted", "count of trees", "smallest_support", ("n and m > 1", "n > m"),
        f"{_TREES}/test_release.py::test_code_that_forgets_to_cut_releases_nothing",
    ),
)  # fmt: skip
_OF_FRAME = (
    _of(
        "a failed check does not stop an export", "export", "refuse_unready", ("if not failed or", "if failed or"),
        f"{_TABLES}/test_export.py::test_a_column_nobody_agreed_to_stops_the_export_until_a_reason_is_given",
    ),
    _of(
        "a written file is not checked", "export", "_stage_file",
        ("file.check(temporary, progress.sub(0.4, 0.9))", "progress(0.9)"),
        f"{_TABLES}/test_export.py::test_one_changed_cell_is_not_the_release",
    ),
    _of(
        "a changed certificate is taken for unchanged", "certificate", "parse_certificate",
        ('told.get("sha256") == certificate_digest(told)', "True"),
        f"{_TABLES}/test_second_opinion.py::test_an_entry_nobody_can_measure_is_not_changed_unseen",
    ),
    _of(
        "any signer will do", "verify", "_signature", ("wanted.public and signer", "not wanted.public and signer"),
        "tests/engine/releases/test_signing.py::test_another_signer_than_the_wanted_one_is_found",
    ),
    _of(
        "only the same release again is another one", "leaving", "ContentCandidate.others", ("!= own", "== own"),
        f"{_GRAPHS}::test_a_second_release_of_one_graph_is_refused_without_a_reason",
    ),
    _of(
        "the ledger without its chain", "chain", "is_intact", ("link.previous != last", "False"),
        f"{_LEDGER}::test_the_order_of_entries_is_proven_also_by_whoever_has_sealed_only_the_last",
    ),
    _of(
        "figures of a ledger are not sealed", "chain", "entry_mac", ("json.dumps(entry.figures, sort_keys=True)", '""'),
        f"{_LEDGER}::test_an_entry_that_was_changed_or_removed_is_found_and_told_in_a_sentence",
    ),
    _of(
        "anybody may seal the end of a ledger", "ledger", "_is_end",
        ("any(link.sealed_by == sealed_by for _, link in chain)", "bool(chain)"),
        f"{_LEDGER}::test_the_last_entry_cannot_be_cut_off_with_another_key",
    ),
    _of(
        "a release entered meanwhile is overlooked", "ledger", "ReleaseLedger.enter",
        ("newest > after", "newest > after + 1"),
        f"{_LEDGER}::test_whoever_was_not_compared_with_the_newest_entry_is_not_entered",
    ),
    _of(
        "everybody on the machine reads the ledger", "ledger's file", "make_private", ("0o600", "0o644"),
        f"{_LEDGER}::test_others_on_the_machine_cannot_read_the_ledger",
    ),
    _of(
        "spends of a budget are not proven", "budgets", "_accounts",
        ("hmac.compare_digest(_digest(key, last, subject, text), digest)", "digest"),
        "tests/engine/releases/test_budget_ledger.py::test_whoever_meddles_is_found",
    ),
    _of(
        "a budget is reset without a reason", "budgets", "BudgetLedger.reset",
        ("reason.strip()) < _SH", "reason) < 0 * _SH"),
        "tests/engine/releases/test_budget_ledger.py::test_a_reset_needs_a_reason_and_keeps_it",
    ),
    _of(
        "a value by itself loses something", "hierarchy", "Hierarchy.loss",
        ("(self.leaf_counts - 1) /", "self.leaf_counts /"),
        "tests/engine/hierarchy/test_tree.py::test_the_loss_of_a_work_class_is_that_of_the_worked_example",
    ),
    _of(
        "the upper bound of an interval is always in it", "places of values", "LeafIntervals._holding",
        (" & self.closed[place]", ""),
        "tests/engine/hierarchy/test_encode.py::test_a_bound_that_is_not_part_of_an_interval_has_no_place_in_it",
    ),
    _of(
        "a group moves into itself", "edits", "move", ("if node <= parent <", "if node < parent <"),
        "tests/engine/hierarchy/test_edits.py::test_a_node_cannot_move_into_itself",
    ),
    _of(
        "a job cancelled before its delivery is delivered", "jobs", "JobRunner._on_ended",
        ("job.state = JobState.CANCELLED", "pass"),
        "tests/workspace/test_jobs.py::test_a_job_cancelled_between_its_end_and_its_delivery_delivers_nothing",
    ),
    _of(
        "an answer is lost when its job is cancelled after it came", "answers", "ResultCache.ask",
        ("if answer.is_there:", "if answer.is_there and answer.job and not answer.job.is_cancelled:"),
        "tests/workspace/test_kept_answers.py::"
        "test_an_answer_that_was_delivered_stays_when_its_job_is_cancelled_afterwards",
    ),
    _of(
        "a job with the same key does not replace the one before", "jobs", "JobRunner._cancel_key",
        ("job.key == key", "job.key is job"),
        "tests/workspace/test_jobs.py::test_a_job_with_the_same_key_replaces_the_one_before",
    ),
    _of(
        "others read a project that was not saved", "recovery", "Recovery._write", ("0o600", "0o644"),
        "tests/workspace/test_recovery.py::test_others_on_the_machine_cannot_read_it",
    ),
    _of(
        "recent files are forgotten by default", "settings", "Preferences",
        ("remember_recent: bool = True", "remember_recent: bool = False"),
        "tests/workspace/test_settings.py::test_the_newest_file_comes_first_and_few_are_kept",
    ),
)  # fmt: skip
MUTANTS = (*_OF_TABLES, *_OF_NOISE, *_OF_ANSWERS, *_OF_SHAPES, *_OF_FRAME)
