# What makes builds of this project itself quicker, if it is installed: ccache, and a linker quicker than GNU ld.
include(CheckLinkerFlag)

find_program(TELESCOPE_CCACHE ccache)
mark_as_advanced(TELESCOPE_CCACHE)
if(TELESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these two words it passes over whatever has a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TELESCOPE_CCACHE})
endif()

foreach(linker IN ITEMS mold lld)
  find_program(TELESCOPE_${linker} ld.${linker})
  mark_as_advanced(TELESCOPE_${linker})
  if(TELESCOPE_${linker})
    check_linker_flag(CXX -fuse-ld=${linker} TELESCOPE_LINKS_WITH_${linker})
    if(TELESCOPE_LINKS_WITH_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endif()
endforeach()
