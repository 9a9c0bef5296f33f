#include "analyzer/serial/facts_file.h"

#include "analyzer/core/hash.h"
#include "analyzer/serial/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

// A stored file is JSON, but its head and its last line are fixed to the byte: the head tells who made it before
// anything else is believed, and the last line tells whether it is whole. Only then is it parsed.

namespace padlint {

template <>
inline constexpr auto fields<StoredLine> =
    FieldList(Field{"number", &StoredLine::number}, Field{"begin", &StoredLine::begin},
              Field{"text", &StoredLine::text}, Field{"hash", &StoredLine::hash});
template <>
inline constexpr auto fields<StoredFile> =
    FieldList(Field{"facts", &StoredFile::facts}, Field{"hash", &StoredFile::hash}, Field{"size", &StoredFile::size},
              Field{"triggered", &StoredFile::triggered}, Field{"lines", &StoredFile::lines});
template <>
inline constexpr auto fields<StoredText> =
    FieldList(Field{"path", &StoredText::path}, Field{"text", &StoredText::text});
template <>
inline constexpr auto fields<StoredAnswer> =
    FieldList(Field{"name", &StoredAnswer::name}, Field{"paths", &StoredAnswer::paths});
template <>
inline constexpr auto fields<FactsFile> =
    FieldList(Field{"program", &FactsFile::program}, Field{"first_round", &FactsFile::first_round},
              Field{"listed", &FactsFile::listed}, Field{"settings", &FactsFile::settings},
              Field{"listing_notices", &FactsFile::listing_notices}, Field{"file_notices", &FactsFile::file_notices},
              Field{"looked_at", &FactsFile::looked_at}, Field{"answers", &FactsFile::answers},
              Field{"files", &FactsFile::files});
template <>
inline constexpr auto fields<WantsFile> = FieldList(
    Field{"program", &WantsFile::program}, Field{"names", &WantsFile::names}, Field{"files", &WantsFile::files});

namespace {

constexpr std::string_view checksum_begin = ",\n\"checksum\":\"";
constexpr std::string_view checksum_end = "\"}\n";
constexpr std::size_t hash_digits = 16;

/// The form of a type: names of fields and enumerators, all the way down.
template <class T>
void add_form(Hash& hash) {
  if constexpr (is_vector<T>) {
    hash.add("[]");
    add_form<typename T::value_type>(hash);
  } else if constexpr (std::is_enum_v<T>) {
    for (const std::string_view name : enumerator_names<T>)
      hash.add(name);
  } else if constexpr (Described<T>) {
    fields<T>.each([&]<class Struct, class Type>(const Field<Struct, Type>& field) {
      hash.add(field.name);
      if constexpr (!std::same_as<Type, std::vector<Struct>>)
        add_form<Type>(hash);
    });
  } else {
    hash.add(std::is_arithmetic_v<T> ? "number" : "text");
  }
}

template <class File>
std::string form_of() {
  static const std::string form = [] {
    Hash hash;
    add_form<File>(hash);
    return fmt::format("{:016x}", hash.value);
  }();
  return form;
}

std::string head_of(std::string_view kind) { return fmt::format("{{\"padlint\":\"{}\",\"schema\":", kind); }

/// A list whose elements have a line each, so that two files can be compared by lines.
void append_member(std::string& out, std::string_view name, const Json& member) {
  const auto dumped = [](const Json& json) { return json.dump(); };
  out += fmt::format(",\n\"{}\":", name);
  if (!member.is_array()) {
    out += dumped(member);
    return;
  }
  out += '[';
  for (std::size_t i = 0; i < member.size(); ++i)
    out.append(i == 0 ? "\n" : ",\n").append(dumped(member[i]));
  out += member.empty() ? "]" : "\n]";
}

template <class File>
std::string file_text(std::string_view kind, const File& file) {
  std::string out = head_of(kind) + fmt::format("{},\"form\":\"{}\"", facts_schema, form_of<File>());
  const Json json = stored(file);
  for (const auto& [name, member] : json.items())
    append_member(out, name, member);
  out += checksum_begin;
  return out + fmt::format("{:016x}", hash_of(std::string_view(out).substr(0, out.size() - checksum_begin.size()))) +
         std::string(checksum_end);
}

/// Who made the file; the error for a file of somebody else.
std::expected<void, std::string> check_head(std::string_view text, std::string_view kind) {
  const std::string head = head_of(kind);
  if (!text.starts_with(head))
    return std::unexpected(fmt::format("no {} of padlint", kind));
  std::uint32_t schema = 0;
  const char* end = text.data() + std::min(text.size(), head.size() + 10);
  if (std::from_chars(text.data() + head.size(), end, schema).ec != std::errc())
    return std::unexpected("damaged: its first line has no number of a schema");
  if (schema != facts_schema)
    return std::unexpected(fmt::format("made by {} padlint: it has schema {}, and this one reads schema {}",
                                       schema > facts_schema ? "a newer" : "an older", schema, facts_schema));
  return {};
}

std::expected<std::string_view, std::string> without_checksum(std::string_view text) {
  const std::size_t tail = checksum_begin.size() + hash_digits + checksum_end.size();
  if (text.size() < tail || !text.substr(text.size() - tail).starts_with(checksum_begin) ||
      !text.ends_with(checksum_end))
    return std::unexpected("truncated or damaged: it does not end with its checksum");
  const std::string_view whole = text.substr(0, text.size() - tail);
  if (text.substr(whole.size() + checksum_begin.size(), hash_digits) != fmt::format("{:016x}", hash_of(whole)))
    return std::unexpected("damaged or edited: its checksum is that of another text");
  return whole;
}

template <class File>
std::expected<File, std::string> read_file(std::string_view text, std::string_view kind, std::string_view program) {
  if (const auto good = check_head(text, kind); !good)
    return std::unexpected(good.error());
  const auto whole = without_checksum(text);
  if (!whole)
    return std::unexpected(whole.error());
  Json json = Json::parse(std::string(*whole) + "}", nullptr, false);
  if (!json.is_object())
    return std::unexpected("damaged: no JSON");
  const bool same_form = json.contains("form") && json["form"] == form_of<File>();
  const bool same_program = json.contains("program") && json["program"] == program;
  if (!same_form || !same_program)
    return std::unexpected(fmt::format("made by {}, and this is padlint {}: all parts of a run have to be of one build",
                                       same_program || !json["program"].is_string()
                                           ? "another build of padlint"
                                           : "padlint " + json["program"].get<std::string>(),
                                       program));
  for (const char* name : {"padlint", "schema", "form"})
    json.erase(name);
  File file;
  JsonReader reader;
  if (!reader.read(json, file))
    return std::unexpected(fmt::format("damaged: {}", reader.fault()));
  return file;
}

constexpr std::string_view facts_kind = "facts";
constexpr std::string_view wants_kind = "wants";

} // namespace

std::string to_json(const FactsFile& facts) { return file_text(facts_kind, facts); }

std::string to_json(const WantsFile& wants) { return file_text(wants_kind, wants); }

std::expected<FactsFile, std::string> read_facts_file(std::string_view text, std::string_view program) {
  auto facts = read_file<FactsFile>(text, facts_kind, program);
  if (facts)
    for (const StoredFile& file : facts->files)
      if (const std::string fault = unsound(file); !fault.empty())
        return std::unexpected(fmt::format("damaged: {}: {}", file.facts.path, fault));
  return facts;
}

std::expected<WantsFile, std::string> read_wants_file(std::string_view text, std::string_view program) {
  return read_file<WantsFile>(text, wants_kind, program);
}

void number_file(FileFacts& facts, FileId file) {
  facts.file = file;
  mend_parts_of<Span>(
      facts, [&](const Span& span) { return span.file != file; }, [&](Span& span) { span.file = file; });
}

} // namespace padlint
