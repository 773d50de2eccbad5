# scree/version.hpp: checked at every build, and written only when it changes.
set(SCREE_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
set(cuda_compiler "none")
if(SCREE_WITH_CUDA)
  set(cuda_compiler "nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
set(version_command
    "${CMAKE_COMMAND}"
    "-DOUTPUT=${SCREE_GENERATED_DIR}/scree/version.hpp"
    "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "-DVERSION=${PROJECT_VERSION}"
    "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
    "-DISA=${SCREE_ISA}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "-DCUDA_COMPILER=${cuda_compiler}"
    -P "${PROJECT_SOURCE_DIR}/cmake/write_version.cmake")
execute_process(COMMAND ${version_command} COMMAND_ERROR_IS_FATAL ANY)
add_custom_target(scree_version COMMAND ${version_command} BYPRODUCTS "${SCREE_GENERATED_DIR}/scree/version.hpp"
                  COMMENT "" VERBATIM)
