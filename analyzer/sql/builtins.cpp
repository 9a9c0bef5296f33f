#include "analyzer/sql/builtins.h"

#include <algorithm>
#include <array>

// Source: pg_proc of PostgreSQL 15, without what only operators, types and indexes use.

namespace padlint {

namespace {

// clang-format off: sorted, for binary search
constexpr auto names = std::to_array<std::string_view>({
    "abs", "acos", "age", "ascii", "asin", "atan", "atan2", "bit_count", "bit_length", "bool", "bound_box", "btrim",
    "cardinality", "cbrt", "ceil", "ceiling", "char_length", "character_length", "chr", "clock_timestamp",
    "col_description", "concat", "concat_ws", "convert", "convert_from", "convert_to", "cos", "cot", "crc32", "crypt",
    "cume_dist", "current_database", "current_query", "current_schema", "current_schemas", "current_setting", "currval",
    "date", "date_bin", "date_part", "date_trunc", "decode", "degrees", "dense_rank", "diagonal", "digest", "div",
    "encode", "enum_first", "enum_last", "enum_range", "exp", "extract", "factorial", "family", "first_value", "floor",
    "format", "format_type", "gcd", "gen_random_bytes", "gen_random_uuid", "gen_salt", "get_bit", "get_byte",
    "has_column_privilege", "has_database_privilege", "has_schema_privilege", "has_table_privilege", "hash_numeric",
    "hash_record", "hash_record_extended", "hashbpchar", "hashchar", "hashfloat4", "hashfloat8", "hashint4",
    "hashint4extended", "hashint8", "hashint8extended", "hashname", "hashoid", "hashtext", "hashtextextended", "hmac",
    "host", "inet_client_addr", "inet_server_addr", "initcap", "interval", "isempty", "isfinite", "jsonb_hash",
    "justify_days", "justify_hours", "justify_interval", "lag", "last_value", "lastval", "lcm", "lead", "left",
    "length", "like_escape", "ln", "lo_create", "lo_export", "lo_get", "lo_import", "lo_put", "lo_unlink", "log",
    "log10", "lower", "lower_inc", "lower_inf", "lpad", "ltrim", "make_date", "make_interval", "make_time",
    "make_timestamp", "make_timestamptz", "masklen", "md5", "mod", "netmask", "network", "nextval", "normalize", "now",
    "nth_value", "ntile", "num_nonnulls", "num_nulls", "obj_description", "octet_length", "overlaps", "overlay",
    "parse_ident", "percent_rank", "pg_backend_pid", "pg_blocking_pids", "pg_cancel_backend", "pg_client_encoding",
    "pg_column_size", "pg_conf_load_time", "pg_database_size", "pg_export_snapshot", "pg_has_role", "pg_indexes_size",
    "pg_is_in_recovery", "pg_my_temp_schema", "pg_notify", "pg_postmaster_start_time", "pg_relation_size",
    "pg_reload_conf", "pg_size_bytes", "pg_size_pretty", "pg_sleep", "pg_sleep_for", "pg_sleep_until",
    "pg_table_is_visible", "pg_table_size", "pg_terminate_backend", "pg_total_relation_size", "pg_trigger_depth",
    "pg_typeof", "pg_xact_status", "phraseto_tsquery", "pi", "plainto_tsquery", "point", "position", "pow", "power",
    "quote_ident", "quote_literal", "quote_nullable", "radians", "random", "rank", "repeat", "replace", "reverse",
    "right", "round", "row_number", "row_to_json", "rpad", "rtrim", "scale", "set_bit", "set_byte", "set_config",
    "setseed", "setval", "setweight", "sha224", "sha256", "sha384", "sha512", "sign", "similarity", "sin", "split_part",
    "sqrt", "starts_with", "statement_timestamp", "string_to_array", "strpos", "substr", "substring", "tan", "text",
    "timeofday", "timestamp", "timestamptz", "timezone", "to_ascii", "to_char", "to_date", "to_hex", "to_json",
    "to_jsonb", "to_number", "to_regclass", "to_regproc", "to_regprocedure", "to_regtype", "to_timestamp", "to_tsquery",
    "to_tsvector", "transaction_timestamp", "translate", "trim", "trim_array", "trim_scale", "trunc", "ts_headline",
    "ts_rank", "txid_current", "txid_current_if_assigned", "txid_current_snapshot", "txid_status", "unaccent", "upper",
    "upper_inc", "upper_inf", "uuid_generate_v1", "uuid_generate_v4", "uuid_hash", "uuid_hash_extended", "version",
    "websearch_to_tsquery", "width_bucket", "xpath",
});

constexpr auto aggregates = std::to_array<std::string_view>({
    "any_value", "array_agg", "avg", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "corr", "count",
    "covar_pop", "covar_samp", "every", "json_agg", "json_object_agg", "jsonb_agg", "jsonb_object_agg", "max", "min",
    "mode", "percentile_cont", "percentile_disc", "range_agg", "range_intersect_agg", "regr_avgx", "regr_avgy",
    "regr_count", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy", "stddev", "stddev_pop",
    "stddev_samp", "string_agg", "sum", "var_pop", "var_samp", "variance", "xmlagg",
});

constexpr auto set_returning = std::to_array<std::string_view>({
    "aclexplode", "generate_series", "generate_subscripts", "json_array_elements", "json_array_elements_text",
    "json_each", "json_each_text", "json_object_keys", "json_populate_recordset", "json_to_recordset",
    "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_each", "jsonb_each_text", "jsonb_object_keys",
    "jsonb_path_query", "jsonb_populate_recordset", "jsonb_to_recordset", "pg_lock_status", "pg_ls_dir",
    "pg_options_to_table", "pg_partition_ancestors", "pg_partition_tree", "pg_stat_get_activity", "pg_timezone_names",
    "regexp_matches", "regexp_split_to_table", "string_to_table", "ts_parse", "ts_stat", "unnest",
});
// clang-format on

static_assert(std::ranges::is_sorted(names) && std::ranges::is_sorted(aggregates) &&
              std::ranges::is_sorted(set_returning));

/// Families in which no project names its own functions.
constexpr auto prefixes = std::to_array<std::string_view>(
    {"array_", "json_", "jsonb_", "pg_current_", "pg_get_", "pg_last_", "pg_stat_", "pg_wal_", "regexp_"});

} // namespace

bool is_builtin(std::string_view name) {
  return std::ranges::binary_search(names, name) || is_aggregate(name) || is_set_returning(name) ||
         std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_aggregate(std::string_view name) { return std::ranges::binary_search(aggregates, name); }

bool is_set_returning(std::string_view name) { return std::ranges::binary_search(set_returning, name); }

} // namespace padlint
