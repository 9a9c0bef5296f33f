#include "analyzer/host/language.h"
#include "analyzer/host/text.h"
#include "analyzer/sql/placeholders.h"
#include "tests/fuzz/harness/fuzz.h"

#include <algorithm>
#include <string>
#include <vector>

// The way back from SQL to the source: through placeholders, joined literals with holes between them, and escapes. The
// first byte chooses a language and the form of its literals; a form feed stands where one literal ends and a hole,
// then another literal, follow.

namespace {

using namespace padlint;

SqlText put_together(const HostLanguage& language, host::TextForm form, std::string_view source) {
  SqlText text;
  for (std::size_t begin = 0; begin <= source.size();) {
    const std::size_t end = std::min(source.find('\f', begin), source.size());
    const Span span{0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    const Value literal = host::decode_text(language.text, form, source, span.begin, span.end, span);
    text.append(literal.text, 0, literal.steps);
    if (end < source.size())
      text.append_hole(make_opaque({0, span.end, span.end + 1}));
    begin = end + 1;
  }
  return text;
}

void check_map(const SqlText& text, std::string_view source) {
  const auto size = static_cast<std::uint32_t>(text.text.size());
  std::uint32_t last = 0;
  for (std::uint32_t at = 0; at < size; ++at) {
    const Span one = text.source(at, at + 1);
    fuzz::require(one.begin <= one.end && one.end <= source.size(), "a byte comes from outside of the source");
    fuzz::require(last <= one.begin, "a byte comes from before the one before it");
    last = one.begin;
    const Span rest = text.source(at, size);
    fuzz::require(rest.begin == one.begin && rest.begin <= rest.end && rest.end <= source.size(),
                  "a stretch comes from elsewhere than its first byte");
    const Span none = text.source(at, at);
    fuzz::require(none.empty() && none.begin == one.begin, "an empty stretch lies elsewhere");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  const std::vector<HostFiles>& languages = host_files();
  const HostLanguage* language = host_language(languages[data[0] / 4 % languages.size()].language);
  fuzz::require(language != nullptr, "no such language");
  const host::TextForm form{.raw = (data[0] & 1) != 0, .holes = (data[0] & 2) != 0};
  const std::string_view source = fuzz::text_of(data, size);
  const SqlText text = put_together(*language, form, source);
  check_map(text, source);
  const auto end = static_cast<std::uint32_t>(text.text.size());
  static const std::vector<std::string> styles = {"?", "$n", "%s", "%(name)s", ":name", "@name", "$<name>"};
  check_map(with_placeholders(text, 0, end, styles), source);
  return 0;
}
