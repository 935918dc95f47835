# ordo_boot(file...): makes these from boot/<file>.in of the calling folder. They name the program by its path, so they are made when the
# prefix is known: at installation. Units are installed; the caller installs the other files, from boot/ of its binary folder.
function(ordo_boot)
  string(REPLACE ";" " " files "${ARGN}")
  install(CODE "
  set(bindir \"${CMAKE_INSTALL_BINDIR}\")
  cmake_path(ABSOLUTE_PATH bindir BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
  foreach(file ${files})
    configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/boot/\${file}.in\" \"${CMAKE_CURRENT_BINARY_DIR}/boot/\${file}\" @ONLY)
  endforeach()")
  list(FILTER ARGN INCLUDE REGEX "\\.service$")
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_BINARY_DIR}/boot/)
  install(FILES ${ARGN} DESTINATION lib/systemd/system)
endfunction()
