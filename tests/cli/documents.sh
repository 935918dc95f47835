#!/bin/bash
# documents.sh SOURCE: checks that the manual pages are well-formed and that every reference resolves: .Xr and
# `page(3)`, the functions that section 3 names, and each relative link of the documents, with its anchor.
set -u
cd "$1" || exit 1
. "$(dirname "$0")/../kit.sh"
mapfile -t pages < <(find calib bench lab doc -name '*.[1-9]' | sort)
documents=(README.md CHANGELOG.md CONTRIBUTING.md doc/*.md doc/lab/*.md examples/README.md)

# Pages of the system that may be referred to; they need not be installed here.
system="aligned_alloc(3) chronyc(1) chronyd(8) clock_gettime(2) free(3) gnuplot(1) malloc(3) mpirun(1) pmc(8) ptp4l(8) systemd(1) taskset(1) time_namespaces(7)"

# refer PLACE PAGE(SECTION): the page must be one of ours, or of the system.
refer() {
    local name=${2%(*} section=${2##*(} page
    [[ " $system " != *" $2 "* ]] || return 0
    for page in "${pages[@]}"; do
        [ "${page##*/}" != "$name.${section%)}" ] || return 0
    done
    fail "$1: there is no page $2"
}

[ ${#pages[@]} -ge 7 ] || fail "only ${#pages[@]} manual pages were found"
mandoc -T lint -W warning "${pages[@]}" || fail "a manual page is not well-formed"
# sections PAGE: prints the headings that a page of this section of the manual must have.
sections() {
    printf '%s\n' NAME SYNOPSIS DESCRIPTION "SEE ALSO"
    case $1 in *.1) printf '%s\n' "EXIT STATUS" EXAMPLES ;; *.3) printf '%s\n' "RETURN VALUES" THREADS ;; esac
}

functions=" $(grep -rohE '\b[a-z_]+\(' include/ordo | sort -u | tr '\n' ' ')"
for page in "${pages[@]}"; do
    while read -r section; do
        grep -qx "\.Sh $section" "$page" || fail "$page: no section $section"
    done < <(sections "$page")
    while read -r _ name section _; do
        refer "$page" "$name($section)"
    done < <(grep '^\.Xr ' "$page")
    case $page in *.3) ;; *) continue ;; esac
    synopses=" $(sed -nE 's/^\.F[no] "?([a-z_]+)( .*)?$/\1/p' "$page" | tr '\n' ' ')"
    for name in $(sed -n 's/^\.Nm \([a-z_]*\).*/\1/p' "$page"); do
        [[ $functions == *" $name( "* ]] || fail "$page: there is no function $name"
        [[ $synopses == *" $name "* ]] || fail "$page: no synopsis of $name"
    done
done

# anchors DOCUMENT: prints the anchors of the headings.
anchors() {
    awk '/^```/ {code = !code} !code && /^#+ /' "$1" | sed -E 's/^#+ //; s/`//g' |
        tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

declare -A anchors # of each document with an anchor that a link names: " heading another-heading "
links=0
for document in "${documents[@]}"; do
    for page in $(grep -ohE '`[a-z_-]+\([1-9]\)`' "$document" | tr -d '`'); do
        refer "$document" "$page"
    done
    while read -r target; do
        case $target in http://* | https://* | mailto:*) continue ;; esac
        links=$((links + 1))
        file=${target%%#*} anchor=""
        [[ $target != *"#"* ]] || anchor=${target#*#}
        [ -z "$file" ] || [[ $document != */* ]] || file=${document%/*}/$file
        file=${file:-$document}
        [ -e "$file" ] || { fail "$document: $target leads nowhere"; continue; }
        [ -z "$anchor" ] || [ -n "${anchors[$file]-}" ] || anchors[$file]=" $(anchors "$file" | tr '\n' ' ')"
        [ -z "$anchor" ] || [[ ${anchors[$file]} == *" $anchor "* ]] || fail "$document: $target: there is no such heading"
    done < <(awk '/^```/ {code = !code} !code' "$document" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//')
done
[ $links -ge 30 ] || fail "only $links links were found"

# Every document is found from the README.
for document in doc/*.md CHANGELOG.md CONTRIBUTING.md examples/README.md; do
    grep -Fq "]($document" README.md || fail "README.md does not lead to $document"
done
for document in doc/lab/*.md; do
    grep -Fq "](${document#doc/}" doc/*.md || fail "no document leads to $document"
done
exit $((failures > 0))
