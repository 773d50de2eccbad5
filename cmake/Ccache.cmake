# ccache is used where it is present, unless other launchers are given. It must not look at the times of files that
# precompiled headers were made from.
find_program(SCREE_CCACHE ccache)
mark_as_advanced(SCREE_CCACHE)
if(SCREE_CCACHE)
  foreach(language C CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${SCREE_CCACHE}")
    endif()
  endforeach()
endif()
