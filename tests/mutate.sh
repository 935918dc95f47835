#!/bin/bash
# mutate.sh: takes a condition out of an engine's headers. For scripts that source it.

# mutate SOURCE COPY ENGINE SED: edits the headers of an engine (include/ordo/cc/ENGINE.h, its rooms and the floor below them)
# in COPY, a copy of SOURCE/include, each made anew from SOURCE. False if SED, or one of the substitutions that "; s/" separates
# in it, changes none of them.
mutate() {
    local headers=$1/include/ordo/cc copy=$2/ordo/cc engine=$3 edit=$4 file files part
    mapfile -t files < <(cd "$headers" && find . \( -path "./$engine.h" -o -path "./$engine/*.h" -o -path './domain/*.h' \))
    while IFS= read -r part; do
        mutate_matches "$part" "${files[@]/#/$headers/}" || return 1
    done < <(sed 's|; s/|\ns/|g' <<<"$edit")
    for file in "${files[@]}"; do
        sed -E -z "$edit" "$headers/$file" >"$copy/$file"
    done
}

# mutate_matches SED FILE...: true if SED changes one of the files.
mutate_matches() {
    local edit=$1 file
    shift
    for file; do
        sed -E -z "$edit" "$file" | cmp -s - "$file" || return 0
    done
    return 1
}
