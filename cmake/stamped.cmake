# An engine is one source file that is compiled once for each of its stamps (include/ordo/cc/stamp/).

# ordo_stamped(file STAMPS stamp...): declares that a file of the current folder is compiled once for each of these stamps;
# ordo_registry and ordo_expand_stamps do so. The file must use these macros for the names that it defines:
#
#     ORDO_STAMPED(stem)            <stem>_<stamp>
#     ORDO_STAMPED(stem, suffix)    <stem>_<stamp><suffix>
function(ordo_stamped file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "STAMPS")
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE path)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "ordo_stamped: ${path}: there is no such file")
  endif()
  if(NOT arg_STAMPS OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ordo_stamped: ${file}: name its STAMPS behind this word, such as STAMPS ordo logical")
  endif()
  get_property(named SOURCE ${path} PROPERTY ORDO_STAMPS SET)
  if(named)
    message(FATAL_ERROR "ordo_stamped: ${file}: has its stamps already: name them all in one line")
  endif()
  list(REMOVE_DUPLICATES arg_STAMPS)
  foreach(stamp ${arg_STAMPS})
    set(header ${PROJECT_SOURCE_DIR}/include/ordo/cc/stamp/${stamp}.h)
    set(name "")
    if(EXISTS ${header})
      file(STRINGS ${header} name REGEX "define ORDO_STAMP_NAME \"${stamp}\"")
    endif()
    if(NOT name)
      message(FATAL_ERROR "ordo_stamped: ${file}: '${stamp}' is no stamp: no header of include/ordo/cc/stamp has that name")
    endif()
  endforeach()
  set_property(SOURCE ${path} PROPERTY ORDO_STAMPS ${arg_STAMPS})
endfunction()

# ordo_expand_stamps(list): in a list of files, replaces each file with stamps by the generated files <stem>_<stamp>.c. A
# generated file has two definitions, and includes the file with stamps by its path below lib/ or bench/.
function(ordo_expand_stamps list)
  set(expanded "")
  foreach(file ${${list}})
    get_property(stamps SOURCE ${file} PROPERTY ORDO_STAMPS)
    if(NOT stamps)
      list(APPEND expanded ${file})
      continue()
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE included)
    string(REGEX REPLACE "^[^/]*/(.*)$" "\\1" included ${included})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE below)
    cmake_path(REMOVE_EXTENSION below)
    foreach(stamp ${stamps})
      string(TOUPPER ${stamp} macro)
      set(made ${CMAKE_CURRENT_BINARY_DIR}/${below}_${stamp}.c)
      file(CONFIGURE OUTPUT ${made} @ONLY CONTENT
"/* Generated: ${included} on the stamp \"${stamp}\". */
#define ORDO_STAMP_${macro}
#define ORDO_STAMPED(stem, ...) stem##_${stamp}##__VA_ARGS__
#include \"${included}\"
")
      set_property(SOURCE ${made} PROPERTY OBJECT_DEPENDS ${file}) # needed until a first build has recorded the #include
      list(APPEND expanded ${made})
    endforeach()
  endforeach()
  set(${list} ${expanded} PARENT_SCOPE)
endfunction()
