# Chooses the instruction set of the host code. The whole program uses the same one: if a header were compiled for two
# of them, the linker would choose one version at random.
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

if(SCREE_HOST_ISA STREQUAL "auto")
  scree_detect_isa(SCREE_ISA)
elseif(SCREE_HOST_ISA MATCHES "^(x86-64-v[234]|native-off)$")
  set(SCREE_ISA "${SCREE_HOST_ISA}")
else()
  message(FATAL_ERROR "SCREE_HOST_ISA: must be auto, x86-64-v2, x86-64-v3, x86-64-v4 or native-off, "
                      "got \"${SCREE_HOST_ISA}\"")
endif()
set(SCREE_ISA_FLAGS "")
if(NOT SCREE_ISA STREQUAL "native-off")
  set(SCREE_ISA_FLAGS "-march=${SCREE_ISA}")
endif()
message(STATUS "scree: host instruction set ${SCREE_ISA} (SCREE_HOST_ISA=${SCREE_HOST_ISA})")
