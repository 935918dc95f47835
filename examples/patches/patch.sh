#!/bin/bash
# patch.sh: the common part of NAME/NAME.sh, which tries the patch NAME/NAME.patch. NAME.sh sets `package` and `version`,
# defines build_tree, test_tree and measure_trees, and calls try_patch "$@".
#
#     NAME.sh [--keep FOLDER] [--source FOLDER] [--headers FOLDER] [fetch] [build] [test] [measure]
#
# Without a step, all four are performed. Exit status: 0 all steps succeeded; 1 the patch does not apply or build, or a
# test fails; 2 could not tell (no source, no record, no headers); 64 usage; 70 internal.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
name=$(basename "$here")
pairs=${PAIRS:-15}

stop() { # stop STATUS TEXT: ends the script with one line
    echo "$name.sh: $2" >&2
    exit "$1"
}

usage() {
    cat <<EOF
Usage: $name.sh [OPTION...] [fetch] [build] [test] [measure]
Applies $name.patch to Debian's $package $version, builds it with and without
the patch, runs the project's tests of the changed part, and measures both.

      --keep=FOLDER      Work in FOLDER and leave it, so that later steps can
                         continue there (default: a new folder, removed at the
                         end)
      --source=FOLDER    Use this unpacked source instead of apt-get source
      --headers=FOLDER   Folder with ordo-amalgamated.h and ordo/ (default: the
                         build of this tree, or an installed Ordo)

PAIRS=N in the environment sets the number of paired runs (default 15).
Exit status: 0 all steps succeeded; 1 the patch does not apply or build, or a
test fails; 2 could not tell: no source, no record, no headers; 64 usage;
70 internal.
EOF
}

read_options() {
    keep='' source='' headers='' steps=()
    while [ $# -gt 0 ]; do
        case $1 in
        --keep=?*) keep=${1#*=} ;;
        --source=?*) source=${1#*=} ;;
        --headers=?*) headers=${1#*=} ;;
        --help) usage && exit 0 ;;
        fetch | build | test | measure) steps+=("$1") ;;
        *) stop 64 "'$1' is not known; see $name.sh --help" ;;
        esac
        shift
    done
    [ ${#steps[@]} -gt 0 ] || steps=(fetch build test measure)
    [[ $pairs =~ ^[1-9][0-9]{0,3}$ ]] || stop 64 "PAIRS=$pairs is not a number from 1 to 9999"
    [ -z "$source" ] || source=$(cd "$source" 2>/dev/null && pwd -P) || stop 64 "--source is not a folder that can be entered"
}

# find_headers: sets `headers` and `includes`, and puts the program ordo into PATH.
find_headers() {
    local folder installed
    installed=$(pkg-config --variable=includedir ordo 2>/dev/null)
    for folder in ${headers:+"$headers"} "$root/build" ${installed:+"$installed"} /usr/local/include /usr/include; do
        [ -e "$folder/ordo-amalgamated.h" ] || continue
        headers=$(cd "$folder" && pwd)
        includes="-I$headers"
        [ -d "$headers/ordo" ] || includes="-I$headers -I$root/include" # a build has one header, the tree the others
        PATH=$root/build/bin:$PATH
        return
    done
    stop 2 "no ordo-amalgamated.h; build Ordo, install it, or give --headers=FOLDER"
}

make_folder() {
    if [ -n "$keep" ]; then
        work=$(realpath -m -- "$keep")
        case $work/ in "$(realpath "$root")"/*) stop 64 "--keep=$keep is inside the source tree" ;; esac
        mkdir -p "$work" || stop 70 "$keep cannot be made"
    else
        work=$(mktemp -d "${TMPDIR:-/tmp}/ordo-patch.XXXXXX") || stop 70 "no folder can be made in ${TMPDIR:-/tmp}"
        trap 'rm -rf "$work"' EXIT
    fi
    stock=$work/stock patched=$work/patched log=$work/log
    case $source/ in "$stock"/* | "$patched"/*) stop 64 "--source=$source is in a folder that is made anew" ;; esac
}

# logged TEXT STATUS COMMAND...: runs a command whose output goes to the log; ends the script if the command fails. The
# subshell keeps a `stop` of the command from ending the script before the log is shown.
logged() {
    local text=$1 status=$2
    shift 2
    ("$@") >"$log" 2>&1 </dev/null || {
        tail -n 20 "$log" >&2
        stop "$status" "$text"
    }
}

# A configuration of apt that neither reads nor writes that of the system, except the keys and the list of packages.
apt_private() {
    local apt=$work/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        "${DEBIAN_MIRROR:-http://deb.debian.org/debian} bookworm main" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<EOF
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
EOF
    export APT_CONFIG=$apt/apt.conf
}

fetch_source() {
    if [ -z "$source" ]; then
        apt_private
        logged "the list of Debian's sources cannot be fetched; check the network, or give --source=FOLDER" 2 apt-get -q update
        rm -rf "$work/debian" && mkdir "$work/debian" || stop 70 "$work/debian cannot be made"
        logged "Debian has no source of $package $version; give --source=FOLDER" 2 \
            env -C "$work/debian" apt-get -q source "$package=$version"
        source=$(find "$work/debian" -mindepth 1 -maxdepth 1 -type d)
    fi
    rm -rf "$stock" "$patched"
    cp -a "$source" "$stock" && cp -a "$source" "$patched" || stop 70 "the source cannot be copied to $work"
    logged "$name.patch does not apply to $source" 1 patch -d "$patched" -p1 --fuzz=0 -i "$here/$name.patch"
    echo "fetched: $package $version; $name.patch applies"
}

build_trees() {
    [ -d "$patched" ] || stop 64 "$work has no source; perform the step fetch first"
    logged "the unchanged source does not build" 2 build_tree "$stock" ""
    logged "the patched source does not build" 1 build_tree "$patched" "$includes"
    echo "built: $stock and $patched"
}

need_record() { ordo show >/dev/null 2>&1 || stop 2 "no usable record; run 'ordo calibrate', or set ORDO_RECORD"; }

# withdraw RECORD: writes the status word of `ordo check --mark`, lowest byte first.
withdraw() { printf '\x6c\xb6\x95\xea\xb1\x0b\x5c\xd1' | dd of="$1" bs=1 seek=16 conv=notrunc status=none; }

# copy_record FILE: makes a private copy of the record, which a test may withdraw.
copy_record() {
    ordo show >/dev/null && cp -L "${ORDO_RECORD:-/run/ordo/boundary}" "$1" || stop 2 "the record cannot be copied to $1"
}

# passes TEXT COMMAND...: performs one test.
passes() {
    local text=$1
    shift
    logged "FAILED: $text" 1 "$@"
    echo "passed: $text"
}

# compare TEXT STOCK PATCHED: runs two commands in turn, the first of a pair alternating. Each prints one number. Prints
# both medians, and the median of the ratios patched/stock with an interval that contains it with at least 95%: ranks of
# the sorted ratios by the binomial distribution.
compare() {
    local text=$1 first=$2 second=$3 i a b
    for ((i = 0; i < pairs; i++)); do
        if ((i % 2)); then b=$($second) && a=$($first); else a=$($first) && b=$($second); fi
        [[ $a =~ ^[0-9.]+$ && $b =~ ^[0-9.]+$ ]] || stop 70 "$text: '$a' and '$b' are not numbers"
        echo "$a $b"
    done >"$work/pairs" || exit
    awk -v text="$text" '
        function rank(n, k, c, sum) { # the largest k with 2 P(less than k of n fair coins) <= 0.05
            for (c = 0.5 ^ n; 2 * (sum + c) <= 0.05; c *= (n - k + 1) / k) { sum += c; k++ }
            return k
        }
        function median(v, n) { return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2 }
        function order(v, n, i, j, t) {
            for (i = 2; i <= n; i++) { t = v[i]; for (j = i - 1; j >= 1 && v[j] > t; j--) v[j + 1] = v[j]; v[j + 1] = t }
        }
        { a[NR] = $1; b[NR] = $2; r[NR] = $2 / $1 }
        END {
            order(a, NR); order(b, NR); order(r, NR); k = rank(NR)
            interval = k ? sprintf("[%.3f, %.3f]", r[k], r[NR + 1 - k]) : "[no interval: too few pairs]"
            printf "%s: stock %.4g, patched %.4g, ratio %.3f %s, %d pairs\n", text, median(a, NR), median(b, NR), median(r, NR), interval, NR
        }' "$work/pairs"
}

try_patch() {
    local step
    read_options "$@"
    find_headers
    make_folder
    for step in "${steps[@]}"; do
        case $step in
        fetch) fetch_source ;;
        build) build_trees ;;
        test) need_record && test_tree "$patched" ;;
        measure) need_record && measure_trees ;;
        esac || exit
    done
}
