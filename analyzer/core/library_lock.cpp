#include "analyzer/core/library_lock.h"

#include <fmt/format.h>

namespace padlint {

std::string to_text(const LibraryLock& lock) {
  return fmt::format("library lock {} {} {}{}{}{}{}", to_text(lock.level), lock.library, lock.taker,
                     lock.off ? " off" : "", lock.tool ? " tool" : "", lock.answers ? " try" : "",
                     lock.answers && lock.result == TryResult::dropped ? " dropped" : "");
}

} // namespace padlint
