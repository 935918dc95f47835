# ordo-amalgamated.h: the runtime and ordo_start as one file, for programs that want to add only one file.
find_program(ORDO_AWK awk REQUIRED)
file(GLOB headers CONFIGURE_DEPENDS include/ordo/*.h include/ordo/clock/*.h include/ordo/start/*.h)
set(ORDO_AMALGAMATED ${PROJECT_BINARY_DIR}/ordo-amalgamated.h)
add_custom_command(OUTPUT ${ORDO_AMALGAMATED} DEPENDS ${headers} LICENSE cmake/amalgamate.awk VERBATIM
                   COMMAND ${ORDO_AWK} -v root=include -v version=${PROJECT_VERSION} -v license=LICENSE -v to=${ORDO_AMALGAMATED}.new
                           -f cmake/amalgamate.awk ordo/start.h
                   COMMAND ${CMAKE_COMMAND} -E rename ${ORDO_AMALGAMATED}.new ${ORDO_AMALGAMATED}
                   WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_custom_target(ordo-amalgamated ALL DEPENDS ${ORDO_AMALGAMATED})
