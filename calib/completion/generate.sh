#!/bin/bash
# generate.sh PROGRAM BINARY SHELL FILE: writes the completion of a program for bash or zsh, from the options in its --help.
# BINARY is the path of the built program. The build runs this script, so that every option has its completion.
set -eu
program=$1 binary=$2 shell=$3 file=$4
export COLUMNS=80 LC_ALL=C ARGP_HELP_FMT=rmargin=200
function=_${program//-/_}

# commands: prints "NAME TITLE" for each command: a word at the beginning of a line of the help or the list, if the program
# accepts it as a command.
commands() {
    { "$binary" --help; "$binary" --list 2>/dev/null || :; } | sed -nE 's/^( {2})?([a-z][a-z-]*) +([^ ].*)$/\2 \3/p' |
        awk '!seen[$1]++' | while read -r name title; do
        ! "$binary" "$name" --help >/dev/null 2>&1 </dev/null || echo "$name $title"
    done
}

# general: prints the options that may replace a command.
general() {
    echo --help --version
    ! "$binary" --help | grep -q -- '--list' || echo --list
    ! "$binary" --help | grep -q 'help COMMAND' || echo help
}

# options COMMAND: prints "SHORT|LONG|ARGUMENT|TEXT" for each option; missing fields are empty.
options() {
    "$binary" "$1" --help | awk '
        function flush() { if (long) print short "|" long "|" argument "|" text; long = "" }
        /^  +(-[^-], )? *--[a-z]/ {
            flush()
            short = match($0, /^ *-[^-], /) ? substr($0, RLENGTH - 3, 2) : "" # not in the text, as in "ycsb-a, "
            match($0, /--[a-z-]+/); long = substr($0, RSTART, RLENGTH)
            rest = substr($0, RSTART + RLENGTH)
            argument = match(rest, /^=[^ ]+/) ? substr(rest, 2, RLENGTH - 1) : ""
            sub(/^[^ ]* */, "", rest); text = rest
            next
        }
        /^                    /  && long { sub(/^ +/, " "); text = text $0; next }
        { flush() }
        END { flush() }'
}

# operand COMMAND: prints "files" if the command takes files, else "none".
operand() { "$binary" "$1" --help | grep -Eq '^Usage: .*FILE' && echo files || echo none; }

bash_completion() {
    local name short long argument
    cat <<TEXT
# Completion of $program for bash, generated from its --help.
$function()
{
    local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} options= files= operand=none
    COMPREPLY=()
    if [ "\$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=(\$(compgen -W "$(commands | cut -d' ' -f1 | tr '\n' ' ')$(general | tr '\n' ' ')" -- "\$current"))
        return
    fi
    case \${COMP_WORDS[1]} in
TEXT
    while read -r name _; do
        printf '    %s)\n        options="' "$name"
        options "$name" | while IFS='|' read -r short long argument _; do
            printf '%s ' $long $short
        done
        printf '"\n        files=" '
        options "$name" | while IFS='|' read -r short long argument _; do
            [ "$argument" != FILE ] || printf '%s ' "$long"
        done
        printf '"\n        operand=%s\n        ;;\n' "$(operand "$name")"
    done <<<"$(commands)"
    printf '    help)\n        COMPREPLY=($(compgen -W "%s" -- "$current"))\n        ;;\n' "$(commands | cut -d' ' -f1 | tr '\n' ' ')"
    cat <<TEXT
    esac
    if [ "\$current" = = ]; then # --option=: bash takes = for a word
        current=
    elif [ "\$before" = = ]; then
        before=\${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case \$files in *" \$before "*) operand=files current=\${current:-./} ;; esac
    case \$current in
    -*) COMPREPLY=(\$(compgen -W "\$options" -- "\$current")) ;;
    *) [ \$operand = none ] || COMPREPLY=(\$(compgen -f -- "\${current#./}")) ;;
    esac
}
complete -o filenames -F $function $program
TEXT
    [ "$program" != ordo-mpi ] || echo "complete -o filenames -F $function ordo-mpi.mpich ordo-mpi.openmpi"
}

# What zsh takes literally in a description.
plain() { tr -d "'" | tr '][:\\' '    '; }

zsh_completion() {
    local name title short long argument text
    echo "#compdef $program$([ "$program" != ordo-mpi ] || echo ' ordo-mpi.mpich ordo-mpi.openmpi')"
    cat <<TEXT
# Completion of $program for zsh, generated from its --help.
local -a commands
if (( CURRENT == 2 )); then
    commands=(
TEXT
    commands | plain | while read -r name title; do
        echo "        '$name:$title'"
    done
    cat <<TEXT
    )
    _describe -t commands command commands
    compadd -- $(general | tr '\n' ' ')
    return
fi
shift words
(( CURRENT-- ))
case \$words[1] in
TEXT
    while read -r name title; do
        printf '%s)\n    _arguments' "$name"
        options "$name" | plain | while IFS='|' read -r short long argument text; do
            [ -z "$short" ] || printf " \\\\\n        '%s[%s]'" "$short" "$text"
            case $argument in
            "") printf " \\\\\n        '%s[%s]'" "$long" "$text" ;;
            FILE) printf " \\\\\n        '%s=[%s]:FILE:_files'" "$long" "$text" ;;
            *) printf " \\\\\n        '%s=[%s]:%s: '" "$long" "$text" "$argument" ;;
            esac
        done
        [ "$(operand "$name")" = none ] || printf " \\\\\n        '*:FILE:_files'"
        printf '\n    ;;\n'
    done <<<"$(commands)"
    printf 'help)\n    compadd -- %s\n    ;;\n' "$(commands | cut -d' ' -f1 | tr '\n' ' ')"
    echo esac
}

[ -n "$(commands)" ] || { echo "generate.sh: $binary lists no commands" >&2; exit 1; }
"${shell}_completion" >"$file.new"
mv "$file.new" "$file"
