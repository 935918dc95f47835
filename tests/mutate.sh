#!/bin/bash
# mutate.sh: takes a condition out of an engine's headers. For scripts that source it.

# mutate SOURCE COPY ENGINE SED: edits the headers of an engine (include/ordo/cc/ENGINE.h, its rooms and the floor below them) in
# COPY, a copy of SOURCE/include, each made anew from SOURCE. False if SED changes none of them.
mutate() {
    local headers=$1/include/ordo/cc copy=$2/ordo/cc engine=$3 edit=$4 file changed=1
    while read -r file; do
        sed -E -z "$edit" "$headers/$file" >"$copy/$file"
        cmp -s "$headers/$file" "$copy/$file" || changed=0
    done < <(cd "$headers" && find . \( -path "./$engine.h" -o -path "./$engine/*.h" -o -path './domain/*.h' \))
    return $changed
}
