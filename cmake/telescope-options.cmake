# telescope_options: what all of our own targets share and no consumer inherits.
add_library(telescope_options INTERFACE)
target_compile_features(telescope_options INTERFACE cxx_std_20)
target_compile_options(telescope_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(telescope_options INTERFACE -Wno-restrict)  # false alarms in std::string: GCC bug 105651
endif()
if(TELESCOPE_WERROR)
  target_compile_options(telescope_options INTERFACE -Werror)
endif()

set(telescope_sanitizers ${TELESCOPE_SANITIZE})
if(telescope_sanitizers)
  target_compile_options(telescope_options INTERFACE -fsanitize=${telescope_sanitizers} -fno-omit-frame-pointer)
  target_link_options(telescope_options INTERFACE -fsanitize=${telescope_sanitizers})
  if(telescope_sanitizers MATCHES "undefined")
    target_compile_options(telescope_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
  # Tests divide their sizes by what they like when this is defined: sanitized code is 3 to 20 times slower.
  target_compile_definitions(telescope_options INTERFACE TELESCOPE_SANITIZED=1)
endif()
if(TELESCOPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TELESCOPE_FUZZ needs clang: cmake --preset fuzz")
  endif()
  target_compile_options(telescope_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# So that the tests of several build directories can run as one suite.
set(TELESCOPE_TEST_PREFIX "" CACHE STRING "Put before the name of each test")
