# ordo_briefly_run([target...])
#
# Says that these, or without any all that this folder makes from here on, take longer to compile than to run.
# AddressSanitizer's checks make the optimiser slow, so in such a build they are not optimised: no check is lost by that.
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
