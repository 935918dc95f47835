# amalgamate.awk: joins headers of this project into one file.
#
#     awk -v root=include -v version=1.2.3 -v license=LICENSE -v to=ordo-amalgamated.h -f amalgamate.awk ordo/start.h
#
# A header with an include guard is inserted at its first #include; a header without (clock/*.h) at every #include. An
# #include of the C library is kept once; inside of #if, it is always kept. The output depends only on the files and the
# version.

function fail(text) {
    print "amalgamate: " text > "/dev/stderr"
    failed = 1
    exit 1
}

# True if the header begins with an include guard: #ifndef NAME, #define NAME.
function guarded(path,    line, name, found) {
    while ((getline line < path) > 0) {
        if (line !~ /^#/)
            continue
        if (name != "") {
            found = line == "#define " name
            break
        }
        if (line !~ /^#ifndef /)
            break
        name = substr(line, 9)
    }
    close(path)
    return found
}

# Writes the header `name`, which a header in `folder` includes inside of `depth` nested #if.
function put(name, folder, depth,    path, line, own, included, once, i, lines, text) {
    path = root "/" name
    if ((getline line < path) < 0) {
        path = folder "/" name
        if ((getline line < path) < 0)
            fail("no " name " below " root ", nor in " folder)
    }
    close(path)
    once = guarded(path)
    if (once && (path in have))
        return
    if (once && depth > 0)
        fail(path ": first included under a condition")
    have[path] = 1
    folder = path
    sub(/\/[^\/]*$/, "", folder)
    # Reads the file as a whole before writing, because the recursion may read the same file, and awk has only one read
    # position for each file.
    lines = 0
    while ((getline line < path) > 0)
        text[++lines] = line
    close(path)
    print "\n/* ---- " substr(path, length(root) + 2) " ---- */\n" > to
    own = once ? -1 : 0 # do not count the #ifndef of the guard
    for (i = 1; i <= lines; i++) {
        line = text[i]
        if (line ~ /^ *# *if/)
            own++
        else if (line ~ /^ *# *endif/)
            own--
        if (line !~ /^ *# *include *[<"]/) {
            print line > to
            continue
        }
        included = line
        sub(/^ *# *include *[<"]/, "", included)
        sub(/[>"].*$/, "", included)
        if (line ~ /"/ || included ~ /^ordo\//)
            put(included, folder, depth + own)
        else if (depth + own > 0)
            print line > to
        else if (!(included in system_have)) {
            system_have[included] = 1
            print line > to
        }
    }
}

BEGIN {
    print "/* Ordo " version ": the runtime and ordo_start in one file, made from the headers below include/ordo.\n *" > to
    while ((getline line < license) > 0)
        print " *" (line == "" ? "" : " " line) > to
    close(license)
    print " */\n#ifndef ORDO_AMALGAMATED_H\n#define ORDO_AMALGAMATED_H" > to
    for (i = 1; i < ARGC; i++)
        put(ARGV[i], root, 0)
    if (!failed)
        print "\n#endif" > to
    exit failed
}
