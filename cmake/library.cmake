# How the installed libraries are made: an archive of each, and a shared library if BUILD_SHARED_LIBS is on.

# Compiles the objects of these targets so that they can become a part of either.
function(ordo_hidden)
  set_target_properties(${ARGN} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
endfunction()

# ordo_library(target OUTPUT name NAMED export OBJECTS object... [LOCAL pattern] [LINK library...] [PRIVATE library...]): the archive
# lib<name>.a (`target`-static) and the shared library lib<name>.so with a SONAME (`target`), known to others as
# ordo::<export>-static and ordo::<export>, which is the archive if there is no shared library. The objects are of targets that
# ordo_hidden has prepared. Both libraries export the symbols that a public header marks and no others: the archive holds one object,
# in which all other symbols are local. LOCAL pattern: makes these symbols local too, because another of the libraries exports
# them; the shared library is made of the same object.
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
      add_dependencies(${target} ${target}-static) # it makes the object
    else()
      add_library(${target} SHARED ${arg_OBJECTS})
    endif()
    target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE})
    # Before 1.0 every minor version is an interface of its own.
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
