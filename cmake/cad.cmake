# The helper program equiframe-cad, the one target that uses Open CASCADE. The library starts it when
# it is asked for random solids and does everything else without it.
#
# EQUIFRAME_OCCT: AUTO builds it where Open CASCADE is installed, ON insists, OFF does without.
set(EQUIFRAME_OCCT AUTO CACHE STRING "Build equiframe-cad, which needs Open CASCADE: AUTO, ON or OFF")
set_property(CACHE EQUIFRAME_OCCT PROPERTY STRINGS AUTO ON OFF)
if(EQUIFRAME_OCCT STREQUAL "OFF")
  return()
endif()

# Open CASCADE's own CMake package asks for the libraries of its viewer as well.
find_path(OCCT_INCLUDE_DIR STEPControl_Writer.hxx PATH_SUFFIXES opencascade occt)
mark_as_advanced(OCCT_INCLUDE_DIR)
set(occt_libraries)
foreach(name TKSTEP TKSTEPBase TKXSBase TKOffset TKFillet TKMesh TKBO TKPrim TKTopAlgo TKGeomAlgo
             TKGeomBase TKBRep TKG3d TKG2d TKMath TKernel)
  find_library(OCCT_${name} ${name})
  mark_as_advanced(OCCT_${name})
  list(APPEND occt_libraries ${OCCT_${name}})
endforeach()
if(NOT OCCT_INCLUDE_DIR OR occt_libraries MATCHES "NOTFOUND")
  set(packages "libocct-modeling-algorithms-dev libocct-modeling-data-dev libocct-data-exchange-dev")
  if(EQUIFRAME_OCCT STREQUAL "AUTO")
    message(STATUS "Open CASCADE not found: no random solids. Debian: ${packages}")
    return()
  endif()
  message(FATAL_ERROR "EQUIFRAME_OCCT=ON, but Open CASCADE was not found. Debian: ${packages}")
endif()

file(GLOB cad_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/solids_helper/*.cpp)
add_executable(equiframe_cad ${cad_sources} ${PROJECT_SOURCE_DIR}/src/io/helper/solid_protocol.cpp)
# Beside the library, which looks for it there.
set_target_properties(equiframe_cad PROPERTIES OUTPUT_NAME equiframe-cad
                                               RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(equiframe_cad PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(equiframe_cad SYSTEM PRIVATE ${OCCT_INCLUDE_DIR})
target_link_libraries(equiframe_cad PRIVATE ${occt_libraries})
equiframe_warnings(equiframe_cad)
install(TARGETS equiframe_cad RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/equiframe)
