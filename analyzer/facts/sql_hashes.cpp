#include "analyzer/facts/sql_hashes.h"

// Sources: PostgreSQL manual, "Functions and Operators" (String, Binary String, Date/Time, UUID, System Information),
// pgcrypto, uuid-ossp. hashtext() is in no manual. `crc32` is what people call the function that they write themselves.

namespace padlint {

const std::vector<ApiHash>& sql_hashes() {
  static const std::vector<ApiHash> hashes = {
      {.names = {"hashtext", "hash_array", "hash_record", "hashvarlena", "hashbpchar"}, .bits = 32},
      {.names = {"crc32", "crc32b", "crc32c"}, .bits = 32},
      {.names = {"hashtextextended", "hash_array_extended", "hash_record_extended"}, .bits = 64},
      {.names = {"md5"}, .bits = 128, .unit = ApiUnit::hex},
      {.names = {"sha224"}, .bits = 224, .unit = ApiUnit::bytes},
      {.names = {"sha256"}, .bits = 256, .unit = ApiUnit::bytes},
      {.names = {"sha384"}, .bits = 384, .unit = ApiUnit::bytes},
      {.names = {"sha512", "digest", "hmac"}, .bits = 512, .unit = ApiUnit::bytes},
      {.names = {"uuid_generate_v3", "uuid_generate_v5"}, .bits = 128, .unit = ApiUnit::hex, .of = {.position = 1}},
      {.names = {"random"}, .unit = ApiUnit::fraction, .unstable = ApiUnstable::call},
      {.names = {"gen_random_uuid", "uuid_generate_v1", "uuid_generate_v4"},
       .bits = 128,
       .unit = ApiUnit::hex,
       .unstable = ApiUnstable::call},
      {.names = {"gen_random_bytes"}, .unit = ApiUnit::bytes, .unstable = ApiUnstable::call},
      {.names = {"txid_current", "pg_current_xact_id"}, .unstable = ApiUnstable::call},
      {.names = {"pg_backend_pid", "inet_client_port"}, .unstable = ApiUnstable::process},
      {.names = {"now", "clock_timestamp", "statement_timestamp", "transaction_timestamp", "timeofday",
                 "current_timestamp", "localtimestamp", "current_time", "localtime"},
       .unstable = ApiUnstable::time},
  };
  return hashes;
}

const std::vector<ApiConvert>& sql_converts() {
  static const std::vector<ApiConvert> converts = {
      {.names = {"abs", "floor", "ceil", "ceiling", "round", "trunc", "lower", "upper", "replace", "coalesce"}},
      {.names = {"left", "right"}, .count = {.position = 1}},
      {.names = {"substr", "substring"}, .count = {.position = 2}},
      {.names = {"encode", "to_hex"}, .unit = ApiUnit::hex},
      {.names = {"decode"}, .unit = ApiUnit::bytes},
      {.names = {"get_byte"}, .unit = ApiUnit::number, .bits = 8},
      {.names = {"mod"}, .unit = ApiUnit::number, .limit = {.position = 1}},
      {.names = {"extract", "date_part"},
       .of = {.position = 1},
       .unit = ApiUnit::number,
       .when = {.argument = {.position = 0}, .value = "epoch"}},
  };
  return converts;
}

} // namespace padlint
