#include "analyzer/facts/library_locks.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/wrapper_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_set>

// Which files to read next. A routine matters when it names a lock function, or calls a routine that does, up to three
// calls away. What such a routine uses leads to the modules that it imports from; its own name leads to its callers; a
// routine of the project's SQL leads to the code that calls it.

namespace padlint {
namespace {

constexpr int max_calls = 3;

/// Names of lock functions, whole or as far as code puts them together.
bool speaks_of_locks(const std::string& text) {
  auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (const std::string_view word : {"pg_advisory", "pg_try_advisory"})
    if (std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end())
      return true;
  return false;
}

template <class Visit>
void each_part(const Value& value, Visit visit, int depth = 0) {
  visit(value);
  if (depth < max_value_depth)
    for (const Value& part : value.parts)
      each_part(part, visit, depth + 1);
}

template <class Visit>
void each_value(const Routine& routine, Visit visit) {
  for (const Block& block : routine.flow.blocks) {
    each_part(block.condition, visit);
    for (const Event& event : block.events)
      each_part(event.value, visit);
  }
  for (const Binding& binding : routine.bindings)
    each_part(binding.value, visit);
}

class Finder {
public:
  Finder(std::span<const FileFacts> files, const ProjectNotes& notes) : files_(files), notes_(notes) {}

  Wants run() {
    for (const FileFacts& file : files_)
      sql_names(file);
    for (const FileFacts& file : files_)
      if (apis_of(file.language) != nullptr)
        mark_constants(file);
    for (int calls = 0; calls <= max_calls; ++calls) {
      std::vector<std::pair<const FileFacts*, const Routine*>> found;
      for (const FileFacts& file : files_)
        if (const Apis* apis = apis_of(file.language))
          for (std::uint32_t i = 0; i < file.routines.size(); ++i)
            if (!relevant_.contains({file.file, i}) &&
                (calls == 0 ? takes_lock(file, file.routines[i], *apis) : calls_relevant(file.routines[i], *apis))) {
              relevant_.insert({file.file, i});
              found.emplace_back(&file, &file.routines[i]);
            }
      new_names_.clear();
      for (const auto& [file, routine] : found)
        if (calls < max_calls)
          add_name(*file, *routine);
    }
    // A module that is imported for its definitions leads on to what those are made of.
    std::set<FileId> followed;
    for (std::size_t before = followed.size() + 1; before != followed.size();) {
      before = followed.size();
      for (const FileFacts& file : files_)
        if (const Apis* apis = apis_of(file.language);
            apis != nullptr && !followed.contains(file.file) && follow(file, *apis))
          followed.insert(file.file);
    }
    Wants wants;
    wants.names.assign(names_.begin(), names_.end());
    wants.modules.assign(modules_.begin(), modules_.end());
    wants.folders.assign(folders_.begin(), folders_.end());
    wants.packages.assign(packages_.begin(), packages_.end());
    return wants;
  }

private:
  /// Constants of a module that hold lock SQL make the routines that use them matter.
  void mark_constants(const FileFacts& file) {
    auto mark = [&](const Binding& binding) {
      each_part(binding.value, [&](const Value& value) {
        if (value.is(ValueKind::text) && matters(value.text) && constants_.insert(binding.name).second &&
            binding.name.size() >= 4)
          names_.insert(binding.name);
      });
    };
    if (!file.routines.empty())
      std::for_each(file.routines[0].bindings.begin(), file.routines[0].bindings.end(), mark);
    for (const Class& type : file.classes)
      std::for_each(type.bindings.begin(), type.bindings.end(), mark);
  }

  /// A text that names a lock function, or a routine of the project's SQL that takes a lock.
  bool matters(const std::string& text) const {
    return speaks_of_locks(text) ||
           std::any_of(sql_routines_.begin(), sql_routines_.end(),
                       [&](const std::string& name) { return text.find(name) != std::string::npos; });
  }

  bool takes_lock(const FileFacts& file, const Routine& routine, const Apis& apis) const {
    bool found = false;
    each_value(routine, [&](const Value& value) {
      if (value.is(ValueKind::call) && !value.parts.empty())
        found = found || asks_for_lock(apis, file, value.parts[0]) || may_call(notes_.wrappers, value.parts[0]);
      if (value.is(ValueKind::text))
        found = found || matters(value.text);
      if (value.is(ValueKind::member) || value.is(ValueKind::name))
        found = found || speaks_of_locks(value.text);
      if (value.is(ValueKind::name) || value.is(ValueKind::member))
        found = found || constants_.contains(value.text);
    });
    return found;
  }

  bool calls_relevant(const Routine& routine, const Apis& apis) const {
    bool found = false;
    each_value(routine, [&](const Value& value) {
      // Called, or handed over to something that calls it.
      if (!found && (value.is(ValueKind::name) || value.is(ValueKind::member)))
        found = new_names_.contains(value.text) && !library_method(apis, value.text);
    });
    return found;
  }

  void add_name(const FileFacts& file, const Routine& routine) {
    if (routine.name.empty())
      return;
    const Apis* apis = apis_of(file.language);
    const bool special = routine.name.starts_with("__") || routine.name == apis->constructor;
    if (!special && routine.name.size() >= 4 && !library_method(*apis, routine.name))
      add_name(routine.name);
    if (special && routine.owner.size() >= 4)
      add_name(routine.owner);
  }

  void add_name(const std::string& name) {
    if (relevant_names_.insert(name).second)
      new_names_.insert(name);
  }

  bool is_wanted_module(const FileFacts& file) const {
    const std::string path = file.path.substr(0, file.path.rfind('.'));
    for (std::size_t at = 0;;) {
      if (modules_.contains(path.substr(at)))
        return true;
      const std::size_t slash = path.find('/', at);
      if (slash == std::string::npos)
        return false;
      at = slash + 1;
    }
  }

  /// False for a file that does not matter, as far as is known.
  bool follow(const FileFacts& file, const Apis& apis) {
    std::set<std::string> used;
    bool any = false;
    bool asks = false; // a library for a lock
    for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
      if (!relevant_.contains({file.file, i}))
        continue;
      any = true;
      const Routine& routine = file.routines[i];
      each_value(routine, [&](const Value& value) {
        add_type(apis, value);
        if (value.is(ValueKind::name))
          used.insert(value.text);
        asks = asks || (value.is(ValueKind::call) && !value.parts.empty() && asks_for_lock(apis, file, value.parts[0]));
      });
      for (const Parameter& parameter : routine.parameters) {
        each_part(parameter.type, [&](const Value& value) {
          if (value.is(ValueKind::name))
            used.insert(value.text);
        });
        each_part(parameter.initial, [&](const Value& value) {
          if (value.is(ValueKind::name))
            used.insert(value.text);
        });
      }
      for (const Value& annotation : routine.annotations)
        each_part(annotation, [&](const Value& value) {
          if (value.is(ValueKind::name))
            used.insert(value.text);
        });
      if (!routine.name.empty() && relevant_names_.contains(routine.name))
        names_.insert(routine.name);
      if (!routine.owner.empty() && relevant_names_.contains(routine.owner))
        names_.insert(routine.owner);
    }
    if (!any && !constants_used_here(file) && !is_wanted_module(file))
      return false;
    for (const ApiLimit& limit : apis.limits) // how many connections a pool has may be said anywhere
      if (any)
        names_.insert(limit.methods.begin(), limit.methods.end());
    if (apis.packages) // the files of a package share their names
      for (const std::string& extension : apis.extensions)
        folders_.insert(file.path.substr(0, file.path.rfind('/') + 1) + "*." + extension);
    // The top level and the fields say what the names of the routines are.
    for (const Binding& binding : file.routines[0].bindings)
      each_part(binding.value, [&](const Value& value) {
        if (value.is(ValueKind::name))
          used.insert(value.text);
      });
    for (const Class& type : file.classes) {
      for (const Value& base : type.bases)
        each_part(base, [&](const Value& value) {
          add_type(apis, value);
          used.insert(value.text);
        });
      for (const std::vector<Binding>* list : {&type.fields, &type.bindings})
        for (const Binding& binding : *list) {
          each_part(binding.value, [&](const Value& value) { used.insert(value.text); });
          each_part(binding.type, [&](const Value& value) { used.insert(value.text); });
        }
    }
    for (const Import& import : file.imports)
      if (used.contains(import.local) && !library(apis, import.module))
        add_module(file, apis, import);
    for (const ApiSettings& settings : apis.settings)
      if (!settings.name.empty() && ((asks && std::ranges::any_of(apis.library_locks,
                                                                  [&](const ApiLibraryLock& lock) {
                                                                    return lock.connection == settings.type;
                                                                  })) ||
                                     std::ranges::any_of(file.imports, [&](const Import& import) {
                                       return library_of(apis, import.module) == library_of(apis, settings.type);
                                     })))
        names_.insert(settings.name);
    return true;
  }

  /// `Store::Invoice` is defined in store/invoice.<extension>.
  void add_type(const Apis& apis, const Value& value) {
    if (!apis.type_paths || (!value.is(ValueKind::name) && !value.is(ValueKind::member)))
      return;
    const std::string name = dotted(value);
    const auto at_is = [&](std::size_t at, auto kind) {
      return at < name.size() && kind(static_cast<unsigned char>(name[at])) != 0;
    };
    const auto upper = [&](std::size_t at) { return at_is(at, [](unsigned char c) { return std::isupper(c); }); };
    const auto lower = [&](std::size_t at) { return at_is(at, [](unsigned char c) { return std::islower(c); }); };
    std::string path;
    for (std::size_t at = 0; at < name.size(); ++at) {
      const bool begins = at == 0 || name[at - 1] == '.';
      if (begins && !upper(at))
        break; // a method
      if (!begins && upper(at) && (!upper(at - 1) || lower(at + 1)))
        path += '_';
      path += name[at] == '.' ? '/' : static_cast<char>(std::tolower(static_cast<unsigned char>(name[at])));
    }
    if (path.ends_with('/'))
      path.pop_back();
    if (!path.empty())
      modules_.insert(path);
  }

  bool constants_used_here(const FileFacts& file) const {
    return std::any_of(file.routines[0].bindings.begin(), file.routines[0].bindings.end(),
                       [&](const Binding& binding) { return constants_.contains(binding.name); });
  }

  static bool library(const Apis& apis, std::string_view module) {
    const std::string wanted = library_of(apis, module);
    return !wanted.empty() && std::any_of(apis.types.begin(), apis.types.end(), [&](const ApiType& type) {
      return library_of(apis, type.name) == wanted ||
             std::any_of(type.aliases.begin(), type.aliases.end(),
                         [&](const std::string& alias) { return library_of(apis, alias) == wanted; });
    });
  }

  void add_module(const FileFacts& file, const Apis& apis, const Import& import) {
    if (apis.packages) {
      for (const std::string& extension : apis.extensions)
        packages_.insert(without_versions(import.module) + "/*." + extension);
      return;
    }
    const std::string_view separator = apis.module_separator;
    std::size_t dots = import.module.find_first_not_of('.');
    if (dots == std::string::npos)
      dots = import.module.size();
    std::string path;
    if (dots > 0) {
      path = file.path;
      for (std::size_t i = 0; i < dots; ++i) {
        const std::size_t slash = path.rfind('/');
        path.resize(slash == std::string::npos ? 0 : slash);
      }
    }
    std::string_view rest = std::string_view(import.module).substr(dots);
    auto append = [&](std::string_view part) {
      if (!path.empty())
        path += '/';
      path += part;
    };
    if (dots == 0 && !apis.module_roots.empty()) { // a package, unless it begins with a folder of the project's own
      const std::string_view root = rest.substr(0, rest.find(separator));
      if (root.size() == rest.size() || !has(apis.module_roots, std::string(root)))
        return;
      if (std::isalpha(static_cast<unsigned char>(root[0])) == 0)
        rest.remove_prefix(root.size() + separator.size());
    }
    if (separator != ".")
      for (const std::string& extension : apis.extensions)
        if (rest.ends_with("." + extension)) {
          rest.remove_suffix(extension.size() + 1);
          break;
        }
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(separator), rest.size());
      append(rest.substr(0, end));
      rest.remove_prefix(std::min(end + separator.size(), rest.size()));
    }
    if (!path.empty()) {
      modules_.insert(path);
      for (const std::string& index : apis.index_names)
        modules_.insert(fmt::format("{}/{}", path, index));
    }
    if (!import.name.empty()) {
      append(import.name);
      modules_.insert(path);
    }
  }

  void sql_names(const FileFacts& file) {
    std::set<std::string> known;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Routine& routine : file.routines) {
        if (routine.sql.name.size() < 4 || known.contains(routine.sql.name) || routine.sql.returns == "trigger")
          continue;
        for (const Block& block : routine.flow.blocks)
          for (const Event& event : block.events)
            if (event.kind == EventKind::sql && event.number < file.statements.size())
              for (const SqlCall& call : file.statements[event.number].calls)
                if (lock_function(call.name) != nullptr || known.contains(call.name))
                  grown = known.insert(routine.sql.name).second || grown;
      }
    }
    for (const Routine& routine : file.routines) // a query that a program runs by its name
      if (routine.form == RoutineForm::sql_function && routine.sql.name.empty() && routine.name.size() >= 4)
        for (const Block& block : routine.flow.blocks)
          for (const Event& event : block.events)
            if (event.kind == EventKind::sql && event.number < file.statements.size() &&
                std::ranges::any_of(
                    file.statements[event.number].calls,
                    [](const SqlCall& call) { return lock_function(call.name) != nullptr; }))
              names_.insert(routine.name);
    // Functions beside a lock call may make its key.
    for (const Statement& statement : file.statements)
      if (std::any_of(statement.calls.begin(), statement.calls.end(),
                      [](const SqlCall& call) { return lock_function(call.name) != nullptr; }))
        for (const SqlCall& call : statement.calls)
          if (lock_function(call.name) == nullptr)
            names_.insert(call.name);
    names_.insert(known.begin(), known.end());
    sql_routines_.insert(known.begin(), known.end());
  }

  std::span<const FileFacts> files_;
  const ProjectNotes& notes_;
  std::set<RoutineRef> relevant_;
  std::unordered_set<std::string> relevant_names_;
  std::unordered_set<std::string> new_names_; // those that the last look at all routines added
  std::set<std::string> constants_;
  std::set<std::string> sql_routines_;
  std::set<std::string> names_;
  std::set<std::string> modules_;
  std::set<std::string> folders_;
  std::set<std::string> packages_;
};

} // namespace

Wants find_wants(std::span<const FileFacts> files, const ProjectNotes& notes) { return Finder(files, notes).run(); }

} // namespace padlint
