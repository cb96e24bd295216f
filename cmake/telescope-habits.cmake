# Tests that look at the sources and run no code of theirs (label `habits`), in builds whose tests have no prefix.
#
#   format    clang-format 14 has nothing to change (scripts/format)
#   includes  the files include each other one way only (scripts/includes)
#   tidy      clang-tidy 14 finds nothing in the library (scripts/tidy), in the release build alone: it takes a while
#   headers   each public header compiles by itself
#   docs      the documents name what is in the tree (scripts/check-docs)
#   tour      docs/tour.md visits each file once, and says of it what is there
if(TELESCOPE_TEST_PREFIX)
  return()
endif()

function(telescope_add_habit name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS habits TIMEOUT 900)
endfunction()

telescope_add_habit(format ${PROJECT_SOURCE_DIR}/scripts/format)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  telescope_add_habit(tidy ${PROJECT_SOURCE_DIR}/scripts/tidy)
  set_tests_properties(tidy PROPERTIES LABELS "habits;slow" PROCESSORS 2)
endif()
telescope_add_habit(includes ${PROJECT_SOURCE_DIR}/scripts/includes)
telescope_add_habit(docs ${PROJECT_SOURCE_DIR}/scripts/check-docs names guide links)
telescope_add_habit(tour ${PROJECT_SOURCE_DIR}/scripts/check-docs tour)
telescope_add_habit(headers ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target all_verify_interface_header_sets)
set_target_properties(telescope PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
set_tests_properties(headers PROPERTIES RESOURCE_LOCK ninja PROCESSORS 2)
