# shellcheck shell=bash
# Sourced by the tests that inspect the compiled headers on x86-64. `source` and `compiler` are their arguments, `scratch` is a
# directory of the test's own. Without such a compiler, or without objdump, the test is skipped.
source=$1 compiler=$2
command -v "$compiler" >/dev/null && command -v objdump >/dev/null || { echo "$compiler or objdump is not installed"; exit 77; }
case $("$compiler" -dumpmachine) in x86_64-*) ;; *) echo "$compiler does not compile for x86-64" && exit 77 ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
