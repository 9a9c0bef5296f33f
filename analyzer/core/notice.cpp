#include "analyzer/core/notice.h"

#include <fmt/format.h>

namespace padlint {

namespace {

std::string_view to_text(NoticeKind kind) {
  switch (kind) {
  case NoticeKind::note: return "note";
  case NoticeKind::warning: return "warning";
  case NoticeKind::error: return "error";
  }
  return "";
}

} // namespace

std::string to_text(const Notice& notice) {
  const std::string place = notice.path.empty() ? "" : notice.path + ": ";
  return fmt::format("{}: {}{} [{}]", to_text(notice.kind), place, notice.text, notice.id);
}

} // namespace padlint
