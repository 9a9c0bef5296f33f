#pragma once

#include "analyzer/facts/linked_project.h"

#include <optional>
#include <string>
#include <string_view>

namespace padlint {

/// How type_of works: one expression at a depth of the search. The parts stand in types.cpp (names, members, keys),
/// types_of_calls.cpp (what calls give) and types_by_name.cpp (guesses).
class Types {
public:
  Types(const LinkedProject& project, int depth) : project_(project), depth_(depth) {}
  std::optional<Typed> of(const Value& value, Scope scope, std::string_view method);

private:
  std::optional<Typed> inner(const Value& value, Scope scope, std::string_view method = {});
  std::optional<Typed> declared(const Value& type, Scope scope);
  std::optional<Typed> declared_name(const Value& name, Scope scope);
  Types& with(const Types& other) {
    apis_ = other.apis_;
    return *this;
  }
  static std::string last_part(const std::string& name);
  // ---- names
  std::optional<Typed> of_binding(const Binding& binding, Scope scope, std::string_view method);
  std::optional<Typed> of_name(const Value& value, Scope scope, std::string_view method);
  /// A name that is bound several times means, where it is read, the binding before it; the others come after.
  static Definition nearest_first(Definition found, Span use);
  std::optional<Typed> of_bindings(const Definition& found, std::string_view method);
  std::optional<Typed> of_global(FileId file, const std::string& name, std::string_view method);
  std::optional<Typed> of_parameter(RoutineRef ref, std::uint32_t index, const Value& name, std::string_view method);
  std::optional<Typed> provided(const Value& provider, Scope scope);
  /// The object with which a library runs the routine.
  std::optional<Typed> lent_to(RoutineRef ref, std::uint32_t index);
  /// What all known callers agree on.
  std::optional<Typed> passed_to(RoutineRef ref, std::uint32_t index);
  // ---- members and keys
  std::optional<Typed> of_member(const Value& value, Scope scope, std::string_view method);
  std::optional<Typed> of_field(FileId file, const Class& owner, const Value& value, Scope scope,
                                std::string_view method);
  std::optional<Typed> of_index(const Value& value, Scope scope, std::string_view method);
  std::optional<Typed> object(std::string_view name, Span span, const std::string& profile);
  /// A value that is taken to be of a type.
  std::optional<Typed> of_cast(const Value& value, Scope scope, std::string_view method);
  /// One of several values: what all are that are known, and unknown where one of the others may be anything.
  std::optional<Typed> of_alternatives(const Value& value, Scope scope, std::string_view method);
  /// Whether a value depends on the caller or on the run.
  bool varies(const Value& value, Scope scope) const;
  Typed instance(FileId file, const Class& type);
  /// The library's type that a class of the project derives from.
  const ApiType* library_base(const Class& type, int depth = 0);
  // ---- calls
  std::optional<Typed> of_call(const Value& call, Scope scope, std::string_view method);
  std::optional<Typed> of_accessor(const Value& callee, Scope scope, std::string_view method);
  /// What a class of the project is to the library, by its bases.
  std::string profile_on(const Value& callee, Scope scope) const;
  std::optional<Typed> of_class(FileId file, const Class& owner, Span use, int depth = 0, std::string profile = {});
  /// What a routine of the project gives: what it returns, or yields as a block.
  std::optional<Typed> of_routine(RoutineRef ref, Span call);
  static bool made_inside(const Typed& typed, const Routine& routine);
  std::optional<Typed> build(const ApiGives& gives, const Value& call, Scope scope, std::optional<Typed> receiver);
  static void check_out(Typed& typed, const Typed& source, const Value& call);
  static void set_type(Typed& typed, const ApiType* type);
  // ---- guesses
  /// `is_type`: the name is that of a type of which nothing else is known.
  std::optional<Typed> guess(std::string_view name, const Value& value, Scope scope, std::string_view method,
                             bool is_type = false);
  bool fits(const ApiType& type, std::string_view method) const;
  std::string package_of(std::string_view name) const;
  bool imported(const ApiType& type, FileId file) const;
  bool imported_anywhere(const ApiType& type) const;
  const LinkedProject& project_;
  const Apis* apis_ = nullptr;
  int depth_;
  std::size_t position_ = 0; // of the result that is asked for, where a call gives several
};

/// The call with the entries of a map that is spread into it as keywords: `connect(**PARTS)`; and with those of any map
/// among its arguments where the language has them in place of keywords.
Value spread_out(const LinkedProject& project, const Value& call, Scope scope);

/// `@file:begin-end`: the object that is made there.
std::string identity_of(Span span);
/// ... that the library gives to everybody in the thread.
std::string ambient_identity(const ApiType& type);
/// Makes it the object of its type that everybody in the thread has, as the settings configure it.
void make_ambient(const LinkedProject& project, Typed& typed, FileId file);
/// Whether its sessions are lent to others: each statement may go through another one.
inline bool lends(const Typed& typed) { return typed.kind == ApiKind::pool || typed.kind == ApiKind::factory; }
/// Whether all calls of the routine that are known stand in tests.
bool called_by_tests_alone(const LinkedProject& project, RoutineRef ref);
/// What an object is for the statements sent through it.
HandleKind handle_kind(const Typed& typed);
/// Whether the settings say where the objects of the type lead.
bool configures(const Apis& apis, const ApiSettings& settings, const ApiType& type);

/// The profile of the settings that a class, or a base of it, chooses for its objects; `?` where it is known at run
/// time only, empty for none.
std::string chosen_profile(const LinkedProject& project, FileId file, const Class& owner, int depth = 0);

} // namespace padlint
