# Installs the build directory `build` into a fresh prefix, moves the prefix, and consumes it twice: through
# find_package and through pkg-config. `rocksdb`: the component too.
cmake_minimum_required(VERSION 3.25)
set(work ${build}/consumer)
set(prefix "${work}/a moved prefix")
file(REMOVE_RECURSE ${work})

macro(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endmacro()

step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
file(RENAME ${work}/installed "${prefix}")

macro(consume directory)
  step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/${directory} -G Ninja -D CMAKE_BUILD_TYPE=Release
       -D CMAKE_CXX_COMPILER=${compiler} "-DCMAKE_PREFIX_PATH=${prefix}" ${ARGN})
  step(${CMAKE_COMMAND} --build ${work}/${directory})
  step(${work}/${directory}/consumer)
endmacro()
consume(build)
if(rocksdb)
  consume(with_rocksdb -D components=rocksdb)
  step(${work}/with_rocksdb/consumer_rocksdb)
endif()

find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB_RECURSE pc_file "${prefix}/*/telescope.pc")
  cmake_path(GET pc_file PARENT_PATH pc_dir)
  set(ENV{PKG_CONFIG_PATH} "${pc_dir}")
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs telescope OUTPUT_VARIABLE flags
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  step(${compiler} -std=c++20 -O1 ${CMAKE_CURRENT_LIST_DIR}/main.cpp -o ${work}/through_pkg_config ${flags})
  step(${work}/through_pkg_config)

  if(rocksdb)
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs telescope-rocksdb OUTPUT_VARIABLE flags
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    step(${compiler} -std=c++20 -O1 ${CMAKE_CURRENT_LIST_DIR}/rocksdb.cpp -o ${work}/rocksdb_through_pkg_config ${flags})
    step(${work}/rocksdb_through_pkg_config)
  endif()
endif()
