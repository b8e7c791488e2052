include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/equiframe)
set_target_properties(equiframe PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(
  TARGETS equiframe
  EXPORT equiframeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/equiframe ${PROJECT_BINARY_DIR}/include/equiframe
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/include/equiframe.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET equiframe_cli)
  # Relative, so that the installed tree can be moved.
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(equiframe_cli PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib}
                                                 INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS equiframe_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs ${PROJECT_SOURCE_DIR}/models
          DESTINATION ${CMAKE_INSTALL_DATADIR}/equiframe)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/man/equiframe.1
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_SOURCE_DIR}/completions/equiframe.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME equiframe)
  install(FILES ${PROJECT_SOURCE_DIR}/completions/_equiframe
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

install(
  EXPORT equiframeTargets
  NAMESPACE equiframe::
  DESTINATION ${package_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/equiframeConfig.cmake.in ${PROJECT_BINARY_DIR}/equiframeConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# While the major version is 0, a new minor version may break its users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/equiframeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/equiframeConfig.cmake
              ${PROJECT_BINARY_DIR}/equiframeConfigVersion.cmake DESTINATION ${package_dir})

# LibTorch has no pkg-config file, so ours names its folders itself.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
list(TRANSFORM TORCH_INCLUDE_DIRS PREPEND "-isystem " OUTPUT_VARIABLE torch_cflags)
list(FILTER torch_cflags EXCLUDE REGEX " /usr/include$")
list(JOIN torch_cflags " " torch_cflags)
cmake_path(GET TORCH_LIBRARY PARENT_PATH torch_libdir)
foreach(pc_file equiframe.pc equiframe-c.pc) # for C++ and for C, which must not see its flags
  configure_file(cmake/${pc_file}.in ${pc_file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
