# The example in C against the installed tree: as C99 without a warning, run as it is, and run again
# with the address sanitizer. That one also checks what the library copies into the example's
# arrays, and finds handles and results that nobody frees. Part of run.cmake.
find_program(CC NAMES cc gcc clang REQUIRED)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs equiframe-c OUTPUT_VARIABLE c_flags
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(c_flags UNIX_COMMAND "${c_flags}")
list(APPEND c_flags -lm -Wl,-rpath,${lib_dir})
set(strict -Wall -Wextra -Wpedantic -Werror)

file(WRITE ${WORK_DIR}/header.c "#include <equiframe.h>\n#include <equiframe.h>\n")
foreach(standard c99 c17)
  run(${CC} -std=${standard} ${strict} -fsyntax-only ${WORK_DIR}/header.c ${c_flags})
endforeach()
run(${CXX} -std=c++11 ${strict} -fsyntax-only -x c++ ${WORK_DIR}/header.c ${c_flags})

set(example ${SOURCE_DIR}/examples/c/normals_and_particles.c)
set(models ${WORK_DIR}/prefix/share/equiframe/models)
set(arguments ${models}/normals-fa-patch.safetensors ${models}/normals-votes.safetensors
              ${models}/normals-choice.safetensors ${models}/nbody-fa-verlet.safetensors)
run(${CC} -std=c99 ${strict} ${example} -o ${WORK_DIR}/c_example ${c_flags})
execute_process(COMMAND ${WORK_DIR}/c_example ${arguments} OUTPUT_VARIABLE said
                COMMAND_ERROR_IS_FATAL ANY)
message("${said}")
if(NOT said MATCHES "torus of 2000 points: ([0-9.]+) degrees RMS" OR CMAKE_MATCH_1 GREATER 1
   OR NOT said MATCHES "t = 4: the first particle is at")
  message(FATAL_ERROR "the C example is wrong")
endif()

# A status becomes the exit code, and the sentence arrives.
execute_process(COMMAND ${WORK_DIR}/c_example no-such-file x x x RESULT_VARIABLE code
                ERROR_VARIABLE complaint)
if(NOT code EQUAL 2 OR NOT complaint MATCHES "^equiframe: cannot read 'no-such-file'[^\n]*\n$")
  message(FATAL_ERROR "a missing file gave ${code}: ${complaint}")
endif()

run(${CC} -std=c99 ${strict} -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
    ${example} -o ${WORK_DIR}/c_example_asan ${c_flags})
run(${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=1 ${WORK_DIR}/c_example_asan ${arguments})
