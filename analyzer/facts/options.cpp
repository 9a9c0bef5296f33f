#include "analyzer/facts/linked_project.h"

// Autocommit that is turned on or off after a connection was opened.

namespace padlint {

void collect_options(LinkedProject& project) {
  std::map<std::string, Answer> found;
  auto set = [&](const Typed& typed, const ApiOption& option, const Value* value, Scope scope) {
    if (value == nullptr || typed.identity.empty())
      return;
    const Value known = fold(project, *value, scope);
    const std::optional<std::string> text = constant_text(known);
    const std::string name = text ? *text : external_name(project, known, scope);
    const Answer answer = name == option.on_when.value ? Answer::yes
                          : text && *text == "false"   ? Answer::no
                                                       : Answer::unknown;
    if (answer != Answer::unknown)
      found[typed.identity] = answer;
  };
  for (const FileFacts& file : project.files) {
    const Apis* apis = apis_of(file.language);
    if (apis == nullptr)
      continue;
    for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
      const Scope scope{file.file, i};
      for (const ApiOption& option : apis->options) {
        auto on = [&](const Value& object, std::string_view method) -> std::optional<Typed> {
          auto typed = type_of(project, object, scope, method);
          return typed && typed->type != nullptr && has(option.on, typed->type->name) ? typed : std::nullopt;
        };
        for_each_call(file.routines[i], [&](const Event& event) {
          const Value& callee = event.value.parts.empty() ? event.value : event.value.parts[0];
          if (callee.is(ValueKind::member) && has(option.methods, callee.text))
            if (auto typed = on(callee.parts[0], "execute"))
              set(*typed, option, find_argument(event.value, option.on_when.argument), scope);
        });
        for (const Block& block : file.routines[i].flow.blocks)
          for (const Event& event : block.events) {
            if (event.kind != EventKind::assign)
              continue;
            const std::size_t dot = event.target.rfind('.');
            if (dot == std::string::npos || !has(option.fields, event.target.substr(dot + 1)))
              continue;
            Value object = make_name(event.target.substr(0, dot), event.span);
            if (const std::size_t inner = object.text.find('.'); inner != std::string::npos)
              object = make_member(make_name(object.text.substr(0, inner), event.span), object.text.substr(inner + 1),
                                   event.span);
            if (auto typed = on(object, "execute"))
              set(*typed, option, &event.value, scope);
          }
      }
    }
  }
  project.autocommit_options = std::move(found);
  project.caches.types.clear();
}

void collect_limits(LinkedProject& project) {
  for (const FileFacts& file : project.files) {
    const Apis* apis = apis_of(file.language);
    if (apis == nullptr || file.traits.test)
      continue;
    for (std::uint32_t i = 0; i < file.routines.size(); ++i) {
      const Scope scope{file.file, i};
      const auto limit = [&](const ApiLimit& entry, const Value& object, const Value& size) {
        const auto typed = type_of(project, object, scope, entry.methods.empty() ? "" : entry.methods.front());
        if (!typed || typed->type == nullptr || !has(entry.on, typed->type->name) || typed->origin.empty())
          return;
        const Value known = fold(project, size, scope);
        const bool number = known.is(ValueKind::integer) && known.number > 0 && known.number < 1'000'000;
        project.pool_limits[typed->origin] = number ? std::optional(static_cast<int>(known.number)) : std::nullopt;
      };
      for (const ApiLimit& entry : apis->limits) {
        for_each_call(file.routines[i], [&](const Event& event) {
          if (event.value.parts.size() > 1 && event.value.parts[0].is(ValueKind::member) &&
              has(entry.methods, event.value.parts[0].text))
            limit(entry, event.value.parts[0].parts[0], event.value.parts[1]);
        });
        for (const Block& block : file.routines[i].flow.blocks)
          for (const Event& event : block.events)
            if (const std::size_t dot = event.target.rfind('.'); event.kind == EventKind::assign &&
                                                                 dot != std::string::npos &&
                                                                 has(entry.fields, event.target.substr(dot + 1)))
              limit(entry, make_name(event.target.substr(0, dot), event.span), event.value);
      }
    }
  }
  project.caches.types.clear();
}

} // namespace padlint
