#pragma once

#include "analyzer/facts/linked_project.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What is known inside a class, and of the types that every file knows: for languages without imports.

namespace padlint {

void index_types(LinkedProject& project);
/// A class and, where classes are open, the other definitions that add to it.
std::vector<std::pair<FileId, const Class*>> parts_of(const LinkedProject& project, FileId file, const Class& type);
Definition member_of_type(const LinkedProject& project, FileId file, const Class& owner, std::string_view name,
                          int depth);
/// What the classes around a place know by a bare name.
Definition in_classes(const LinkedProject& project, Scope scope, Span place, std::string_view name, int depth);
/// What every file knows by this name.
Definition global_name(const LinkedProject& project, std::string_view name);
Span place_before(const Class& type);
/// The bases of a class, as written and qualified, and those of its bases in the project.
std::vector<std::string> base_names(const LinkedProject& project, FileId file, const Class& type, int depth = 0);
/// Whether the class around a place, or the call itself, says that it is to have no transaction: by a field that is set
/// to false, or by a call in the body of the class.
bool opts_out(const LinkedProject& project, const Value& call, Span place, std::string_view field,
              std::string_view method);
/// A callee without object inside a class, where own members go by their bare names and nothing of the project has this
/// one: the method of the object itself.
Value on_own_object(const LinkedProject& project, const Value& callee, Scope scope);
/// A method that is defined in the class itself, or in this part of it.
std::optional<RoutineRef> own_method(const LinkedProject& project, FileId file, const Class& owner,
                                     std::string_view name);

} // namespace padlint
