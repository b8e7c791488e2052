# One precompiled <torch/types.h> for all our targets: it takes a typical file from 11 s to 3 s.
# GCC takes a precompiled header only with the flags it was made with (-Wpedantic counts: it
# changes predefined macros), so one object library owns the header and everybody is compiled as
# position independent code.
if(EQUIFRAME_PCH)
  set(pch_source ${PROJECT_BINARY_DIR}/pch.cpp)
  file(CONFIGURE OUTPUT ${pch_source} CONTENT "")
  add_library(equiframe_pch OBJECT ${pch_source})
  target_link_libraries(equiframe_pch PRIVATE torch)
  target_compile_options(equiframe_pch PRIVATE -fPIC -fpch-preprocess)
  target_precompile_headers(equiframe_pch PRIVATE <torch/types.h>)
  equiframe_warnings(equiframe_pch)
  equiframe_sanitizers(equiframe_pch)
endif()

function(equiframe_pch target)
  if(EQUIFRAME_PCH)
    target_compile_options(${target} PRIVATE -fPIC -fpch-preprocess)
    target_precompile_headers(${target} REUSE_FROM equiframe_pch)
  endif()
endfunction()
