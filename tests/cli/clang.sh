#!/bin/bash
# clang.sh SOURCE BUILD: checks that clang accepts every source of lib, calib and lab without a warning, with the options of
# BUILD. It only parses them; ./bootstrap soak builds and tests all with clang.
set -u
source=$(cd "$1" && pwd -P) build=$2
command -v clang >/dev/null && command -v jq >/dev/null || { echo "clang or jq is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One command for each source. Sources that are compiled for the simulated machines occur elsewhere without the hooks; GCC's
# transactional memory has no counterpart.
jq -r --arg source "$source/" '
    map(select(.file | startswith($source)) | select(.command | test("-fsanitize|-fgnu-tm") | not) |
        .name = (.file | ltrimstr($source)) | select(.name | test("^(lib|calib|lab)/"))) |
    unique_by(.name) | .[] | .command | sub("^[^ ]+ "; "clang ") | sub(" -o [^ ]+ -c "; " -fsyntax-only ")' \
    "$build/compile_commands.json" >"$scratch/commands"
count=$(wc -l <"$scratch/commands")
[ "$count" -ge 400 ] || { echo "only $count sources were found in $build/compile_commands.json"; exit 1; }

cd "$build" || exit 1
# A list of commands for each of two shells, which end at their first failure.
split -n r/2 "$scratch/commands" "$scratch/part."
for part in "$scratch"/part.*; do
    sh -e "$part" >"$part.said" 2>&1 &
done
failed=0
for job in $(jobs -p); do wait "$job" || failed=1; done
cat "$scratch"/part.*.said
echo "clang accepts $count sources: $([ $failed = 0 ] && echo yes || echo no)"
exit $failed
