# Chooses the instruction set of the host code. With `dispatch` the program is compiled for x86-64-v2, and kernels of
# the host once more for each set of SCREE_ISA_VARIANTS; the program takes the best that the processor has. If a header
# were compiled for two sets, the linker would choose one version of its inline functions at random, so the symbols of
# these further kernels are made local (scree_make_kernels_local in src/kernels/CMakeLists.txt).
function(scree_detect_isa result)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" OR CMAKE_CROSSCOMPILING)
    set(${result} native-off PARENT_SCOPE)
    return()
  endif()
  if(NOT DEFINED SCREE_DETECTED_ISA)
    set(probe "${CMAKE_BINARY_DIR}/CMakeFiles/isa_probe.cpp")
    file(WRITE "${probe}" [[
#include <cstdio>
int main() {
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  std::puts(v4 ? "x86-64-v4" : v3 ? "x86-64-v3" : "native-off");
}
]])
    try_run(ran compiled "${CMAKE_BINARY_DIR}/CMakeFiles/isa_probe" "${probe}" RUN_OUTPUT_VARIABLE found)
    if(compiled AND ran EQUAL 0)
      string(STRIP "${found}" found)
    else()
      set(found native-off)
    endif()
    set(SCREE_DETECTED_ISA "${found}" CACHE INTERNAL "Instruction set of the build machine")
  endif()
  set(${result} "${SCREE_DETECTED_ISA}" PARENT_SCOPE)
endfunction()

set(SCREE_ISA_VARIANTS "")
if(SCREE_HOST_ISA STREQUAL "auto")
  scree_detect_isa(SCREE_ISA)
elseif(SCREE_HOST_ISA STREQUAL "dispatch")
  set(SCREE_ISA x86-64-v2)
  set(SCREE_ISA_VARIANTS x86-64-v3 x86-64-v4)
elseif(SCREE_HOST_ISA MATCHES "^(x86-64-v[234]|native-off)$")
  set(SCREE_ISA "${SCREE_HOST_ISA}")
else()
  message(FATAL_ERROR "SCREE_HOST_ISA: must be auto, dispatch, x86-64-v2, x86-64-v3, x86-64-v4 or native-off, "
                      "got \"${SCREE_HOST_ISA}\"")
endif()
set(SCREE_ISA_FLAGS "")
if(SCREE_ISA_VARIANTS)  # the property SCREE_TARGET_ISA of a target chooses another set
  set(own_isa "$<TARGET_PROPERTY:SCREE_TARGET_ISA>")
  set(SCREE_ISA_FLAGS "-march=$<IF:$<BOOL:${own_isa}>,${own_isa},${SCREE_ISA}>")
elseif(NOT SCREE_ISA STREQUAL "native-off")
  set(SCREE_ISA_FLAGS "-march=${SCREE_ISA}")
endif()
message(STATUS "scree: host instruction sets ${SCREE_ISA} ${SCREE_ISA_VARIANTS} (SCREE_HOST_ISA=${SCREE_HOST_ISA})")
