# shellcheck shell=bash
# Common part of the tests that inspect the compiled headers on x86-64; they source it. Sets `source` and `compiler`
# from the arguments, and makes the directory `scratch`. Without a compiler for x86-64, or without objdump, the test is
# skipped.
source=$1 compiler=$2
command -v "$compiler" >/dev/null && command -v objdump >/dev/null || { echo "$compiler or objdump is not installed"; exit 77; }
case $("$compiler" -dumpmachine) in x86_64-*) ;; *) echo "$compiler does not compile for x86-64" && exit 77 ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
