function(equiframe_warnings target)
  target_compile_options(
    ${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                      $<$<BOOL:${EQUIFRAME_WERROR}>:-Werror>)
endfunction()
