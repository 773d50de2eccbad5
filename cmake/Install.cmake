include(CMakePackageConfigHelpers)

install(TARGETS scree RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS scree_core EXPORT scree_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/scree" "${SCREE_GENERATED_DIR}/scree"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/configs" DESTINATION "${CMAKE_INSTALL_DATADIR}/scree")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/scree")
install(EXPORT scree_targets NAMESPACE scree:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/scree-config.cmake.in"
  "${PROJECT_BINARY_DIR}/scree-config.cmake" INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/scree-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/scree-config.cmake" "${PROJECT_BINARY_DIR}/scree-config-version.cmake"
        DESTINATION "${package_dir}")
