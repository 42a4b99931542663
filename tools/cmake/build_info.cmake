# Writes coppice_build_info.h with the commit that is being built; touches the file only when it changes.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE missing)
if(missing)
  set(commit unknown)
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain -- core algorithms experiments tools CMakeLists.txt
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit -dirty)
  endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[#pragma once

namespace coppice {
inline constexpr const char* build_version = "@VERSION@";
inline constexpr const char* build_commit = "@commit@";
inline constexpr const char* build_compiler = "@COMPILER@";
inline constexpr const char* build_flags = "@FLAGS@";
}  // namespace coppice
]] @ONLY)
