# ordo_registry(target kind type): makes a folder the registry of its members.
#
# Every file <kind>/*.c below the current folder defines one descriptor
#
#     const struct <type> <type>_<stem>;
#
# with <stem> the file's name; only registry.c, where it exists, holds what the members share. They are
# compiled into `target` together with a generated table
#
#     const struct <type> *const <type>s[];     ends with NULL
#
# in alphabetical order, so that a new member is one new file.
function(ordo_registry target kind type)
  file(GLOB members CONFIGURE_DEPENDS ${kind}/*.c)
  list(SORT members)
  set(shared ${members})
  list(FILTER shared INCLUDE REGEX "/registry\\.c$")
  list(REMOVE_ITEM members ${shared} "")
  set(declarations "")
  set(entries "")
  foreach(member ${members})
    get_filename_component(stem ${member} NAME_WE)
    string(APPEND declarations "extern const struct ${type} ${type}_${stem};\n")
    string(APPEND entries "    &${type}_${stem},\n")
  endforeach()
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${kind}_registry.c)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT
"/* Generated from the files of ${kind}/. */
#include <stddef.h>
struct ${type};
${declarations}const struct ${type} *const ${type}s[] = {
${entries}    NULL,
};
")
  target_sources(${target} PRIVATE ${shared} ${members} ${table})
endfunction()
