# The Python package: pure Python beside the one library. It is installed where Debian's
# interpreter looks below PREFIX (/usr/local/lib/python3.11/dist-packages), whatever python3 comes
# first on the PATH.
set(EQUIFRAME_PYTHON_DIR "" CACHE STRING "Folder below PREFIX for the Python package")
if(NOT EQUIFRAME_PYTHON_DIR)
  set(python_version 3.11) # Debian 12
  if(EXISTS /usr/bin/python3)
    execute_process(
      COMMAND /usr/bin/python3 -c "import sys; print('%d.%d' % sys.version_info[:2])"
      OUTPUT_VARIABLE python_version
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  set(EQUIFRAME_PYTHON_DIR lib/python${python_version}/dist-packages)
endif()
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/python/equiframe
  DESTINATION ${EQUIFRAME_PYTHON_DIR}
  FILES_MATCHING
  PATTERN "*.py"
  PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE)
