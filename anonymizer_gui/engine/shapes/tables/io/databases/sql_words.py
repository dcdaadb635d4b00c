"""Words of questions to databases: those that do more than read, and the functions that only compute."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FORBIDDEN = _words(
    """
    alter analyze attach begin call checkpoint cluster commit copy create deallocate declare delete detach discard do
    drop dumpfile exec execute explain export fetch grant handler import insert install into listen load lock merge
    move notify outfile pragma prepare procedure refresh reindex release rename reset returning revoke rollback
    savepoint set truncate unlisten unlock update use vacuum
    """
)

BEFORE_PARENTHESES = _words(
    """
    all and any array as asc between by case cast char character cross date decimal desc distinct else escape except
    exists extract filter float from group having ilike in inner intersect interval is join lateral left like limit
    materialized not nullif numeric offset on or order outer over partition precision range recursive right row rows
    select similar some then time timestamp to union using values varchar varying when where window with within
    """
)

_AGGREGATES = """
    any_value array_agg avg bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank every first_value
    group_concat lag last_value lead listagg max median min mode nth_value ntile percent_rank percentile_cont
    percentile_disc rank regr_slope row_number stddev stddev_pop stddev_samp string_agg sum total var_pop var_samp
    variance
"""
_TEXTS = """
    ascii bit_length btrim char_length character_length chr coalesce concat concat_ws elt field find_in_set format
    glob greatest hex if ifnull initcap instr isnull lcase least length locate lower lpad ltrim mid nvl
    octet_length overlay position printf quote quotename regexp_like regexp_match regexp_matches regexp_replace
    regexp_substr repeat replace reverse rpad rtrim soundex space split_part strcmp strpos substr substring
    substring_index to_char translate trim ucase unhex unicode upper typeof
"""
_NUMBERS = """
    abs acos asin atan atan2 ceil ceiling cos degrees div exp floor ln log log10 log2 mod pi pow power radians round
    sign sin sqrt tan to_number trunc width_bucket
"""
_DATES = """
    adddate age convert current_date current_time current_timestamp curdate date_add date_diff date_format date_part
    date_sub date_trunc datediff datetime day dayname dayofmonth dayofweek dayofyear from_days from_unixtime hour
    julianday last_day localtime localtimestamp make_date make_time make_timestamp makedate minute month monthname now
    period_diff quarter second strftime subdate str_to_date sysdate time_format timediff timestampadd timestampdiff
    to_date to_days to_timestamp unix_timestamp unixepoch week weekday weekofyear year yearweek
"""
_STRUCTURES = """
    array_length array_position array_to_string cardinality generate_series json_array_length json_extract
    json_extract_path_text json_type json_unquote json_valid json_value jsonb_array_length jsonb_extract_path_text
    string_to_array unnest
"""
FUNCTIONS = _words(f"{_AGGREGATES} {_TEXTS} {_NUMBERS} {_DATES} {_STRUCTURES}")
