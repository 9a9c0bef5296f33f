#include "analyzer/core/mask.h"

#include <algorithm>
#include <array>
#include <optional>

// A line of a program or a configuration is not parsed here: secrets are found by their surroundings alone, and hiding
// a word too many is better than showing a password.

namespace padlint {

namespace {

constexpr std::size_t longest_url = 4096; // keeps the search linear

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a secret of this text would be no secret: `$NAME`, `${NAME}`, `{{ name }}`, `<%= name %>`, `%(name)s`.
bool is_reference(std::string_view value) {
  return value.starts_with('$') || value.starts_with("{{") || value.starts_with("<%") || value.starts_with("%(");
}

/// The password of a URL whose "://" stands at `scheme_end`.
std::optional<Secret> url_password(std::string_view text, std::size_t scheme_end) {
  if (scheme_end == 0 || !is_word(text[scheme_end - 1]))
    return std::nullopt;
  std::size_t begin = scheme_end + 3;
  std::string_view rest = text.substr(begin, longest_url);
  rest = rest.substr(0, rest.find_first_of(" \t\r\n\"'`<>"));
  std::size_t at = rest.substr(0, rest.find_first_of("/?#")).rfind('@');
  if (at == std::string_view::npos)
    at = rest.rfind('@'); // a password with an unencoded slash
  std::size_t colon = rest.find(':');
  if (at == std::string_view::npos || colon > at || colon + 1 == at || is_reference(rest.substr(colon + 1)))
    return std::nullopt;
  return Secret{.begin = begin + colon + 1, .end = begin + at};
}

/// The length of the password-like word that ends a key and begins at `at`, or 0.
std::size_t secret_word(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 13> words = {
      "password",          "passwd",          "passphrase",  "secret",     "pwd",
      "access_key",        "api_key",         "private_key", "auth_token", "access_token",
      "secret_access_key", "secret_key_base", "pass"};
  if (const char first = folded(text[at]); first != 'p' && first != 's' && first != 'a')
    return 0; // at nearly every place
  for (std::string_view word : words) {
    if (text.size() - at >= word.size() &&
        std::ranges::equal(text.substr(at, word.size()), word, [](char a, char b) { return folded(a) == b; })) {
      std::size_t end = at + word.size();
      // A compass is no secret, DB_PASS is.
      const bool begins = word != "pass" || at == 0 || !is_word(text[at - 1]) || text[at - 1] == '_';
      if (begins && (end == text.size() || !is_word(text[end])))
        return word.size();
    }
  }
  return 0;
}

/// The value that follows a key which ends at `at`: after `=`, `:`, `=>` or `:=`, or, when quoted, after blanks alone.
std::optional<Secret> value_after(std::string_view text, std::size_t at) {
  if (at < text.size() && is_quote(text[at]))
    ++at;
  auto skip = [&](auto what) {
    std::size_t start = at;
    while (at < text.size() && what(text[at]))
      ++at;
    return at > start;
  };
  skip(is_blank);
  bool separated = skip([](char c) { return c == '=' || c == ':' || c == '>'; });
  skip(is_blank);
  if (at == text.size() || (!separated && text[at] != '\''))
    return std::nullopt;
  char quote = is_quote(text[at]) ? text[at++] : '\0';
  if (is_reference(text.substr(at)))
    return std::nullopt;
  std::size_t end = at;
  if (quote != '\0')
    while (end < text.size() && text[end] != quote && text[end] != '\n')
      end += text[end] == '\\' && end + 1 < text.size() ? 2U : 1U;
  else
    end = text.find_first_of(" \t\r\n\"'`&;,)}<>", at);
  end = std::min(end, text.size());
  if (end == at)
    return std::nullopt;
  return Secret{.begin = at, .end = end};
}

} // namespace

std::vector<Secret> secrets_in(std::string_view text) {
  std::vector<Secret> secrets;
  std::size_t at = 0;
  auto take = [&](std::optional<Secret> secret) {
    if (secret) {
      secrets.push_back(*secret);
      at = secret->end;
    }
    return secret.has_value();
  };
  while (at < text.size()) {
    if (text.substr(at).starts_with("://") && take(url_password(text, at)))
      continue;
    std::size_t word = secret_word(text, at);
    if (word != 0 && take(value_after(text, at + word)))
      continue;
    ++at;
  }
  return secrets;
}

std::string masked(std::string_view text) {
  std::string result;
  std::size_t shown = 0;
  for (const Secret& secret : secrets_in(text)) {
    result.append(text.substr(shown, secret.begin - shown)).append(secret_mask);
    shown = secret.end;
  }
  return result.append(text.substr(shown));
}

std::string veil_over(std::string_view text) {
  // By length in UTF-8; what is no beginning of a character is one byte wide, as it is one replacement character.
  constexpr std::array<std::string_view, 4> veils = {"*", "\u00D7", "\u2022", "\U0001F512"};
  std::string veil;
  while (veil.size() < text.size()) {
    const std::string_view rest = text.substr(veil.size());
    const auto lead = static_cast<unsigned char>(rest[0]);
    std::size_t length = lead < 0xC2 ? 1U : lead < 0xE0 ? 2U : lead < 0xF0 ? 3U : lead < 0xF5 ? 4U : 1U;
    for (std::size_t next = 1; next < length; ++next)
      if (next >= rest.size() || (static_cast<unsigned char>(rest[next]) & 0xC0U) != 0x80U)
        length = 1;
    veil += veils[length - 1];
  }
  return veil;
}

std::string veiled(std::string_view text) {
  std::string result(text);
  for (const Secret& secret : secrets_in(text)) {
    const std::size_t length = secret.end - secret.begin;
    result.replace(secret.begin, length, veil_over(text.substr(secret.begin, length)));
  }
  return result;
}

} // namespace padlint
