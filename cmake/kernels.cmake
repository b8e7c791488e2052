# Flags of the torch-free kernels, in folders named kernels, in simd/ and linalg/. A file named *_avx2.cpp or *_avx512.cpp is
# compiled for that instruction set and chosen at run time; other processors leave it out.
#
# The math flags let the compiler vectorise selections and square roots. They change no result:
# only floating-point traps and errno, which nobody reads, are given up.
function(equiframe_kernel_flags sources_variable)
  set(sources ${${sources_variable}})
  set(simd ${sources})
  list(FILTER simd INCLUDE REGEX "_avx(2|512)\\.cpp$")
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(REMOVE_ITEM sources ${simd})
    set(${sources_variable} ${sources} PARENT_SCOPE)
    add_compile_definitions(EQUIFRAME_NO_X86_SIMD)
  endif()

  foreach(source IN LISTS sources)
    if(source MATCHES "/src/(.*/kernels|simd|linalg)/")
      set(flags -O3 -fno-trapping-math -fno-math-errno)
      # Trajectories and neighbours are equal to the bit on every processor.
      if(source MATCHES "/(nbody|nearest)[^/]*$")
        list(APPEND flags -ffp-contract=off)
      endif()
      if(source MATCHES "_avx2\\.cpp$")
        list(APPEND flags -mavx2 -mfma)
      elseif(source MATCHES "_avx512\\.cpp$")
        list(APPEND flags -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)
      endif()
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${flags})
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
