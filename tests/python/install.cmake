# cmake -DBUILD_DIR= -DPYTHON= -DPACKAGE_DIR= -DWORK_DIR= -P install.cmake
file(REMOVE_RECURSE ${WORK_DIR})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR} OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND
    ${CMAKE_COMMAND} -E env --unset=EQUIFRAME_LIBRARY PYTHONPATH=${WORK_DIR}/${PACKAGE_DIR} ${PYTHON}
    -c "import equiframe, torch; m = equiframe.FrameAverage(torch.nn.Linear(3, 3)); \
print(equiframe.__file__); print(equiframe.check(m, 'SE3'))"
  WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
