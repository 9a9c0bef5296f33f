# padlint_embedded_languages(root modules output parsers): finds the languages of a folder, sets `parsers` to the sources
# of their grammars and writes their data to `output`.
function(padlint_embedded_languages root modules output sources_of_parsers)
  set(parsers "")
  set(declarations "")
  set(entries "")
  file(GLOB languages CONFIGURE_DEPENDS ${root}/*/language.toml)
  foreach(language_file ${languages})
    get_filename_component(folder ${language_file} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    file(STRINGS ${language_file} grammar REGEX "^grammar *=")
    string(REGEX REPLACE ".*package *= *\"([^\"]+)\".*" "\\1" package "${grammar}")
    string(REGEX REPLACE ".*symbol *= *\"([^\"]+)\".*" "\\1" symbol "${grammar}")
    file(STRINGS ${language_file} extends REGEX "^extends *=")
    string(REGEX REPLACE ".*\"([^\"]+)\".*" "\\1" extends "${extends}")
    set(subfolder "")
    if(grammar MATCHES "folder *= *\"([^\"]+)\"")
      set(subfolder "/${CMAKE_MATCH_1}")
    endif()
    file(GLOB parser ${modules}/${package}${subfolder}/src/parser.c ${modules}/${package}${subfolder}/src/scanner.c)
    list(APPEND parsers ${parser})
    # Grammars that share a scanner have it beside their folders, where it does not find its own header.
    set_source_files_properties(${parser} PROPERTIES INCLUDE_DIRECTORIES ${modules}/${package}${subfolder}/src)
    set(apis "")
    if(EXISTS ${folder}/apis.toml)
      file(READ ${folder}/apis.toml apis)
    endif()
    file(READ ${language_file} roles)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${language_file} ${folder}/apis.toml)
    string(APPEND declarations "extern \"C\" const TSLanguage* ${symbol}();\n")
    # A string literal is limited in length by some compilers: the text is cut at lines.
    foreach(text roles apis)
      string(REPLACE "\n" "\n)~PADLINT~\"\nR\"~PADLINT~(" cut "${${text}}")
      set(${text} "R\"~PADLINT~(${cut})~PADLINT~\"")
    endforeach()
    string(APPEND entries "    {\"${name}\", ${symbol}, \"${extends}\", ${roles}, ${apis}},\n")
  endforeach()

  file(READ ${root}/tools.toml tools)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/tools.toml)

  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Generated from grammars/*/: do not edit.
#include \"grammars/embedded.h\"
@declarations@
namespace padlint {
namespace {
const EmbeddedLanguage languages[] = {
@entries@};
} // namespace
std::string_view embedded_tools() { return R\"~PADLINT~(@tools@)~PADLINT~\"; }
std::span<const EmbeddedLanguage> embedded_languages() { return languages; }
} // namespace padlint
")
  list(REMOVE_DUPLICATES parsers) # languages may share a grammar
  set(${sources_of_parsers} ${parsers} PARENT_SCOPE)
endfunction()
