# Writes a C++ file with the files of the report's page as constants, so that the program carries them. Arguments:
# OUTPUT, CHART_JS, REPORT_JS, REPORT_CSS.

set(source "#include \"experiments/report/page_files.h\"\n\nnamespace coppice {\n\n")
foreach(name CHART_JS REPORT_JS REPORT_CSS)
  file(READ "${${name}}" content)
  string(FIND "${content}" ")embedded\"" end_inside)
  string(FIND "${content}" "</script" script_inside)
  if(NOT end_inside EQUAL -1 OR NOT script_inside EQUAL -1)
    message(FATAL_ERROR "${${name}} cannot be put into the page: it contains )embedded\" or </script")
  endif()
  string(TOLOWER "${name}" constant)
  string(APPEND source "const std::string_view ${constant} = R\"embedded(${content})embedded\";\n\n")
endforeach()
string(APPEND source "}  // namespace coppice\n")
file(WRITE "${OUTPUT}" "${source}")
