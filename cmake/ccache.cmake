# Every object goes through ccache when it is there, unless the caller chose a launcher. The
# sloppiness is what ccache asks for before it will handle precompiled headers.
find_program(EQUIFRAME_CCACHE ccache)
mark_as_advanced(EQUIFRAME_CCACHE)
if(EQUIFRAME_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${EQUIFRAME_CCACHE})
endif()
