# ordo_boot(file...): generates each file from boot/<file>.in of the calling folder. The files contain the path of the
# program, so they are generated at installation, when the prefix is known. Units (*.service) are installed here; the
# caller must install the other files, from boot/ in its binary folder.
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
