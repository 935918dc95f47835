# ordo_briefly_run([target...])
#
# Compiles the targets without optimisation if the build uses AddressSanitizer, because its checks make the optimiser slow,
# and these targets take longer to compile than to run. No check is lost. Without arguments, applies to all later targets
# of the calling folder.
function(ordo_briefly_run)
  if(CMAKE_C_FLAGS MATCHES "sanitize=address")
    if(NOT ARGN)
      add_compile_options(-O0)
    endif()
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -O0)
    endforeach()
  endif()
endfunction()
