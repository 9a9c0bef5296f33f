#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace padlint {

/// A stretch of a text, in bytes, that no output may show.
struct Secret {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What stands in place of a secret.
constexpr std::string_view secret_mask = "***";

/// The passwords in a text, in order and apart from each other: in the userinfo of URLs (`postgres://user:here@host`),
/// and the values of password-like keys (`password=here`, `PGPASSWORD: "here"`, `PASSWORD 'here'`). A value that is
/// only a reference (`${SECRET}`, `{{ secret }}`) is none.
std::vector<Secret> secrets_in(std::string_view text);

/// The text with each secret replaced by `***`.
std::string masked(std::string_view text);

/// A text of stars and the like, character by character as wide as the given one in bytes, code points and UTF-16
/// units.
std::string veil_over(std::string_view text);

/// The text with a veil over each secret: every place in it stays where it is. Veiling it again changes nothing.
std::string veiled(std::string_view text);

} // namespace padlint
