#include "analyzer/core/file_facts.h"

#include "analyzer/core/mask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace padlint {

namespace {

std::string_view to_text(RoutineForm form) {
  switch (form) {
  case RoutineForm::file: return "file";
  case RoutineForm::function: return "function";
  case RoutineForm::anonymous: return "anonymous";
  case RoutineForm::sql_function: return "sql_function";
  case RoutineForm::sql_procedure: return "sql_procedure";
  case RoutineForm::sql_do: return "sql_do";
  }
  return "";
}

std::string_view operator_of(BindingRole role) {
  switch (role) {
  case BindingRole::assigned: return "=";
  case BindingRole::scoped: return "=with";
  case BindingRole::iterated: return "=in";
  case BindingRole::caught: return "=caught";
  case BindingRole::filled: return "=filled";
  }
  return "";
}

std::string typed(const std::string& name, const Value& type) {
  return type.is(ValueKind::opaque) ? name : fmt::format("{}: {}", name, to_text(type));
}

std::string to_text(const Binding& binding) {
  return fmt::format("{} {} {}", typed(binding.name, binding.type), operator_of(binding.role), to_text(binding.value));
}

std::string to_text(const Parameter& parameter) {
  const std::string name = typed(parameter.name, parameter.type);
  return parameter.initial.span.empty() ? name : fmt::format("{} = {}", name, to_text(parameter.initial));
}

std::string to_text(const SqlSignature& sql) {
  std::string out = fmt::format(" ({})", fmt::join(sql.argument_types, ", "));
  if (!sql.returns.empty())
    out += " returns " + sql.returns;
  for (const std::string* word : {&sql.language, &sql.volatility})
    if (!word->empty())
      out += " " + *word;
  return out + (sql.strict ? " strict" : "");
}

bool is_sql(RoutineForm form) { return form >= RoutineForm::sql_function; }

std::string qualified_name(const Routine& routine) {
  if (is_sql(routine.form) && !routine.sql.name.empty())
    return routine.sql.schema.empty() ? routine.sql.name : routine.sql.schema + "." + routine.sql.name;
  return routine.owner.empty() ? routine.name : routine.owner + "." + routine.name;
}

std::string indented(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    out += fmt::format("  {}\n", lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return out;
}

std::string to_text(const Import& import) {
  return fmt::format("import {}{} as {}\n", import.module, import.name.empty() ? "" : ":" + import.name, import.local);
}

std::string to_text(const Class& entry) {
  std::string out = entry.interface ? "interface " : "class ";
  out += entry.part_of.is(ValueKind::opaque) ? entry.name : "part of " + to_text(entry.part_of);
  for (const Value& base : entry.bases)
    out += fmt::format("{}{}", &base == entry.bases.data() ? " of " : ", ", to_text(base));
  out += "\n";
  for (const Binding& binding : entry.bindings)
    out += fmt::format("  {}\n", to_text(binding));
  for (const Binding& field : entry.fields)
    out += fmt::format("  self.{}\n", to_text(field));
  return out;
}

std::string to_text(const ConfigFact& config) {
  std::string out = "config " + config.kind;
  if (!config.section.empty())
    out += fmt::format(" [{}]", config.section);
  if (!config.target.empty())
    out += " " + config.target;
  out += " " + masked(fmt::format("{} = {}", config.setting, config.value));
  if (!config.environment.empty())
    out += fmt::format(" ({})", config.environment);
  return out + "\n";
}

std::string to_text(const Suppression& suppression) {
  return fmt::format("suppression [{}]{}{}\n", fmt::join(suppression.rules, ", "),
                     suppression.reason.empty() ? "" : " ", suppression.reason);
}

std::string traits_text(const FileTraits& traits) {
  return fmt::format("{}{}{}{}", traits.test ? " test" : "", traits.generated ? " generated" : "",
                     traits.vendored ? " vendored" : "", traits.example ? " example" : "");
}

} // namespace

std::string to_text(const Routine& routine) {
  std::string out{to_text(routine.form)};
  if (const std::string name = qualified_name(routine); !name.empty())
    out += " " + name;
  if (is_sql(routine.form)) {
    out += to_text(routine.sql);
  } else if (routine.form != RoutineForm::file) {
    out += "(";
    for (const Parameter& parameter : routine.parameters)
      out += fmt::format("{}{}", &parameter == routine.parameters.data() ? "" : ", ", to_text(parameter));
    out += ")";
  }
  if (!routine.result_type.is(ValueKind::opaque))
    out += " -> " + to_text(routine.result_type);
  out += routine.generator ? " generator\n" : "\n";
  for (const Value& annotation : routine.annotations)
    out += fmt::format("  @{}\n", to_text(annotation));
  for (const Binding& binding : routine.bindings)
    out += fmt::format("  {}\n", to_text(binding));
  if (!routine.reads.empty())
    out += fmt::format("  reads {}\n", fmt::join(routine.reads, ", "));
  for (const Value& value : routine.returns)
    out += fmt::format("  returns {}\n", to_text(value));
  return out + indented(to_text(routine.flow));
}

std::string to_text(const FileFacts& facts) {
  std::string out = fmt::format("{} {}{}\n", facts.path, facts.language, traits_text(facts.traits));
  for (const Import& import : facts.imports)
    out += to_text(import);
  for (const Class& entry : facts.classes)
    out += to_text(entry);
  for (const Routine& routine : facts.routines)
    out += to_text(routine);
  for (std::size_t i = 0; i < facts.statements.size(); ++i)
    out += fmt::format("statement {}: {}\n", i, to_text(facts.statements[i]));
  for (const ConfigFact& config : facts.configs)
    out += to_text(config);
  for (const Suppression& suppression : facts.suppressions)
    out += to_text(suppression);
  for (const Notice& notice : facts.notices)
    out += to_text(notice) + "\n";
  return out;
}

} // namespace padlint
