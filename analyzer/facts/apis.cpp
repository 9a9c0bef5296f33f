#include "analyzer/facts/apis.h"

#include "analyzer/facts/data_table.h"
#include "grammars/embedded.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

namespace padlint {
namespace {

const std::map<std::string_view, OnReturn> on_return_words = {
    {"keeps", OnReturn::keeps}, {"unlocks", OnReturn::unlocks}, {"closes", OnReturn::closes}};

const std::map<std::string_view, Level> level_words = {{"session", Level::session},
                                                       {"transaction", Level::transaction}};

ApiType read_type(DataTable& t) {
  return {.name = t.text("name"),
          .aliases = t.list("aliases"),
          .kind = t.choice<ApiKind>("kind",
                                    {{"pool", ApiKind::pool},
                                     {"factory", ApiKind::factory},
                                     {"connection", ApiKind::connection},
                                     {"session", ApiKind::session},
                                     {"cursor", ApiKind::cursor},
                                     {"scope", ApiKind::scope},
                                     {"other", ApiKind::other}},
                                    ApiKind::other),
          .on_return = t.choice("on_return", on_return_words, OnReturn::unknown),
          .autocommit = t.flag("autocommit", true),
          .receiver_names = t.list("names"),
          .ambient = t.flag("ambient"),
          .transaction = t.flag("transaction"),
          .requests = t.flag("requests"),
          .general = t.flag("general"),
          .session = t.text("session"),
          .unknown_types = t.flag("unknown_types")};
}

const std::map<std::string_view, ApiRelation> relation_words = {{"fresh", ApiRelation::fresh},
                                                                {"checkout", ApiRelation::checkout},
                                                                {"same", ApiRelation::same},
                                                                {"argument", ApiRelation::argument}};

ApiGives read_gives(DataTable& t) {
  return {.names = t.list("names"),
          .on = t.list("on"),
          .methods = t.list("methods"),
          .type = t.text("type"),
          .relation = t.choice("relation", relation_words, ApiRelation::same),
          .leave = t.choice<ApiLeave>(
              "leave", {{"close", ApiLeave::close}, {"give_back", ApiLeave::give_back}, {"commit", ApiLeave::commit}},
              ApiLeave::nothing),
          .transaction = t.flag("transaction"),
          .source = t.argument("source"),
          .endpoint = t.argument("endpoint"),
          .endpoint_parts = t.pairs("parts"),
          .autocommit = t.switches("autocommit"),
          .pool_size = t.arguments("pool_size"),
          .closing = t.switches("closing"),
          .single = t.switches("single")};
}

const std::map<std::string_view, ApiResult> result_words = {
    {"value", ApiResult::value},   {"row", ApiResult::row},       {"rows", ApiResult::rows},
    {"values", ApiResult::values}, {"result", ApiResult::result}, {"cursor", ApiResult::cursor},
    {"status", ApiResult::status}, {"count", ApiResult::count}};

const std::map<std::string_view, ApiUnit> unit_words = {{"same", ApiUnit::same},        {"number", ApiUnit::number},
                                                        {"hex", ApiUnit::hex},          {"decimal", ApiUnit::decimal},
                                                        {"bytes", ApiUnit::bytes},      {"object", ApiUnit::object},
                                                        {"fraction", ApiUnit::fraction}};

ApiBlock read_block(DataTable& t) {
  return {.names = t.list("names"),
          .on = t.list("on"),
          .methods = t.list("methods"),
          .parameter = t.number("parameter", 0),
          .type = t.text("type"),
          .relation = t.choice("relation", relation_words, ApiRelation::checkout),
          .transaction = t.flag("transaction"),
          .ambient_with = t.text("ambient_with")};
}

ApiBatch read_batch(DataTable& t) { return {.on = t.list("on"), .methods = t.list("methods")}; }

ApiSends read_sends(DataTable& t) {
  return {.on = t.list("on"),
          .names = t.list("names"),
          .methods = t.list("methods"),
          .sql = t.argument("sql"),
          .binds = t.argument("binds"),
          .binds_rest = t.flag("binds_rest"),
          .bind_pairs = t.flag("bind_pairs"),
          .on_text = t.flag("on_text"),
          .connection = t.argument("connection"),
          .connection_methods = t.list("connection_methods"),
          .connection_type = t.text("connection_type"),
          .routine = t.flag("routine"),
          .result = t.choice("result", result_words, ApiResult::result),
          .text_answers = t.flag("text_answers"),
          .builder = t.flag("builder"),
          .clause = t.text("clause"),
          .simple_protocol = t.flag("simple_protocol"),
          .session = t.text("session"),
          .atomic_field = t.text("atomic_field"),
          .atomic_call = t.text("atomic_call"),
          .cached = t.flag("cached")};
}

ApiControl read_control(DataTable& t) {
  return {.on = t.list("on"),
          .names = t.list("names"),
          .methods = t.list("methods"),
          .effect = t.choice<ApiEffect>("effect",
                                        {{"commit", ApiEffect::commit},
                                         {"rollback", ApiEffect::rollback},
                                         {"close", ApiEffect::close},
                                         {"give_back", ApiEffect::give_back},
                                         {"begin", ApiEffect::begin},
                                         {"release_deferred", ApiEffect::release_deferred}},
                                        ApiEffect::commit),
          .argument = t.number("argument", -1),
          .closing = t.switch_of("closing")};
}

ApiTransaction read_transaction(DataTable& t) {
  return {.on = t.list("on"),
          .methods = t.list("methods"),
          .names = t.list("names"),
          .ambient = t.text("ambient"),
          .outside = t.flag("outside")};
}

ApiOption read_option(DataTable& t) {
  return {
      .on = t.list("on"), .methods = t.list("methods"), .fields = t.list("fields"), .on_when = t.switch_of("value")};
}

ApiLimit read_limit(DataTable& t) {
  return {.on = t.list("on"), .methods = t.list("methods"), .fields = t.list("fields")};
}

ApiObject read_object(DataTable& t) {
  return {.name = t.text("name"),
          .on = t.list("on"),
          .members = t.list("members"),
          .type = t.text("type"),
          .indexed = t.flag("indexed")};
}

ApiText read_text(DataTable& t) {
  return {.names = t.list("names"), .form = t.text("form"), .methods = t.list("methods"), .clause = t.text("clause")};
}

ApiMark read_mark(DataTable& t) {
  return {.bases = t.list("bases"),
          .methods = t.list("methods"),
          .annotations = t.list("annotations"),
          .passed_to = t.list("passed_to"),
          .paths = t.list("paths"),
          .atomic_field = t.text("atomic_field"),
          .atomic_call = t.text("atomic_call"),
          .transaction = t.text("transaction")};
}

ApiSettings read_settings(DataTable& t) {
  return {.name = t.text("name"),
          .config = t.text("config"),
          .type = t.text("type"),
          .default_profile = t.text("default_profile"),
          .choosers = t.list("choosers"),
          .choice = t.argument("choice"),
          .parts = t.pairs("parts"),
          .file_names = t.list("files"),
          .atomic_key = t.text("atomic_key")};
}

ApiAssignment read_assignment(DataTable& t) { return {.member = t.text("member"), .value = t.text("value")}; }

ApiLibraryLock read_library_lock(DataTable& t) {
  return {.library = t.text("library"),
          .words = t.list("words"),
          .names = t.list("names"),
          .on = t.list("on"),
          .methods = t.list("methods"),
          .assigned = t.tables<ApiAssignment>("assigned", read_assignment),
          .unless = t.tables<ApiAssignment>("unless", read_assignment),
          .level = t.choice<Level>("level", level_words, Level::session),
          .transaction = t.switches("transaction"),
          .session = t.switches("session"),
          .off = t.switches("off"),
          .tool = t.flag("tool"),
          .acquire = t.list("acquire"),
          .begins = t.flag("begins"),
          .tries = t.switches("tries"),
          .raises = t.switches("raises"),
          .connection = t.text("connection"),
          .profile = t.argument("profile"),
          .handle = t.argument("handle"),
          .endpoint = t.argument("endpoint"),
          .needs_endpoint = t.flag("needs_endpoint"),
          .transaction_level = t.text("transaction_level"),
          .direct = t.text("direct")};
}

ApiUrl read_url(DataTable& t) { return {.names = t.list("names"), .parts = t.pairs("parts")}; }

ApiWrites read_writes(DataTable& t) {
  return {.on = t.list("on"), .methods = t.list("methods"), .ambient = t.text("ambient")};
}

ApiFetch read_fetch(DataTable& t) {
  return {.methods = t.list("methods"),
          .members = t.list("members"),
          .names = t.list("names"),
          .result = t.choice("result", result_words, ApiResult::row),
          .asks_parts = t.flag("asks_parts")};
}

ApiHash read_hash(DataTable& t) {
  return {.names = t.list("names"),
          .methods = t.list("methods"),
          .bits = t.number("bits", 64),
          .unit = t.choice("unit", unit_words, ApiUnit::number),
          .of = t.argument("of"),
          .unstable = t.choice<ApiUnstable>(
              "unstable", {{"process", ApiUnstable::process}, {"call", ApiUnstable::call}, {"time", ApiUnstable::time}},
              ApiUnstable::no),
          .seed = t.text("seed"),
          .stable_types = t.list("stable_types"),
          .limit = t.argument("limit")};
}

ApiConvert read_convert(DataTable& t) {
  return {.names = t.list("names"),
          .methods = t.list("methods"),
          .of = t.argument("of"),
          .unit = t.choice("unit", unit_words, ApiUnit::same),
          .bits = t.number("bits", 0),
          .format = t.argument("format"),
          .widths = t.numbers("widths"),
          .count = t.argument("count"),
          .begin = t.argument("begin"),
          .end = t.argument("end"),
          .limit = t.argument("limit"),
          .width = t.argument("width"),
          .when = t.switch_of("when"),
          .feeds = t.flag("feeds")};
}

ApiGuard read_guard(DataTable& t) { return {.members = t.list("members")}; }

Apis load(std::string_view text) {
  Apis out;
  const toml::table root = toml::parse(text);
  const std::vector<std::string_view> keys = {
      "modules",     "environment", "language", "type",         "gives", "sends", "fetch",  "control",
      "transaction", "option",      "limit",    "object",       "text",  "mark",  "guard",  "settings",
      "url",         "hash",        "convert",  "library_lock", "block", "batch", "writes", "query_cache"};
  for (const auto& [name, node] : root)
    if (std::find(keys.begin(), keys.end(), name.str()) == keys.end())
      data_fault(node, fmt::format("unknown table {}", name.str()));
  if (const toml::table* modules = root["modules"].as_table()) {
    DataTable t(*modules);
    out.module_separator = t.text("separator");
    out.extensions = t.list("extensions");
    out.index_names = t.list("index");
    out.packages = t.flag("packages");
    out.module_roots = t.list("roots");
    out.global_types = t.flag("global_types");
    out.type_paths = t.flag("type_paths");
    t.done();
  }
  if (const toml::table* environment = root["environment"].as_table()) {
    DataTable t(*environment);
    out.environment_calls = t.list("calls");
    out.environment_objects = t.list("objects");
    t.done();
  }
  if (const toml::table* cache = root["query_cache"].as_table()) {
    DataTable t(*cache);
    out.cache_off = t.list("off");
    out.cache_emptied = t.list("emptied");
    out.uncached_files = t.list("not_in");
    t.done();
  }
  if (const toml::table* language = root["language"].as_table()) {
    DataTable t(*language);
    out.constructor = t.text("constructor");
    out.instantiators = t.list("instantiators");
    out.class_of = t.list("class_of");
    out.own_members = t.flag("own_members");
    out.accessors = t.flag("accessors");
    out.placeholders = t.list("placeholders");
    out.closed_members = t.list("closed");
    out.map_calls = t.list("maps");
    out.truth_calls = t.list("truth");
    out.scalar_rows = t.list("scalar_rows");
    out.code_names = t.list("code_names");
    out.closed_types = t.list("closed_types");
    out.zero_is_true = t.flag("zero_is_true");
    out.bit_operators = t.number("bit_operators", 0);
    out.optional_types = t.list("optional");
    out.transaction_wrappers = t.list("transaction_wrappers");
    out.open_types = t.list("open_types");
    out.faults = t.list("faults");
    out.conversions = t.list("conversions");
    out.map_arguments = t.flag("map_arguments");
    out.process_exits = t.list("exits");
    out.quiet_calls = t.list("quiet");
    t.done();
  }
  read_all(root, "type", out.types, read_type);
  read_all(root, "gives", out.gives, read_gives);
  read_all(root, "block", out.blocks, read_block);
  read_all(root, "batch", out.batches, read_batch);
  read_all(root, "sends", out.sends, read_sends);
  read_all(root, "writes", out.writes, read_writes);
  read_all(root, "fetch", out.fetches, read_fetch);
  read_all(root, "hash", out.hashes, read_hash);
  read_all(root, "convert", out.converts, read_convert);
  read_all(root, "control", out.controls, read_control);
  read_all(root, "transaction", out.transactions, read_transaction);
  read_all(root, "option", out.options, read_option);
  read_all(root, "limit", out.limits, read_limit);
  read_all(root, "object", out.objects, read_object);
  read_all(root, "text", out.texts, read_text);
  read_all(root, "mark", out.marks, read_mark);
  read_all(root, "guard", out.guards, read_guard);
  read_all(root, "settings", out.settings, read_settings);
  read_all(root, "url", out.urls, read_url);
  read_all(root, "library_lock", out.library_locks, read_library_lock);
  return out;
}

} // namespace

const Value* find(const Value& call, const ApiArgument& wanted) {
  for (const std::string& keyword : wanted.keywords)
    if (const Value* value = argument(call, -1, keyword))
      return value;
  return wanted.position >= 0 ? argument(call, wanted.position, {}) : nullptr;
}

const ApiType* Apis::type(std::string_view wanted) const {
  for (const ApiType& candidate : types)
    if (candidate.name == wanted || has_glob(candidate.aliases, wanted))
      return &candidate;
  return nullptr;
}

std::string apis_fault(std::string_view text) {
  try {
    load(text);
    return {};
  } catch (const toml::parse_error& error) {
    return fmt::format("{}: {}", error.source().begin.line, error.description());
  } catch (const std::exception& error) {
    return error.what();
  }
}

const Apis* apis_of(std::string_view language) {
  const EmbeddedLanguage* embedded = embedded_language(language);
  if (embedded == nullptr)
    return nullptr;
  if (embedded->apis_toml.empty())
    return embedded->extends.empty() ? nullptr : apis_of(embedded->extends);
  struct Slot {
    std::once_flag once;
    std::unique_ptr<Apis> apis;
  };
  static std::vector<Slot> slots(embedded_languages().size());
  Slot& slot = slots[static_cast<std::size_t>(embedded - embedded_languages().data())];
  std::call_once(slot.once, [&] {
    try {
      slot.apis = std::make_unique<Apis>(load(embedded->apis_toml));
      slot.apis->language = language;
    } catch (const std::exception&) { // a test asks apis_fault
    }
  });
  return slot.apis.get();
}

bool library_method(const Apis& apis, std::string_view name) {
  auto in = [&](const auto& entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return has(entry.methods, name); });
  };
  return in(apis.sends) || in(apis.gives) || in(apis.blocks) || in(apis.fetches) || in(apis.controls) ||
         in(apis.transactions);
}

} // namespace padlint
