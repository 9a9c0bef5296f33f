#include "analyzer/config/config.h"
#include "analyzer/config/keywords.h"

#include <algorithm>
#include <array>
#include <charconv>

// A connection as clients write it: a URL, in libpq's form and in the forms that SQLAlchemy, JDBC and the helpers of
// Django and Ecto made of it, or a string of libpq keywords.
// Source: PostgreSQL manual, "Connection Strings".

namespace padlint {

namespace {

constexpr std::array<std::string_view, 6> schemes = {"postgres", "postgresql", "postgis", "pgsql", "psql", "ecto"};

/// Stands for a stretch that is known at run time only.
constexpr char hole = '\x01';

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// The end of a variable that begins at `at`: `$NAME`, `{name}`, `%(name)s`, `%s`; `at` when there is none.
std::size_t variable_end(std::string_view text, std::size_t at) {
  std::string_view rest = text.substr(at);
  std::size_t begin = rest.starts_with("%(") ? 2 : rest.starts_with('$') || rest.starts_with('{') ? 1 : 0;
  std::size_t end = begin;
  while (end < rest.size() && (is_word(rest[end]) || (end > begin && rest[end] == '.')))
    ++end;
  if (rest.starts_with("%s"))
    return at + 2;
  std::string_view close = rest.starts_with('{') ? "}" : rest.starts_with("%(") ? ")s" : "";
  bool whole = begin > 0 && rest.substr(end).starts_with(close) && (end > begin || rest.starts_with('{'));
  return whole ? at + end + close.size() : at;
}

std::string with_holes(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::max(template_end(text, at), variable_end(text, at));
    result.push_back(end > at ? hole : text[at]);
    at = std::max(end, at + 1);
  }
  return result;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned char byte = 0;
    if (text[at] == '%' && at + 2 < text.size() &&
        std::from_chars(text.data() + at + 1, text.data() + at + 3, byte, 16).ptr == text.data() + at + 3) {
      result.push_back(static_cast<char>(byte));
      at += 2;
    } else {
      result.push_back(text[at]);
    }
  }
  return result;
}

/// The text before the first `mark`, which is taken away from `rest` together with the mark.
std::string_view take_until(std::string_view& rest, char mark) {
  std::size_t at = std::min(rest.find(mark), rest.size());
  std::string_view head = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return head;
}

struct EndpointReader {
  Endpoint endpoint;
  std::string first_host; // with its holes, to compare the others with
  bool host_named = false;

  void set(std::string Endpoint::* part, std::string value) {
    if (value.contains(hole)) {
      value.clear();
      endpoint.confidence = Confidence::likely;
    }
    endpoint.*part = std::move(value);
  }

  /// The first of several values; others that differ make it a guess.
  void set_first(std::string Endpoint::* part, std::string_view list) {
    std::string_view first = take_until(list, ',');
    while (!list.empty())
      if (take_until(list, ',') != first)
        endpoint.confidence = Confidence::likely;
    set(part, std::string(first));
  }

  /// `host`, `host:port` or `[2001:db8::1]:port`.
  void add_host(std::string_view text) {
    std::size_t bracket = text.starts_with('[') ? text.find(']') : std::string_view::npos;
    std::string_view host = text;
    std::string_view port;
    if (bracket != std::string_view::npos) {
      host = text.substr(1, bracket - 1);
      port = text.substr(bracket + 1);
    } else if (std::size_t colon = text.rfind(':'); colon != std::string_view::npos && !text.starts_with('/')) {
      host = text.substr(0, colon);
      port = text.substr(colon);
    }
    port.remove_prefix(port.starts_with(':') ? 1 : 0);
    std::string name = percent_decoded(host);
    if (!host_named) {
      first_host = name;
      set(&Endpoint::host, std::move(name));
      if (!port.empty())
        set(&Endpoint::port, std::string(port));
    } else if (name != first_host) {
      endpoint.confidence = Confidence::likely;
    }
    host_named = true;
  }

  void add_hosts(std::string_view list) {
    while (!list.empty())
      add_host(take_until(list, ','));
  }
};

void read_query(EndpointReader& reader, std::string_view query) {
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    std::string_view key = take_until(value, '=');
    if (value.empty())
      continue;
    if (key == "host")
      reader.add_hosts(percent_decoded(value));
    else if (key == "port")
      reader.set_first(&Endpoint::port, percent_decoded(value));
    else if (key == "dbname")
      reader.set(&Endpoint::database, percent_decoded(value));
    else if (key == "user")
      reader.set(&Endpoint::user, percent_decoded(value));
  }
}

/// Takes `user:password@` away from the front. A password may hold a slash that should have been encoded.
std::string_view take_userinfo(std::string_view& rest) {
  std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
  std::size_t at = rest.substr(0, path).rfind('@');
  if (at == std::string_view::npos && path > 0)
    at = rest.substr(0, rest.find('?')).rfind('@');
  if (at == std::string_view::npos)
    return {};
  std::string_view userinfo = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return userinfo;
}

std::optional<Endpoint> read_url(std::string_view rest) {
  constexpr std::string_view jdbc = "jdbc:";
  bool is_jdbc = rest.starts_with(jdbc);
  rest.remove_prefix(is_jdbc ? jdbc.size() : 0);
  std::string_view scheme = take_until(rest, ':');
  scheme = scheme.substr(0, scheme.find('+'));
  if (std::ranges::find(schemes, scheme) == schemes.end() || rest.find_first_of(" \t\r\n") != std::string_view::npos)
    return std::nullopt;
  EndpointReader reader;
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    std::string_view userinfo = take_userinfo(rest);
    reader.set(&Endpoint::user, percent_decoded(take_until(userinfo, ':')));
    std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    reader.add_hosts(rest.substr(0, end));
    rest.remove_prefix(end);
  } else if (!is_jdbc || rest.empty()) {
    return std::nullopt;
  }
  rest.remove_prefix(rest.starts_with('/') ? 1 : 0);
  std::string_view database = take_until(rest, '?');
  reader.set(&Endpoint::database, percent_decoded(database));
  reader.host_named = reader.host_named && !reader.first_host.empty();
  read_query(reader, rest);
  return reader.endpoint;
}

std::optional<Endpoint> read_keyword_string(std::string_view text) {
  Keywords keywords = read_keywords(text, Quoting::backslash);
  EndpointReader reader;
  bool leads_somewhere = false;
  for (const auto& [key, value, begin, end] : keywords.entries) {
    bool known = true;
    if (key == "host" || (key == "hostaddr" && reader.endpoint.host.empty()))
      reader.set_first(&Endpoint::host, value);
    else if (key == "port")
      reader.set_first(&Endpoint::port, value);
    else if (key == "dbname")
      reader.set(&Endpoint::database, value);
    else if (key == "user")
      reader.set(&Endpoint::user, value);
    else
      known = key == "service";
    leads_somewhere |= known && !value.empty();
    if (!std::ranges::all_of(key, is_word))
      return std::nullopt;
  }
  return leads_somewhere && !keywords.error ? std::optional(reader.endpoint) : std::nullopt;
}

} // namespace

std::optional<Endpoint> parse_connection(std::string_view text) {
  constexpr std::size_t longest_connection = 16384;
  constexpr std::string_view space = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  text = text.substr(0, text.find_last_not_of(space) + 1);
  if (text.empty() || text.size() > longest_connection)
    return std::nullopt;
  std::string known = with_holes(text);
  std::optional<Endpoint> endpoint = read_url(known);
  return endpoint ? endpoint : read_keyword_string(known);
}

} // namespace padlint
