# ordo_registry(target kind type [MPI] [PUBLIC]): makes a folder a registry: a new file in it is a new member.
#
# Every file <kind>/*.c below the current folder defines one descriptor
#
#     const struct <type> <type>_<stem>;
#
# where <stem> is the name of the file. Code that the members share may be in registry.c, which defines no descriptor. The
# files are compiled into `target`, together with a generated table
#
#     const struct <type> *const <type>s[];     ends with NULL
#
# in alphabetical order. A file with stamps (ordo_stamped) is one member for each stamp. Members named mpi_*.c need MPI, and
# are left out. With MPI, the opposite: only they are compiled, and the table lists all members, assuming that the others
# are compiled elsewhere.
function(ordo_registry target kind type)
  file(GLOB members CONFIGURE_DEPENDS ${kind}/*.c)
  set(shared ${members})
  list(FILTER shared INCLUDE REGEX "/registry\\.c$")
  list(REMOVE_ITEM members ${shared} "")
  ordo_expand_stamps(members)
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${kind}_registry.c)
  if("MPI" IN_LIST ARGN)
    set(sources ${members})
    list(FILTER sources INCLUDE REGEX "/mpi_[^/]*$")
    set(table ${CMAKE_CURRENT_BINARY_DIR}/${kind}_mpi_table.c)
  else()
    list(FILTER members EXCLUDE REGEX "/mpi_[^/]*$")
    set(sources ${shared} ${members})
  endif()
  set(visible "")
  if("PUBLIC" IN_LIST ARGN)
    set(visible "__attribute__((visibility(\"default\"))) ")
  endif()
  set(stems "")
  foreach(member ${members})
    cmake_path(GET member STEM stem)
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  set(declarations "")
  set(entries "")
  foreach(stem ${stems})
    string(APPEND declarations "extern const struct ${type} ${type}_${stem};\n")
    string(APPEND entries "    &${type}_${stem},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT
"/* Generated from the files of ${kind}/. */
#include <stddef.h>
struct ${type};
${declarations}${visible}const struct ${type} *const ${type}s[] = {
${entries}    NULL,
};
")
  target_sources(${target} PRIVATE ${sources} ${table})
endfunction()
