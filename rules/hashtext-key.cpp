#include "analyzer/core/rule.h"
#include "analyzer/facts/project_facts.h"

#include <fmt/format.h>

#include <set>

namespace padlint {
namespace {

/// The call of a hash function inside a key, if any: hashtext before hashtextextended.
const Value* hash_in(const Value& value, std::string_view name) {
  if (value.is(ValueKind::call) && !value.parts.empty() && value.parts[0].is(ValueKind::name)) {
    const std::string& called = value.parts[0].text;
    if (called == name || called == fmt::format("pg_catalog.{}", name))
      return &value;
  }
  for (const Value& part : value.parts)
    if (const Value* found = hash_in(part, name))
      return found;
  return nullptr;
}

const Value* hash_in(const Key& key, std::string_view name) {
  for (const Value& part : key.parts)
    if (const Value* found = hash_in(part, name))
      return found;
  return nullptr;
}

/// The constant beginning of what is hashed, or else all of it: names of one kind share it.
std::string family(const Value& hash) {
  const Value* text = hash.parts.size() > 1 ? &hash.parts[1] : &hash;
  while (!text->is(ValueKind::text) && (text->is(ValueKind::operation) || text->is(ValueKind::concat)) &&
         !text->parts.empty())
    text = &text->parts[0];
  return text->is(ValueKind::text) ? text->text : to_text(Key{.form = KeyForm::bigint, .parts = {hash}});
}

// hashtext() is PostgreSQL's own: undocumented, 32 bits wide, free to change with a major version, and its result hangs
// on encoding and collation (measured). hashtextextended() is as internal, its low half is hashtext().
void check(const ProjectFacts& project, Report& report) {
  std::set<std::pair<RoutineRef, std::string>> told; // one finding for a key family of a routine
  for (const LockCall& lock : project.locks) {
    if (lock.wrapped)
      continue;
    const Value* narrow = hash_in(lock.key, "hashtext");
    const Value* wide = narrow != nullptr ? nullptr : hash_in(lock.key, "hashtextextended");
    if (narrow == nullptr && wide == nullptr)
      continue;
    if (!told.emplace(lock.routine, family(narrow != nullptr ? *narrow : *wide)).second)
      continue;
    Finding finding =
        about(project, "hashtext-key", narrow != nullptr ? FindingLevel::warning : FindingLevel::note, lock);
    finding.message =
        narrow != nullptr
            ? "key made by hashtext(): an internal function of 32 bits, whose values may change with a major version, "
              "the encoding and the collation"
            : "key made by hashtextextended(): 64 bits, but as internal as hashtext(), which is its low half";
    const Value& hash = narrow != nullptr ? *narrow : *wide;
    if (!hash.span.empty() && !lock.span.contains(hash.span))
      finding.relate(hash.span, "the hash is made here");
    finding.advice = "a documented hash of 64 bits: `('x' || left(md5(name), 16))::bit(64)::bigint`, or a number from "
                     "a table of keys";
    report.add(std::move(finding));
  }
}

} // namespace

extern const Rule hashtext_key{
    .id = "hashtext-key",
    .summary = "A lock key is made by the internal function hashtext().",
    .level = FindingLevel::warning,
    .check = check,
};

} // namespace padlint
