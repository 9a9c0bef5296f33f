#pragma once

#include "analyzer/core/span.h"

#include <string>

namespace padlint {

enum class NoticeKind { note, warning, error };

/// Something that could not be read or was not used: a SARIF notification and a line of the log, never an abort,
/// never silence. `id` is stable ("syntax-error", "unreadable-file", "too-large", "config-key-unused" ...).
struct Notice {
  NoticeKind kind = NoticeKind::warning;
  std::string id;
  std::string path; // empty when it is about no file
  Span span;        // empty when it is about the whole file
  std::string text;
};

/// `warning: jobs/a.sql: text [id]`; a position needs the text of the file: the writers add it.
std::string to_text(const Notice& notice);

} // namespace padlint
