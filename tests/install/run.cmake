# Installs the build tree BUILD_DIR into a prefix below WORK_DIR and uses it as a stranger would:
# with find_package, with pkg-config, from C, from the shell, and after moving it.
# Also takes: SOURCE_DIR, CXX, GENERATOR.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/first)
file(RENAME ${WORK_DIR}/first ${WORK_DIR}/prefix)

# The names of the project's own folders must not be in what is installed.
file(GLOB_RECURSE texts ${WORK_DIR}/prefix/*.cmake ${WORK_DIR}/prefix/*.pc ${WORK_DIR}/prefix/*.h)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  foreach(folder ${SOURCE_DIR}/ ${BUILD_DIR}/)
    string(FIND "${content}" "${folder}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${text} mentions ${folder}")
    endif()
  endforeach()
endforeach()

foreach(file IN ITEMS man/man1/equiframe.1 bash-completion/completions/equiframe
                      zsh/site-functions/_equiframe)
  if(NOT EXISTS ${WORK_DIR}/prefix/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
run(${WORK_DIR}/prefix/bin/equiframe --version)

run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/install -B ${WORK_DIR}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)

find_program(PKG_CONFIG pkg-config REQUIRED)
file(GLOB pc_file ${WORK_DIR}/prefix/lib*/pkgconfig/equiframe.pc
     ${WORK_DIR}/prefix/lib/*/pkgconfig/equiframe.pc)
cmake_path(GET pc_file PARENT_PATH pc_dir)
cmake_path(GET pc_dir PARENT_PATH lib_dir)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs equiframe OUTPUT_VARIABLE flags
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${CXX} ${SOURCE_DIR}/tests/install/main.cpp -o ${WORK_DIR}/consumer ${flags}
    -Wl,-rpath,${lib_dir})
run(${WORK_DIR}/consumer)

include(${SOURCE_DIR}/tests/install/c_program.cmake)
