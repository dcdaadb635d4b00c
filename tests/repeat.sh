#!/usr/bin/env bash
# Runs the whole suite several times, each time in another random order, while other processes keep the machine busy,
# and says at the end which tests were not green.
#
#     tests/repeat.sh 5                          five times
#     LOAD=0 tests/repeat.sh 1                   once, on a machine as it is; LOAD counts the busy processes (10)
#     PROCESSES=0 tests/repeat.sh 1              in one process; otherwise in so many (2)
#     tests/repeat.sh 3 tests/ui -k data         some of the tests
#     ORDER=4711 tests/repeat.sh 1               in the order a run before has named
set -euo pipefail
cd "$(dirname "$0")/.."

times=${1:?How many times? tests/repeat.sh N [arguments of pytest]}
shift
[[ $times =~ ^[1-9][0-9]*$ ]] || { echo "How many times? “$times” is no number." >&2; exit 2; }
load=${LOAD:-10}
processes=${PROCESSES:-2}
logs=$(mktemp -d)
busy=()

end_load() {
    if [ ${#busy[@]} -gt 0 ]; then kill "${busy[@]}" 2> /dev/null || true; wait "${busy[@]}" 2> /dev/null || true; fi
    busy=()
}
trap end_load EXIT
trap 'exit 130' INT TERM

for _ in $(seq "$load"); do
    # A busy process ends with this one, even where this one is killed and cannot end it.
    (while kill -0 $$ 2> /dev/null; do for ((i = 0; i < 100000; i++)); do :; done; done) &
    busy+=($!)
done

if [ "$processes" = 0 ]; then shared=(-p no:xdist); else shared=(-n "$processes" --dist loadfile --no-loadscope-reorder); fi
was_green=yes
for turn in $(seq "$times"); do
    order=${ORDER:-$RANDOM$turn}
    log=$logs/$turn.log
    SECONDS=0
    ANONYMIZER_TEST_ORDER=$order PYTHONDONTWRITEBYTECODE= QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest -q -p no:cacheprovider \
        "${shared[@]}" "$@" > "$log" 2>&1 && code=0 || code=$?
    [ "$code" = 0 ] || was_green=no
    printf 'run %s of %s, order %s, load %s: %d:%02d min, %s\n' "$turn" "$times" "$order" "$load" \
        $((SECONDS / 60)) $((SECONDS % 60)) "$(tail -n 1 "$log")"
done

end_load
if [ "$was_green" = yes ]; then
    echo "Green $times of $times times."
    rm -r "$logs"
else
    echo "Not green:"
    grep -hE '^(FAILED|ERROR) ' "$logs"/*.log | sed 's/ - .*//' | sort | uniq -c | sort -rn || true
    echo "The logs are in $logs."
    exit 1
fi
