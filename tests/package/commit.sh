#!/bin/bash
# commit.sh SOURCE: checks that a program names the commit of its checkout, that after a new commit only one file is
# compiled, and that a program built outside of a checkout names no commit.
set -eu
source=$1
command -v git >/dev/null && command -v ninja >/dev/null || exit 77
. "$(dirname "$0")/../kit.sh"
at_once=yes
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example
unset GIT_DIR GIT_WORK_TREE

mkdir -p "$scratch/tree/inner"
cat >"$scratch/tree/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(names LANGUAGES C)
include($source/cmake/commit.cmake)
add_executable(names main.c)
ordo_commit(names)
TEXT
printf '#include <stdio.h>\nextern const char ordo_commit[];\nint main(void) { puts(ordo_commit); }\n' >"$scratch/tree/main.c"
cp "$scratch/tree"/* "$scratch/tree/inner" 2>/dev/null || :
cd "$scratch/tree"
quietly git init
quietly git add .
quietly git commit -m first

# names TREE COMMIT: the program in TREE must name COMMIT.
names() {
    said=$("$1/names")
    [ "$said" = "$2" ] || fail "the program names '$said', not '$2'"
}

head() { git rev-parse --short=12 HEAD; }

quietly cmake -S . -B "$scratch/build" -G Ninja
quietly cmake --build "$scratch/build"
names "$scratch/build" "$(head)"
sleep 1.1 # some file systems store times in whole seconds
quietly git commit --allow-empty -m second
quietly cmake --build "$scratch/build"
names "$scratch/build" "$(head)"
! grep -q 'main\.c' "$scratch/log" || fail "a commit compiles more than one file"
quietly cmake --build "$scratch/build"
grep -q "no work to do" "$scratch/log" || fail "something is built although nothing has changed: $(cat "$scratch/log")"

quietly cmake -S inner -B "$scratch/inner" -G Ninja
quietly cmake --build "$scratch/inner"
names "$scratch/inner" ""
