# Builds the installed libraries: each as an archive and, if BUILD_SHARED_LIBS is on, as a shared library.

# ordo_hidden(target...): compiles these targets so that their objects fit into archives and shared libraries.
function(ordo_hidden)
  set_target_properties(${ARGN} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
endfunction()

# ordo_library(target OUTPUT name NAMED export OBJECTS object... [LOCAL pattern] [LINK library...] [PRIVATE library...])
#
# Defines two targets from the objects, whose targets must have been passed to ordo_hidden():
#   <target>-static   the archive lib<name>.a, with the alias ordo::<export>-static
#   <target>          the shared library lib<name>.so, with a SONAME and the alias ordo::<export>; without
#                     BUILD_SHARED_LIBS, this alias is the archive
#
# Both export only the symbols that a public header marks. To achieve this in the archive, its objects are linked into one
# object whose other symbols are local. LOCAL pattern: makes the matching symbols local too, because another library of
# the project exports them; the shared library is then made of the same object.
function(ordo_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT;NAMED;LOCAL" "OBJECTS;LINK;PRIVATE")
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
  set(local "")
  if(arg_LOCAL)
    set(local --wildcard "--localize-symbol=${arg_LOCAL}")
  endif()
  add_custom_command(OUTPUT ${object} DEPENDS ${arg_OBJECTS} COMMAND_EXPAND_LISTS VERBATIM
                     COMMAND ${CMAKE_LINKER} -r -o ${object} ${arg_OBJECTS}
                     COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${local} ${object})
  add_library(${target}-static STATIC ${object})
  target_link_libraries(${target}-static PUBLIC ${arg_LINK} ${arg_PRIVATE})
  set(made ${target}-static)
  add_library(ordo::${arg_NAMED}-static ALIAS ${target}-static)
  if(BUILD_SHARED_LIBS)
    if(arg_LOCAL)
      add_library(${target} SHARED ${object})
      add_dependencies(${target} ${target}-static) # this target builds the object
    else()
      add_library(${target} SHARED ${arg_OBJECTS})
    endif()
    target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE})
    # Before 1.0 a minor version may change the interface, so the SONAME contains it.
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
                                               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    list(APPEND made ${target})
    add_library(ordo::${arg_NAMED} ALIAS ${target})
  else()
    add_library(ordo::${arg_NAMED} ALIAS ${target}-static)
  endif()
  foreach(library ${made})
    string(REPLACE ${target} ${arg_NAMED} export ${library})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${arg_OUTPUT} LINKER_LANGUAGE C EXPORT_NAME ${export})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY ORDO_LIBRARIES ${made})
endfunction()
