# Files that a target carries as text: programs and style sheets in other languages, which editors and
# linters see as what they are. src/ROOM/x.js becomes the header "ROOM/x.js.h" with
#
#   namespace equiframe::embedded { inline constexpr std::string_view kXJs }
#
# for the targets that include it. An array of characters has no greatest length, unlike a string
# literal, and no delimiter that the text must not have. The headers are written when CMake runs,
# which it does again when a file changes: clang-tidy needs no build before it.
function(equiframe_embed target)
  set(headers ${PROJECT_BINARY_DIR}/embedded)
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX REPLACE "^src/" "" path ${path})
    cmake_path(GET path FILENAME filename)
    set(name k)
    string(REGEX MATCHALL "[A-Za-z0-9]+" parts ${filename})
    foreach(part IN LISTS parts)
      string(SUBSTRING ${part} 0 1 initial)
      string(SUBSTRING ${part} 1 -1 rest)
      string(TOUPPER ${initial} initial)
      string(APPEND name ${initial}${rest})
    endforeach()
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(REGEX REPLACE "('\\\\x0a',)" "\\1\n" bytes "${bytes}")
    file(CONFIGURE OUTPUT ${headers}/${path}.h @ONLY CONTENT [[
// Made from @filename@ by cmake/embed.cmake.
#pragma once

#include <string_view>

namespace equiframe::embedded {

inline constexpr char @name@Bytes[] = {
@bytes@};
inline constexpr std::string_view @name@{@name@Bytes, sizeof @name@Bytes};

}  // namespace equiframe::embedded
]])
  endforeach()
  target_include_directories(${target} PRIVATE ${headers})
endfunction()
