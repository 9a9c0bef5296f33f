#include "analyzer/facts/query_calls.h"

#include <fmt/format.h>

#include <algorithm>

// Of several definitions of one routine of the project's SQL only the last counts, in the order of paths; DROP ends it;
// dumps and update scripts yield to the other files.

namespace padlint {
namespace {

bool is_dump(const std::string& path) {
  return path.ends_with("structure.sql") || path.ends_with("schema.sql") || path.find("dump") != std::string::npos ||
         path.find("--") != std::string::npos; // an update script of an extension: name--from--to.sql
}

} // namespace

std::set<RoutineRef> superseded_routines(const LinkedProject& project) {
  std::set<RoutineRef> superseded = called_queries(project);
  std::map<std::string, std::map<std::string, RoutineRef>> last; // by name, then by argument types
  for (const bool dumps : {true, false})
    for (const FileFacts& file : project.files) {
      if (is_dump(file.path) != dumps)
        continue;
      std::map<std::uint32_t, std::uint32_t> order; // place -> routine
      for (std::uint32_t i = 0; i < file.routines.size(); ++i)
        if (!file.routines[i].sql.name.empty())
          order[file.routines[i].span.begin] = i;
      // What a file defines and then drops is mostly the way back of a migration, and no end.
      std::multimap<std::uint32_t, const Statement*> drops;
      for (const Statement& statement : file.statements)
        if (statement.kind == StatementKind::drop_function && apis_of(file.language) == nullptr)
          drops.emplace(statement.span.begin, &statement);
      auto drop = drops.begin();
      auto drop_before = [&](std::uint32_t place) {
        for (; drop != drops.end() && drop->first < place; ++drop) {
          const Statement& statement = *drop->second;
          std::erase_if(last[statement.name.substr(statement.name.rfind('.') + 1)], [&](const auto& entry) {
            const auto& [arguments, ref] = entry;
            const auto count = arguments.empty() ? 0 : 1 + std::ranges::count(arguments, ',');
            const bool ends =
                ref.file != file.file && (statement.value.empty() || statement.value == fmt::format("{}", count));
            if (ends)
              superseded.insert(ref);
            return ends;
          });
        }
      };
      for (const auto& [place, i] : order) {
        drop_before(place);
        const SqlSignature& sql = file.routines[i].sql;
        const auto [entry, fresh] =
            last[sql.name].try_emplace(fmt::format("{}", fmt::join(sql.argument_types, ",")), RoutineRef{file.file, i});
        if (!fresh) {
          superseded.insert(entry->second);
          entry->second = {file.file, i};
        }
      }
      drop_before(~std::uint32_t{0});
    }
  return superseded;
}

} // namespace padlint
