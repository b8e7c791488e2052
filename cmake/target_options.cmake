include(${CMAKE_CURRENT_LIST_DIR}/warnings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/sanitizers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/pch.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/unity.cmake)

# What all our own targets share. Warnings, sanitizers and the precompiled header are properties
# of targets, so that nothing leaks into a project that includes this one.
function(equiframe_target_options target)
  equiframe_warnings(${target})
  equiframe_sanitizers(${target})
  equiframe_pch(${target})
endfunction()
