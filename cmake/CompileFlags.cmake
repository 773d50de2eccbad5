# Compiler flags for everything in this build. The flags for floating point decide the results: both backends must round
# every operation by IEEE 754 and contract none.
add_library(scree_flags INTERFACE)

set(host_flags -ffp-contract=off -fno-math-errno -fno-trapping-math ${SCREE_ISA_FLAGS})
# The straight-line vectoriser of g++ 12 makes fused multiply-adds in spite of -ffp-contract=off, and drops the rounding
# of double(static_cast<float>(x)). tests/compile/check_contraction.sh checks the compiled program.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND host_flags -fno-tree-slp-vectorize)
endif()
set(host_warnings -Wall -Wextra -Wpedantic -Wconversion)
# In a unit of several files, a local name may be that of a constant of another file, and a class may have members of
# types that only its own file knows.
if(NOT SCREE_UNITY)
  list(APPEND host_warnings -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND host_warnings -Wshadow=local -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND host_warnings -Wno-restrict)  # false warning for std::string + (GCC bug 105651)
  list(APPEND host_warnings -Wno-maybe-uninitialized)  # false warning for variants of optionals (GCC bug 80635)
endif()
set(cuda_host_flags ${host_flags} -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND cuda_host_flags -Wno-restrict -Wno-maybe-uninitialized)
endif()
set(cuda_flags --fmad=false -prec-div=true -prec-sqrt=true -ftz=false --expt-relaxed-constexpr)
if(SCREE_CUDA_EMULATED)
  list(APPEND cuda_flags --compress-mode=none)
else()
  list(APPEND cuda_flags -Xfatbin=-compress-all)
endif()
if(SCREE_WERROR)
  list(APPEND host_warnings -Werror)
  list(APPEND cuda_flags -Werror=all-warnings)
endif()
if(SCREE_PTXAS_INFO)
  list(APPEND cuda_flags -Xptxas=-v)
endif()
list(JOIN cuda_host_flags "," cuda_host_flags)

target_compile_options(scree_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_flags};${host_warnings}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags};-Xcompiler=${cuda_host_flags}>")

# Code that runs once or rarely is compiled with -O1, which takes two thirds of the time. g++ 12 then warns of copies in
# std::string that it gets wrong.
set(fast_flags $<$<CONFIG:Release,RelWithDebInfo>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
function(scree_compile_fast target)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${fast_flags}>")
endfunction()

if(SCREE_CHECKS STREQUAL "ON" OR (SCREE_CHECKS STREQUAL "AUTO" AND (SCREE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")))
  target_compile_definitions(scree_flags INTERFACE SCREE_CHECKS=1)
endif()

if(SCREE_EMULATE_BATCHES)
  target_compile_definitions(scree_flags INTERFACE SCREE_EMULATE_BATCHES=1)
endif()

if(SCREE_SANITIZE)
  target_compile_options(scree_flags INTERFACE -fsanitize=${SCREE_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all)
  if(SCREE_SANITIZE MATCHES "address,undefined")
    # These checks take a third of the time of the build. The address sanitizer finds most of the same errors.
    target_compile_options(scree_flags INTERFACE -fno-sanitize=null,object-size,vptr,alignment)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # clang does not vectorise loops with checks
    target_compile_options(scree_flags INTERFACE -Wno-pass-failed)
  endif()
  target_link_options(scree_flags INTERFACE -fsanitize=${SCREE_SANITIZE})
endif()

if(SCREE_RELOCATABLE)
  # DT_RPATH, not DT_RUNPATH, since the libraries beside the program must find each other as well.
  target_link_options(scree_flags INTERFACE -static-libstdc++ -static-libgcc -Wl,--disable-new-dtags)
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
  set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/lib:$ORIGIN/../lib")
endif()
