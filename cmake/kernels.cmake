# The torch-free code: kernel families, each a source that is compiled once for each instruction
# set, and what is plain beside them.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH equiframe_root)

# They let the compiler vectorise selections and square roots, and change no result: only
# floating-point traps and errno, which nobody reads, are given up.
set(equiframe_kernel_options -O3 -fno-trapping-math -fno-math-errno)

# What a level of SimdLevel (src/simd/cpu.h) asks of the compiler. `baseline` is what every processor
# of the architecture has; other processors than x86-64 have nothing else.
set(equiframe_level_baseline kBaseline)
set(equiframe_level_avx2 kAvx2 -mavx2 -mfma)
set(equiframe_level_avx512 kAvx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw
                           -mprefer-vector-width=512)

# How a + b * c is rounded: once where the processor can, or as written, so that the results are
# equal to the bit on every processor.
set(equiframe_contract_fused -ffp-contract=fast)
set(equiframe_contract_exact -ffp-contract=off)

# equiframe_kernel(SOURCE CONTRACT fused|exact LEVELS baseline [avx2] [avx512] [TARGET target])
#
# Makes SOURCE, relative to the calling file, a kernel family of the target (`equiframe`): compiled
# once for each of the levels, in ascending order. src/simd/table.h says how it is written and called.
function(equiframe_kernel source)
  cmake_parse_arguments(PARSE_ARGV 1 kernel "" "CONTRACT;TARGET" "LEVELS")
  if(NOT DEFINED equiframe_contract_${kernel_CONTRACT} OR NOT "baseline" IN_LIST kernel_LEVELS)
    message(FATAL_ERROR "equiframe_kernel(${source}): CONTRACT must be fused or exact, and LEVELS "
                        "have baseline among them")
  endif()
  if(NOT kernel_TARGET)
    set(kernel_TARGET equiframe)
  endif()
  if(EQUIFRAME_BASELINE_ONLY OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(kernel_LEVELS baseline)
  endif()

  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} NORMALIZE OUTPUT_VARIABLE path)
  get_property(plain TARGET ${kernel_TARGET} PROPERTY SOURCES)
  list(REMOVE_ITEM plain ${path})
  set_property(TARGET ${kernel_TARGET} PROPERTY SOURCES ${plain})
  cmake_path(GET path STEM family)
  set_property(TARGET ${kernel_TARGET} APPEND PROPERTY EQUIFRAME_KERNELS ${family})

  set(names)
  foreach(level IN LISTS kernel_LEVELS)
    list(GET equiframe_level_${level} 0 name)
    list(APPEND names ${name})
    equiframe_level_target(${kernel_TARGET} ${level})
    target_sources(${kernel_TARGET}_${level} PRIVATE ${path})
  endforeach()
  list(JOIN names "," names)
  set_property(SOURCE ${path} APPEND PROPERTY COMPILE_OPTIONS ${equiframe_contract_${kernel_CONTRACT}})
  set_property(SOURCE ${path} APPEND PROPERTY COMPILE_DEFINITIONS EQUIFRAME_SIMD_LEVELS=${names})
endfunction()

# The objects of all families of a target for one level, in an object library of the target's.
function(equiframe_level_target target level)
  set(objects ${target}_${level})
  if(TARGET ${objects})
    return()
  endif()
  set(options ${equiframe_level_${level}})
  list(POP_FRONT options name)
  string(COMPARE EQUAL ${level} baseline once)
  add_library(${objects} OBJECT)
  target_include_directories(${objects} PRIVATE ${equiframe_root} ${equiframe_root}/include
                                                ${equiframe_root}/src)
  target_compile_definitions(${objects} PRIVATE EQUIFRAME_SIMD_LEVEL=${name} EQUIFRAME_ONCE=${once})
  equiframe_warnings(${objects})
  equiframe_sanitizers(${objects})
  target_compile_options(${objects} PRIVATE ${equiframe_kernel_options} ${options})
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()

# Options of the torch-free sources of a target that are not families.
function(equiframe_plain_sources target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "/src/(.*/kernels|simd|linalg)/")
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${equiframe_kernel_options})
    endif()
    if(source MATCHES "/src/core/parallel\\.cpp$")  # LibTorch brings libgomp itself
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -fopenmp)
      set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    endif()
    if(source MATCHES "/src/(.*/kernels|simd|linalg|runtime)/")
      set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
