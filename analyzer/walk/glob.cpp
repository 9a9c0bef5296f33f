#include "analyzer/walk/glob.h"

#include <array>
#include <optional>
#include <utility>

// Matching needs no recursion and no memory, because only two choices can ever be worth another try: how much the last
// `*` took, inside its folder, and how many folders the last `**` took. Whatever an earlier star could give up, the
// later one can take. So a pattern of a hostile repository costs a polynomial number of steps, never an exponential
// one.

namespace padlint {
namespace {

using Predicate = bool (*)(unsigned char);

constexpr bool is_lower(unsigned char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(unsigned char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_graph(unsigned char c) { return c > ' ' && c < 0x7f; }
constexpr bool is_blank(unsigned char c) { return c == ' ' || c == '\t'; }

/// The POSIX classes, of ASCII only and independent of the locale, as in git.
constexpr std::array<std::pair<std::string_view, Predicate>, 12> classes{{
    {"alnum", [](unsigned char c) { return is_alpha(c) || is_digit(c); }},
    {"alpha", is_alpha},
    {"blank", is_blank},
    {"cntrl", [](unsigned char c) { return c < ' ' || c == 0x7f; }},
    {"digit", is_digit},
    {"graph", is_graph},
    {"lower", is_lower},
    {"print", [](unsigned char c) { return c == ' ' || is_graph(c); }},
    {"punct", [](unsigned char c) { return is_graph(c) && !is_alpha(c) && !is_digit(c); }},
    {"space", [](unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
    {"upper", is_upper},
    {"xdigit", [](unsigned char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }},
}};

Predicate class_named(std::string_view name) {
  for (const auto& [known, predicate] : classes)
    if (known == name)
      return predicate;
  return nullptr;
}

/// A set from its first byte after `[` on, and where the byte after its `]` stands; nothing when it is malformed.
std::optional<std::pair<std::bitset<256>, std::size_t>> read_set(std::string_view pattern, std::size_t at) {
  std::bitset<256> set;
  const auto byte_at = [&](std::size_t index) { return static_cast<unsigned char>(pattern[index]); };
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  at += negated ? 1 : 0;
  unsigned char previous = 0; // what a `-` would begin its range with, 0 for nothing
  for (bool first = true;; first = false) {
    if (at >= pattern.size())
      return std::nullopt;
    unsigned char byte = byte_at(at);
    if (byte == ']' && !first)
      break;
    if (byte == '-' && previous != 0 && at + 1 < pattern.size() && pattern[at + 1] != ']') {
      ++at;
      if (pattern[at] == '\\' && ++at >= pattern.size())
        return std::nullopt;
      for (unsigned member = previous; member <= byte_at(at); ++member)
        set.set(member);
      byte = 0;
    } else if (byte == '[' && at + 1 < pattern.size() && pattern[at + 1] == ':') {
      const std::size_t begin = at + 2;
      const std::size_t close = pattern.find(']', begin);
      if (close == std::string_view::npos)
        return std::nullopt;
      if (close > begin && pattern[close - 1] == ':') {
        const Predicate predicate = class_named(pattern.substr(begin, close - 1 - begin));
        if (predicate == nullptr)
          return std::nullopt;
        for (unsigned member = 0; member < set.size(); ++member)
          if (predicate(static_cast<unsigned char>(member)))
            set.set(member);
        at = close;
        byte = 0;
      } else {
        set.set(byte); // `[:` without `:]` is two plain bytes
      }
    } else {
      if (byte == '\\') {
        if (++at >= pattern.size())
          return std::nullopt;
        byte = byte_at(at);
      }
      set.set(byte);
    }
    previous = byte;
    ++at;
  }
  if (negated)
    set.flip();
  set.reset('/');
  return std::pair{set, at + 1};
}

} // namespace

Glob::Glob(std::string_view pattern) : has_slash_(pattern.contains('/')) {
  for (std::size_t at = 0; at < pattern.size();) {
    switch (pattern[at]) {
    case '*': at = add_stars(pattern, at); break;
    case '?':
      tokens_.push_back({Kind::any});
      ++at;
      break;
    case '[': at = add_set(pattern, at + 1); break;
    case '\\':
      if (++at == pattern.size()) {
        tokens_.push_back({Kind::never});
        break;
      }
      [[fallthrough]];
    default: tokens_.push_back({Kind::byte, static_cast<std::uint8_t>(pattern[at++])});
    }
  }
}

std::size_t Glob::add_stars(std::string_view pattern, std::size_t at) {
  std::size_t end = pattern.find_first_not_of('*', at);
  if (end == std::string_view::npos)
    end = pattern.size();
  const std::string_view rest = pattern.substr(end);
  const bool alone = (at == 0 || pattern[at - 1] == '/') && (rest.empty() || rest[0] == '/' || rest.starts_with("\\/"));
  if (end - at == 1 || !alone) {
    tokens_.push_back({Kind::star});
    return end;
  }
  if (rest.starts_with('/')) {
    tokens_.push_back({Kind::any_folders});
    return end + 1;
  }
  tokens_.push_back({Kind::any_text});
  return end;
}

std::size_t Glob::add_set(std::string_view pattern, std::size_t at) {
  const auto read = read_set(pattern, at);
  // One token names at most 256 sets; no honest pattern comes near.
  if (!read || sets_.size() > 255) {
    tokens_.push_back({Kind::never});
    return pattern.size();
  }
  tokens_.push_back({Kind::set, static_cast<std::uint8_t>(sets_.size())});
  sets_.push_back(read->first);
  return read->second;
}

bool Glob::accepts(Token token, char byte) const {
  switch (token.kind) {
  case Kind::byte: return static_cast<std::uint8_t>(byte) == token.value;
  case Kind::any: return byte != '/';
  case Kind::set: return sets_[token.value].test(static_cast<unsigned char>(byte));
  default: return false;
  }
}

bool Glob::matches(std::string_view path) const {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t token = 0, at = 0;
  std::size_t star = none, star_at = 0; // the token after the last `*`, and where what follows it was last tried
  std::size_t deep = none, deep_at = 0; // the same for the last `**`
  while (true) {
    if (token == tokens_.size()) {
      if (at == path.size())
        return true;
    } else if (const Kind kind = tokens_[token].kind; kind == Kind::star) {
      star = ++token;
      star_at = at;
      continue;
    } else if (kind == Kind::any_text || kind == Kind::any_folders) {
      deep = ++token;
      deep_at = at;
      star = none;
      continue;
    } else if (at < path.size() && accepts(tokens_[token], path[at])) {
      ++token;
      ++at;
      continue;
    }
    if (star != none && star_at < path.size() && path[star_at] != '/') {
      token = star;
      at = ++star_at;
      continue;
    }
    if (deep == none || deep_at >= path.size())
      return false;
    if (tokens_[deep - 1].kind == Kind::any_folders)
      deep_at = path.find('/', deep_at);
    if (deep_at == none)
      return false;
    star = none;
    token = deep;
    at = ++deep_at;
  }
}

bool Glob::fits(std::string_view path) const { return matches(has_slash_ ? path : path.substr(path.rfind('/') + 1)); }

} // namespace padlint
