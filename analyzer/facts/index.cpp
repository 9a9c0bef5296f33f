#include "analyzer/facts/class_scope.h"
#include "analyzer/facts/linked_project.h"
#include "analyzer/facts/units.h"

#include <algorithm>

// What the questions of link begin with: who bears a name, which file is a module, where settings stand.

namespace padlint {

namespace {

void index_settings(LinkedProject& project, const FileFacts& file, const Apis& apis) {
  if (file.traits.test || file.routines.empty())
    return;
  for (const ApiSettings& settings : apis.settings)
    if (!settings.name.empty() && std::ranges::any_of(file.routines[0].bindings, [&](const Binding& binding) {
          return binding.name == settings.name || binding.name.starts_with(settings.name + "[");
        })) {
      std::vector<FileId>& files = project.settings[settings.name];
      if (files.empty() || files.back() != file.file)
        files.push_back(file.file);
    }
}

} // namespace

void own_bindings(FileFacts& file) {
  for (std::uint32_t i = 0; i < file.routines.size(); ++i)
    if (!file.routines[i].sql.language.empty() || file.routines[i].form == RoutineForm::sql_do)
      for (Binding& binding : file.routines[i].bindings)
        binding.routine = i;
}

void index_files(LinkedProject& project) {
  for (FileFacts& file : project.files)
    own_bindings(file);
  for (std::size_t i = 0; i < project.files.size(); ++i) {
    project.position[project.files[i].file] = i;
    project.tables.push_back(apis_of(project.files[i].language));
    project.units.push_back(unit_of(project.files[i].path, project.notes.unit_folders));
    if (!project.files[i].configs.empty())
      project.configured.push_back(project.files[i].file);
  }
  for (const FileFacts& file : project.files) {
    for (std::uint32_t i = 0; i < file.routines.size(); ++i)
      if (!file.routines[i].name.empty())
        project.routines_by_name[file.routines[i].name].push_back({file.file, i});
    for (const Class& type : file.classes)
      project.classes[type.name].emplace_back(file.file, &type);
    if (const Apis* apis = apis_of(file.language)) {
      index_settings(project, file, *apis);
      const std::vector<std::string> path = module_path(*apis, file.path);
      if (!path.empty())
        project.modules[path.back()].push_back(file.file);
      if (apis->packages)
        project.packages[apis->language + ":" + file.path.substr(0, file.path.rfind('/') + 1)].push_back(file.file);
    }
  }
  index_types(project);
}

} // namespace padlint
