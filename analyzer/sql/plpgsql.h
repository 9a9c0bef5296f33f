#pragma once

#include "analyzer/core/file_facts.h"
#include "analyzer/sql/sql.h"

#include <cstdint>
#include <vector>

namespace padlint {

/// Reads text[begin, end), the body of a PL/pgSQL function, procedure, trigger function or DO block. Fills the
/// routine's flow, bindings, reads and returns; the events' statements are added to `statements`, whose index is their
/// number. routine.name and routine.parameters are there before. A binding without a value has an empty span in it.
void read_plpgsql_body(const SqlText& source, std::uint32_t begin, std::uint32_t end, Routine& routine,
                       std::vector<Statement>& statements, std::vector<Notice>& notices);

} // namespace padlint
