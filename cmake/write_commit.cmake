# Writes OUTPUT, a source with the commit of SOURCE_DIR, if it says something else by now. Run at
# every build: a program must name the sources it was built from, not those it is run beside.
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND git --no-optional-locks describe --always --abbrev=40 --dirty --exclude *
  WORKING_DIRECTORY ${SOURCE_DIR}
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(text "#include \"build_commit.h\"\n\nnamespace equiframe::app {\n\n")
string(APPEND text "const char* build_commit() {\n  return \"${commit}\";\n}\n\n}  // namespace equiframe::app\n")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
