# Rules of `cmake --install`: headers, ordo-amalgamated.h, libordo, libordo-txn, the CMake package and the pkg-config files.
# The installed tree can be moved, if the installation directories are relative (the default).
include(CMakePackageConfigHelpers)

option(ORDO_INSTALL "install Ordo" ${PROJECT_IS_TOP_LEVEL})
if(NOT ORDO_INSTALL)
  return()
endif()

set(ORDO_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/ordo)
set(ORDO_INSTALL_PKGCONFIGDIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/ordo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${ORDO_AMALGAMATED} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY doc/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/ordo)
get_property(libraries GLOBAL PROPERTY ORDO_LIBRARIES)
list(FILTER libraries EXCLUDE REGEX "^libordo-") # the components are installed below
install(TARGETS ordo-runtime ${libraries} EXPORT ordo-targets)
install(FILES doc/man/ordo.3 doc/man/ordo_any.3 doc/man/ordo_merge.3 doc/man/ordo_mvrlu.3 doc/man/ordo_now.3 doc/man/ordo_oplog.3 doc/man/ordo_rlu.3 doc/man/ordo_start.3 doc/man/ordo_stm.3 doc/man/ordo_txn.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)

# CMake: find_package(ordo); ordo-config.cmake names the targets.
install(EXPORT ordo-targets NAMESPACE ordo:: DESTINATION ${ORDO_INSTALL_CMAKEDIR})
configure_package_config_file(cmake/ordo-config.cmake.in ${PROJECT_BINARY_DIR}/ordo-config.cmake
                              INSTALL_DESTINATION ${ORDO_INSTALL_CMAKEDIR} PATH_VARS CMAKE_INSTALL_LIBDIR)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ordo-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ordo-config.cmake ${PROJECT_BINARY_DIR}/ordo-config-version.cmake
              cmake/ordo-mpi-family.cmake DESTINATION ${ORDO_INSTALL_CMAKEDIR})

# pkg-config: the prefix is relative to the .pc file, unless the library directory is absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(ORDO_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${ORDO_INSTALL_PKGCONFIGDIR} /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(ORDO_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(kind LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    set(ORDO_PC_${kind} ${CMAKE_INSTALL_${kind}})
  else()
    set(ORDO_PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()
# The libraries that the archives need, for Libs.private. Requires.private would have two faults: `pkg-config --static`
# would also list the libraries of hwloc's archive, such as -ludev, which few systems can link; and `--cflags` would need
# hwloc.pc even for a program that links the shared library.
string(REPLACE ";" " " ORDO_PC_HWLOC "${hwloc_LDFLAGS}")
string(REPLACE ";" " " ORDO_PC_SODIUM "${sodium_LDFLAGS}")
foreach(ORDO_PC_NAME ordo ordo-txn)
  configure_file(cmake/ordo.pc.in ${PROJECT_BINARY_DIR}/${ORDO_PC_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${ORDO_PC_NAME}.pc DESTINATION ${ORDO_INSTALL_PKGCONFIGDIR})
endforeach()

if(ORDO_BUILD_TOOLS)
  install(DIRECTORY doc/monitoring DESTINATION ${CMAKE_INSTALL_DATADIR}/ordo)
  set(parts calibrate)
  if(ORDO_BUILD_NET)
    list(APPEND parts net)
  endif()
  foreach(part ${parts})
    install(FILES doc/man/ordo_${part}.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
    configure_file(cmake/ordo-${part}.pc.in ${PROJECT_BINARY_DIR}/ordo-${part}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/ordo-${part}.pc DESTINATION ${ORDO_INSTALL_PKGCONFIGDIR})
  endforeach()
endif()

# The libraries that are components of the CMake package. ordo-config.cmake has a rule for each.
get_property(libraries GLOBAL PROPERTY ORDO_LIBRARIES)
list(FILTER libraries INCLUDE REGEX "^libordo-")
if(libraries)
  install(TARGETS ${libraries})
endif()
if(ORDO_MPIS)
  install(FILES doc/man/ordo_mpi.3 doc/man/ordo_trace.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
endif()
foreach(mpi ${ORDO_MPIS})
  set(ORDO_PC_NAME ordo-${mpi})
  set(ORDO_PC_DESCRIPTION "Clocks of an MPI program's ranks, verified and synchronised")
  configure_file(cmake/ordo-mpi.pc.in ${PROJECT_BINARY_DIR}/ordo-${mpi}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/ordo-${mpi}.pc DESTINATION ${ORDO_INSTALL_PKGCONFIGDIR})
  string(REGEX REPLACE "^ordo-mpi" "ordo-trace" ORDO_PC_NAME ${ORDO_PC_NAME})
  set(ORDO_PC_DESCRIPTION "Records an MPI program and the clocks of its ranks")
  configure_file(cmake/ordo-mpi.pc.in ${PROJECT_BINARY_DIR}/${ORDO_PC_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${ORDO_PC_NAME}.pc DESTINATION ${ORDO_INSTALL_PKGCONFIGDIR})
endforeach()

# The tools, their manual pages and boot units are installed by calib/CMakeLists.txt and bench/CMakeLists.txt.
