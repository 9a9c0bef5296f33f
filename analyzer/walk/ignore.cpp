#include "analyzer/walk/ignore.h"

#include <algorithm>
#include <utility>

// A walk asks every ignore file above a path about it, and a large project has hundreds of patterns. Most of them are
// plain names, extensions and paths: those are looked up, and only the others are tried, from the last one back, until
// no later pattern than the best one is left.

namespace padlint {
namespace {

constexpr std::string_view special = "*?[\\";

/// Spaces at the end do not count unless a backslash stands before them.
std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool escaped = line[at] == '\\';
    if (escaped && ++at == line.size())
      return line;
    if (escaped || line[at] != ' ')
      end = at + 1;
  }
  return line.substr(0, end);
}

} // namespace

IgnoreFile::IgnoreFile(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    line = line.substr(0, line.find('\0')); // git reads lines as C strings
    if (!line.starts_with('#'))
      add(without_trailing_spaces(line));
  }
}

void IgnoreFile::add(std::string_view line) {
  const bool negated = line.starts_with('!');
  line.remove_prefix(negated ? 1 : 0);
  const bool folder_only = line.ends_with('/');
  line.remove_suffix(folder_only ? 1 : 0);
  if (line.empty())
    return;
  const int number = static_cast<int>(negated_.size());
  negated_.push_back(negated);
  const bool name_only = !line.contains('/');
  if (line.starts_with('/'))
    line.remove_prefix(1);

  const auto put = [&](Exact& exact, std::string_view key) {
    Last& last = exact[std::string(key)];
    (folder_only ? last.folder : last.anything) = number;
  };
  const std::size_t plain = std::min(line.find_first_of(special), line.size());
  if (plain == line.size())
    put(name_only ? names_ : paths_, line);
  else if (name_only && line.starts_with("*.") && line.find_first_of("*?[\\.", 2) == std::string_view::npos)
    put(extensions_, line.substr(1));
  else // git, too, compares the plain bytes first and hands on the rest: `a**/b` fits `ab` for this reason
    wild_.push_back({number, folder_only, name_only, std::string(line.substr(0, plain)), Glob(line.substr(plain))});
}

IgnoreFile::Verdict IgnoreFile::judge(std::string_view path, bool folder) const {
  int best = -1;
  const auto look = [&](const Exact& exact, std::string_view key) {
    if (exact.empty())
      return;
    if (const auto found = exact.find(key); found != exact.end())
      best = std::max({best, found->second.anything, folder ? found->second.folder : -1});
  };
  const std::string_view name = path.substr(path.rfind('/') + 1);
  look(names_, name);
  look(paths_, path);
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos)
    look(extensions_, name.substr(dot));
  for (auto wild = wild_.rbegin(); wild != wild_.rend() && wild->number > best; ++wild) {
    const std::string_view subject = wild->name_only ? name : path;
    if ((folder || !wild->folder_only) && subject.starts_with(wild->prefix) &&
        wild->glob.matches(subject.substr(wild->prefix.size())))
      best = wild->number;
  }
  if (best < 0)
    return Verdict::none;
  return negated_[static_cast<std::size_t>(best)] ? Verdict::kept : Verdict::ignored;
}

bool ignored(const IgnoreScope* scope, std::string_view path, bool folder) {
  for (; scope != nullptr; scope = scope->outer.get())
    if (const auto verdict = scope->file.judge(path.substr(scope->base), folder); verdict != IgnoreFile::Verdict::none)
      return verdict == IgnoreFile::Verdict::ignored;
  return false;
}

} // namespace padlint
