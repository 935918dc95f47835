#!/bin/bash
# completion.sh BIN COMPLETIONS: checks that bash and zsh complete exactly the commands and options that --help lists.
set -u
bin=$1 completions=$2
. "$(dirname "$0")/../kit.sh"
export COLUMNS=80

# listed BINARY [COMMAND]: prints the options that begin a line of the help of the command; without COMMAND, the
# commands.
listed() {
    if [ $# -eq 2 ]; then
        "$1" "$2" --help | sed -nE 's/^  +((-., )? *--[a-z-]+).*/\1/p' | tr -d ' ' | tr ',' '\n' | sort -u
    else
        { "$1" --list 2>/dev/null | sed 's/^/  /' || :; "$1" --help; } | grep -oE '^  [a-z][a-z-]+ ' | tr -d ' ' | sort -u
    fi
}

# by_bash PROGRAM WORD...: prints the completions that bash offers for the last word.
by_bash() (
    program=$1
    shift
    # shellcheck disable=SC1090
    . "$completions/$program.bash"
    COMP_WORDS=("$program" "$@") COMP_CWORD=$#
    COMPREPLY=()
    "_${program//-/_}"
    printf '%s\n' "${COMPREPLY[@]}" | sort -u
)

# by_zsh PROGRAM WORD...: prints the completions of zsh. Functions that print their arguments replace those of zsh.
by_zsh() {
    zsh -f -c '
        _arguments() { for spec; do case $spec in -*) print -r -- "${${spec%%\[*}%=}" ;; esac; done }
        _describe() { for entry in ${(P)${@[-1]}}; do print -r -- ${entry%%:*}; done }
        compadd() { shift; print -rl -- "$@" }
        file=$1; shift
        words=("$@"); CURRENT=$#
        complete_it() { . $file }
        complete_it' zsh "$completions/$1.zsh" "$@" | sort -u
}

# agree PROGRAM BINARY: the completions of PROGRAM must equal the options and commands in the help of BINARY.
agree() {
    local program=$1 binary=$2 command shells=bash shell wrong=0
    ! command -v zsh >/dev/null || shells="bash zsh"
    listed "$binary" >"$scratch/commands"
    [ -s "$scratch/commands" ] || { echo "$program: no commands"; return 1; }
    for shell in $shells; do
        by_$shell "$program" "" | grep -v '^--\|^help$' | diff "$scratch/commands" - || wrong=1
        by_$shell "$program" "" | grep '^--\|^help$' | sort | diff <(printf '%s\n' --help --list --version help | sort) - || wrong=1
        while read -r command; do
            listed "$binary" "$command" >"$scratch/options"
            [ "$(wc -l <"$scratch/options")" -ge 4 ] || { echo "$program $command: too few options"; wrong=1; }
            by_$shell "$program" "$command" - | diff "$scratch/options" - || { echo "$shell: $program $command"; wrong=1; }
        done <"$scratch/commands"
    done
    return $wrong
}

for program in ordo ordo-bench ordo-mpi ordo-trace ordo-net ordo-lab; do
    [ -x "$bin/$program" ] || continue
    agree "$program" "$bin/$program" || fail "the completion of $program is not what its help lists"
done

# An outdated completion is found: here the program has one more option, then one more command.
cat >"$scratch/with-option" <<TEXT
#!/bin/sh
"$bin/ordo" "\$@"
[ "\$*" != "check --help" ] || echo "      --brand-new            An option that nobody completes"
TEXT
cat >"$scratch/with-command" <<TEXT
#!/bin/sh
case \$1 in --help) echo "  brand-new   a command that nobody completes" ;; brand-new) set -- check --help ;; esac
"$bin/ordo" "\$@"
TEXT
chmod +x "$scratch/with-option" "$scratch/with-command"
for changed in with-option with-command; do
    ! agree ordo "$scratch/$changed" >"$scratch/out" || fail "$changed: nobody noticed"
    grep -q brand-new "$scratch/out" || fail "$changed: it is not named"
done

# Beginnings of words, names of files, and both forms of an option with a value.
cd "$scratch" && touch record.json other
[ "$(by_bash ordo cal)" = calibrate ] || fail "'ordo cal' is not completed"
[ "$(by_bash ordo calibrate --par)" = --parallel ] || fail "'--par' is not completed"
[ "$(by_bash ordo show rec)" = record.json ] || fail "a file is not completed"
[ "$(by_bash ordo check --record rec)" = record.json ] || fail "'--record rec' is not completed"
[ "$(by_bash ordo check --record = rec)" = record.json ] || fail "'--record=rec' is not completed"
[ "$(by_bash ordo check --record =)" = "$(ls | sort)" ] || fail "'--record=' does not offer the files"
[ -z "$(by_bash ordo check rec)" ] || fail "a file is offered where none is taken"
exit $((failures > 0))
