# The interface target `equiframe_nauty`. Debian splits nauty's headers over two folders, and
# nauty ships no CMake package.
find_path(NAUTY_INCLUDE_DIR nauty.h PATH_SUFFIXES nauty REQUIRED)
find_path(NAUTY_EXTRA_INCLUDE_DIR nautinv.h PATH_SUFFIXES nauty REQUIRED)
find_library(NAUTY_LIBRARY nauty REQUIRED)
mark_as_advanced(NAUTY_INCLUDE_DIR NAUTY_EXTRA_INCLUDE_DIR NAUTY_LIBRARY)

add_library(equiframe_nauty INTERFACE)
target_include_directories(equiframe_nauty SYSTEM INTERFACE ${NAUTY_INCLUDE_DIR}
                                                            ${NAUTY_EXTRA_INCLUDE_DIR})
target_link_libraries(equiframe_nauty INTERFACE ${NAUTY_LIBRARY})
