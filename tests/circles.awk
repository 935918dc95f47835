# circles.awk FILE...: prints the cycles of includes and of calls, one a line: "module a -> b -> a", "folder a -> b -> a" or
# "calls a.c -> b.c -> a.c". A module is name.c with name.h. The folders of one cycle have the same parent. A file belongs to the folder of
# its name, if there is one beside it: txn/core.h belongs to txn/core/. Includes are searched for as the compiler does: beside the including
# file, then in lib/, calib/, bench/ and the root. A file calls another file if it names a function that is defined only there, and is not
# static.

FNR == 1 {
    files[FILENAME]
    inside = 0
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    includes[FILENAME, quoted[2]]
}

FILENAME ~ /\.c$/ {
    code = $0
    if (inside && !sub(/^.*\*\//, "", code))
        next
    inside = 0
    gsub(/"([^"\\]|\\.)*"|\/\*([^*]|\*[^\/])*\*\//, " ", code)
    inside = sub(/\/\*.*/, "", code)
    if (code ~ /^[a-z_][A-Za-z0-9_ *]*[ *][a-z_][a-z0-9_]*\(/ && code !~ /^(static|extern|typedef|return|else)[^a-z_]|;$/) {
        name = substr(code, 1, index(code, "(") - 1)
        sub(/.*[ *]/, "", name)
        if (name in definer && definer[name] != FILENAME)
            definer[name] = "several"
        else
            definer[name] = FILENAME
    }
    gsub(/(struct|enum|union) +[A-Za-z0-9_]+/, " ", code)
    gsub(/[^A-Za-z0-9_]+/, " ", code)
    count = split(code, words, " ")
    for (i = 1; i <= count; i++)
        if (words[i] ~ /_/)
            names[FILENAME, words[i]]
}

function folder_of(path) {
    sub(/\/[^\/]*$/, "", path)
    return path
}

function find(file, name,    places, count, i, path) {
    count = split(folder_of(file) "/|lib/|calib/|bench/|", places, "|")
    for (i = 1; i <= count; i++) {
        path = places[i] name
        while (sub(/[^\/]+\/\.\.\//, "", path))
            ;
        if (path in files)
            return path
    }
    return ""
}

function join_parts(kind, from, to) {
    if (from != to && !((kind, from, to) in joined)) {
        joined[kind, from, to]
        below[kind, from] = below[kind, from] "|" to
        parts[kind, from]
    }
}

# Joins the two folders at which the paths `from` and `to` part. They have the same parent.
function join_folders(from, to,    a, b, count, i, parent) {
    count = split(from, a, "/")
    split(to, b, "/")
    for (i = 1; i <= count && a[i] == b[i]; i++)
        parent = parent a[i] "/"
    if (i <= count && b[i] != "" && parent a[i] in folders && parent b[i] in folders)
        join_parts("folder", parent a[i], parent b[i])
}

# Searches depth first. `way` is the stack of the visited parts; a part that is already on the stack closes a cycle.
function walk(kind, part, way,    next_parts, count, i) {
    state[kind, part] = "open"
    count = split(substr(below[kind, part], 2), next_parts, "|")
    for (i = 1; i <= count; i++)
        if (state[kind, next_parts[i]] == "open")
            print kind " " substr(way, index(way, " " next_parts[i] " ") + 1) "-> " next_parts[i]
        else if (state[kind, next_parts[i]] == "")
            walk(kind, next_parts[i], way "-> " next_parts[i] " ")
    state[kind, part] = "done"
}

END {
    for (file in files)
        for (path = folder_of(file); !(path in folders); path = folder_of(path))
            folders[path]
    for (pair in includes) {
        split(pair, ends, SUBSEP)
        from = ends[1]
        to = find(from, ends[2])
        if (to == "")
            continue
        sub(/\.[ch]$/, "", from)
        sub(/\.[ch]$/, "", to)
        join_parts("module", from, to)
        join_folders(from, to)
    }
    for (pair in names) {
        split(pair, ends, SUBSEP)
        if ((ends[2] in definer) && definer[ends[2]] != "several")
            join_parts("calls", ends[1], definer[ends[2]])
    }
    for (part in parts) {
        split(part, ends, SUBSEP)
        if (state[ends[1], ends[2]] == "")
            walk(ends[1], ends[2], " " ends[2] " ")
    }
}
