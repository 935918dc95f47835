# cmake -DFOLDER=... -DOUTPUT=... -P page.cmake: turns page.html, page.css and the scripts of a folder into arrays of C.
#
# The style and the scripts go into the page, and the hash of each into its Content-Security-Policy: a browser then runs and applies
# nothing else. The page is cut at its marks <!--MARK-->, and each piece becomes an array that ends with 0.
cmake_minimum_required(VERSION 3.25)

# Sets `variable` to the base64 of 64 hexadecimal digits.
function(base64_of hash variable)
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hash}00" ${at} 6 digits)
    math(EXPR word "0x${digits}")
    foreach(shift 18 12 6 0)
      math(EXPR letter "(${word} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${letter} 1 letter)
      string(APPEND text "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${variable} "${text}=" PARENT_SCOPE)
endfunction()

# Puts a text into the page at the mark @NAME@, and its hash at @NAME_HASH@.
function(put name text)
  string(SHA256 hash "${text}")
  base64_of(${hash} hash)
  string(REPLACE "@${name}_HASH@" "${hash}" page "${page}")
  string(REPLACE "@${name}@" "${text}" page "${page}")
  set(page "${page}" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/page.css style)
set(script "\n")
foreach(part data lanes paint view search panels main)
  file(READ ${FOLDER}/${part}.js text)
  string(APPEND script "${text}")
endforeach()
put(STYLE "${style}")
put(SCRIPT "${script}")

set(code "/* Generated from the files of lib/trace/page. */\n#include \"trace/page/template.h\"\n")
foreach(piece before_title before_heading before_summary before_calls before_late before_collectives before_blocks before_clocks before_odd
              before_files before_facts end)
  string(FIND "${page}" "<!--CUT-->" at)
  string(SUBSTRING "${page}" 0 ${at} text)
  if(NOT at EQUAL -1)
    math(EXPR at "${at} + 10")
    string(SUBSTRING "${page}" ${at} -1 page)
  endif()
  string(HEX "${text}" text)
  string(REGEX REPLACE "(..)" "0x\\1," text "${text}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" text "${text}")
  string(APPEND code "const char ordo_page_${piece}[] = {\n${text}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${code}")
