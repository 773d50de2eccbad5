# Script that writes OUTPUT from version.hpp.in. The revision comes from git if SOURCE_DIR is a work tree, and from the
# file REVISION in an archive; otherwise it is empty.
set(REVISION "")
if(EXISTS "${SOURCE_DIR}/.git")
  find_program(git git)
  if(git)
    execute_process(COMMAND "${git}" -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12
                    RESULT_VARIABLE failed OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      set(REVISION "${found}")
    endif()
  endif()
elseif(EXISTS "${SOURCE_DIR}/REVISION")
  file(STRINGS "${SOURCE_DIR}/REVISION" REVISION LIMIT_COUNT 1)
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/version.hpp.in" "${OUTPUT}" @ONLY)
