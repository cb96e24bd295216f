# telescope_embed_page(target): the parts of the report's page, so that the target's sources can include page_files.hpp.
# They are files of their own in lab/report, where editors know them for what they are.
function(telescope_embed_page target)
  set(directory ${PROJECT_SOURCE_DIR}/lab/report)
  foreach(file IN ITEMS page.html claims.html filters.html panel.html page.css page.js)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${directory}/${file})
    string(REPLACE "." "_" variable ${file})
    file(READ ${directory}/${file} ${variable})
  endforeach()
  configure_file(${directory}/page_files.hpp.in ${CMAKE_CURRENT_BINARY_DIR}/page/page_files.hpp @ONLY)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page)
  target_link_libraries(${target} PRIVATE telescope_deps::sodium)
endfunction()
