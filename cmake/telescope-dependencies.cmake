# The libraries behind the hashes. None of them ships a CMake package, so they are looked up here, for the build and,
# installed beside the package config, for its consumers.
include(CMakeFindDependencyMacro)
find_dependency(Threads)

function(telescope_find_dependency name library header debian_package)
  if(TARGET telescope_deps::${name})
    return()
  endif()
  find_library(TELESCOPE_${name}_LIBRARY ${library})
  find_path(TELESCOPE_${name}_INCLUDE_DIR ${header})
  mark_as_advanced(TELESCOPE_${name}_LIBRARY TELESCOPE_${name}_INCLUDE_DIR)
  if(NOT TELESCOPE_${name}_LIBRARY OR NOT TELESCOPE_${name}_INCLUDE_DIR)
    message(FATAL_ERROR "telescope needs ${library} and ${header} (Debian: ${debian_package})")
  endif()
  add_library(telescope_deps::${name} UNKNOWN IMPORTED)
  set_target_properties(
    telescope_deps::${name} PROPERTIES IMPORTED_LOCATION "${TELESCOPE_${name}_LIBRARY}"
                                       INTERFACE_INCLUDE_DIRECTORIES "${TELESCOPE_${name}_INCLUDE_DIR}")
endfunction()

telescope_find_dependency(xxhash xxhash xxhash.h libxxhash-dev)
telescope_find_dependency(sodium sodium sodium.h libsodium-dev)
