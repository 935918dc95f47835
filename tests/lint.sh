#!/bin/bash
# lint.sh SOURCE BUILD [--scripts|FILE...]: runs clang-tidy on the C files of the product and shellcheck on the scripts.
# With FILEs it reads only these files; with --scripts, only the scripts; otherwise all files, which takes about 15
# minutes on two CPUs. BUILD has compile_commands.json. .clang-tidy and .shellcheckrc choose the checks. Exit 1: there
# is a finding.
set -u
export LC_ALL=C
cd "$1" || exit 70
build=$(cd "$2" && pwd) || exit 70
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
code=0

# here TOOL CHECK: true if the tool is installed; otherwise prints that CHECK is left out.
here() { command -v "$1" >/dev/null || { echo "$1 is not installed: $2 is left out"; return 1; }; }

# compiled: prints the compiled files for the files on stdin, one for each. For a file that is compiled once for each
# stamp (cmake/stamped.cmake), this is the file of one stamp. Files with -fgnu-tm are left out, because clang has no
# transactional memory.
compiled() {
    jq -r '.[] | select(.command | contains("-fgnu-tm") | not) | .file' "$build/compile_commands.json" | sort -u >"$scratch/all" || return
    while read -r file; do
        grep -qxF -- "$PWD/$file" "$scratch/all" && echo "$PWD/$file" && continue
        grep "^$build/" "$scratch/all" | tr '\n' '\0' | xargs -0 -r grep -lF "#include \"${file#*/}\"" | head -n 1
    done
}

tidy() {
    grep -E '^(lib|calib|lab|bench)/.*\.c$' "$scratch/files" | compiled >"$scratch/units" || return
    [ -s "$scratch/units" ] || return 0
    tr '\n' '\0' <"$scratch/units" | xargs -0 -n 4 -P "$(nproc)" clang-tidy --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option 2>"$scratch/said" ||
        { grep -v 'warnings\? generated\|treated as error' "$scratch/said"; return 1; }
}

# scripts: prints the shell scripts among the files on stdin, recognised by name or first line.
scripts() {
    tr '\n' '\0' | xargs -0 -r awk 'FNR == 1 { if (FILENAME ~ /[.]sh$/ || $0 ~ /^#!.*sh$/) print FILENAME; nextfile }'
}

shell() {
    scripts <"$scratch/files" >"$scratch/scripts" || return
    [ ! -s "$scratch/scripts" ] || tr '\n' '\0' <"$scratch/scripts" | xargs -0 -n 20 -P "$(nproc)" shellcheck --severity=warning --format=gcc
}

only_scripts=
[ "${1:-}" != --scripts ] || { only_scripts=yes && shift; }
if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
else
    find .ci bench bootstrap calib cmake debian examples include lab lib tests -type f | sort
fi >"$scratch/files"
if [ -n "$only_scripts" ]; then
    :
elif here clang-tidy "the check of C" && here jq "the check of C"; then tidy || code=1; fi
if here shellcheck "the check of scripts"; then shell || code=1; fi
exit $code
