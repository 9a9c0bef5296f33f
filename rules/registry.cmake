# padlint_rules_registry(folder output sources): finds the rules of a folder, sets `sources` to their files and writes the
# list of them, with their pages, to `output`.
function(padlint_rules_registry folder output sources_of_rules)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(ids "")
  foreach(source ${sources})
    get_filename_component(id ${source} NAME_WE)
    list(APPEND ids ${id})
  endforeach()
  list(SORT ids) # of files the order is another: '-' comes before '.'
  set(declarations "")
  set(entries "")
  set(pages "")
  foreach(id ${ids})
    string(REPLACE "-" "_" symbol ${id})
    set(page ${folder}/${id}.md)
    if(NOT EXISTS ${page})
      message(FATAL_ERROR "${folder}/${id}.cpp has no page ${folder}/${id}.md")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
    file(READ ${page} text)
    string(APPEND declarations "extern const Rule ${symbol};\n")
    string(APPEND entries "    &${symbol},\n")
    string(APPEND pages "    {\"${id}\", R\"~PADLINT~(${text})~PADLINT~\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Generated from rules/*: do not edit.
#include \"analyzer/core/rule.h\"

#include <utility>

namespace padlint {
@declarations@
namespace {
const Rule* const rules[] = {
@entries@};
const std::pair<std::string_view, std::string_view> pages[] = {
@pages@};
} // namespace
std::span<const Rule* const> all_rules() { return rules; }
std::string_view rule_page(std::string_view id) {
  for (const auto& [name, text] : pages)
    if (name == id)
      return text;
  return {};
}
} // namespace padlint
")
  set(${sources_of_rules} ${sources} PARENT_SCOPE)
endfunction()
