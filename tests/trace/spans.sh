#!/bin/bash
# spans.sh BIN: traces of services whose true times are known, in the notations of OTLP, Jaeger and Zipkin: the bounds hold the
# truth, no server is outside of its client after the correction, and the written files differ from the read ones in their times only.
set -u
bin=$1 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../kit.sh"
shown=()
cd "$scratch" || exit 1

trace() { "$bin/ordo-trace" "$@"; }
# refused WORDS ARGUMENT...: ordo-trace must end with 64 and one line that has the words.
refused() {
    local words=$1 said code
    shift
    said=$(trace "$@" 2>&1 >/dev/null)
    code=$?
    [ $code = 64 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == *"$words"* ]] ||
        fail "$*: exit $code, and '$words' is not in: $said"
}

# Random services with random clocks.
for seed in $(seq "${ORDO_SEEDS:-6}"); do
    python3 "$here/spans.py" make "$seed" . otlp jaeger zipkin || fail "no traces"
    for notation in otlp jaeger zipkin; do
        trace correct --to csv -o $notation.csv $notation.json >log 2>&1 || fail "seed $seed: $notation is refused: $(cat log)"
        python3 "$here/spans.py" judge . $notation $notation.csv >log || fail "seed $seed: $(cat log)"
    done
done

# A pipe cannot be read a second time, which the written file needs; other forms are written in one pass.
printf 'session,rank,send_ns,master_ns,receive_ns\n0,1,0,0,0\n' >sync.csv
echo '[{"traceId":"1","id":"2","name":"n","timestamp":1,"duration":5}]' >one.json
refused "has to be read twice, which takes a file" correct --sync sync.csv -o piped.json <(cat one.json)
[ -e piped.json ] && fail "a pipe of spans is written as: $(cat piped.json)"
run 0 trace correct --sync sync.csv --to csv -o piped.csv <(cat one.json)
run 0 trace correct --sync sync.csv -o whole.json one.json
cmp -s whole.json one.json || fail "a file of one service is written as: $(cat whole.json)"

# Written again, a file has the same tokens but for its times, and its servers are within their clients.
for notation in otlp jaeger zipkin; do
    trace correct --causal -o $notation.again.json $notation.json >log 2>&1 || fail "$notation: $(cat log)"
    grep -q " 0 after;" log || fail "$notation: messages go back in time: $(grep messages: log)"
    python3 "$here/spans.py" same $notation $notation.json $notation.again.json >log || fail "$notation: $(cat log)"
    gzip -kf $notation.json
    trace correct --causal -o packed.json $notation.json.gz >/dev/null 2>log
    grep -q "unpack it with gunzip$" log && echo "compressed spans: left out: built without zlib" && continue
    cmp -s packed.json $notation.again.json || fail "$notation: compressed, it is another trace"
done

# As Chrome's JSON it has the names of the services, and an arrow for each message.
trace correct --causal --to chrome -o chrome.json jaeger.json >log 2>&1 || fail "no Chrome: $(cat log)"
grep -q '"name":"process_name","pid":0,"tid":0,"args":{"name":"s[0-9]@h"}' chrome.json || fail "the services have no names"
[ "$(grep -c '"ph":"s"' chrome.json)" = "$(trace info jaeger.json | sed -n 's/.* \([0-9]*\) sends.*/\1/p')" ] || fail "messages without arrows"

# The page has the names of the services too.
trace report -o page.html jaeger.json >/dev/null 2>log || fail "no page: $(cat log)"
grep -q '^"ranks":\[\[0,"s[0-9]@h' page.html || fail "the services have no names in the page"

refused "may name spans of" correct -o x otlp.json jaeger.json
printf 'rank,time_ns,kind,peer\n0,1,send,1\n1,2,recv,0\n1,3,send,0\n0,4,recv,1\n' >messages.csv
refused "only a file of spans" correct --to spans -o x messages.csv
head -c 3000 otlp.json >cut.json
refused "take what is whole with --partial" stats cut.json
trace stats --partial cut.json 2>&1 | grep -q "a place where the file ends too early: 1" || fail "a cut file is not told"
exit $((failures > 0))
