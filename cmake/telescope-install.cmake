# install, find_package(telescope) and pkg-config. Nothing in the installed tree knows where it was installed to.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/telescope)
install(TARGETS telescope EXPORT telescope-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILE_SET details DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT telescope-targets NAMESPACE telescope:: DESTINATION ${package_dir})
if(TELESCOPE_ROCKSDB)
  install(TARGETS telescope_rocksdb EXPORT telescope-rocksdb-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT telescope-rocksdb-targets NAMESPACE telescope:: DESTINATION ${package_dir})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/telescope-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/telescope-config.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/telescope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/telescope-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/telescope-config-version.cmake
              cmake/telescope-dependencies.cmake DESTINATION ${package_dir})

# The file finds its prefix from its own place: ${pcfiledir}/<up to the prefix>.
file(RELATIVE_PATH TELESCOPE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TELESCOPE_PC_TO_PREFIX "${TELESCOPE_PC_TO_PREFIX}")
set(pc_names telescope)
if(TELESCOPE_ROCKSDB)
  list(APPEND pc_names telescope-rocksdb)
endif()
foreach(name IN LISTS pc_names)
  configure_file(cmake/${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
