#include "analyzer/config/config.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace padlint {
namespace {

/// A line a fact, `[section] target.setting = value <the text of its span>`, then a line a Notice.
std::string printed(std::string_view path, std::string_view text) {
  const FileFacts facts = read_config_file(7, path, config_kind(path), text);
  std::string out;
  const auto source = [&](const Span& span) { return text.substr(span.begin, span.end - span.begin); };
  for (const ConfigFact& fact : facts.configs) {
    EXPECT_EQ(fact.span.file, 7U);
    out +=
        fmt::format("[{}] {}.{} = {} <{}>\n", fact.section, fact.target, fact.setting, fact.value, source(fact.span));
  }
  for (const Notice& notice : facts.notices) {
    EXPECT_EQ(notice.path, path);
    out += fmt::format("{}: {} <{}>\n", notice.id, notice.text, source(notice.span));
  }
  return out;
}

std::string pgbouncer(std::string_view text) { return printed("pgbouncer.ini", text); }
std::string env(std::string_view text) { return printed(".env", text); }

TEST(ConfigKind, IsInTheName) {
  EXPECT_EQ(config_kind("pgbouncer.ini"), "pgbouncer");
  EXPECT_EQ(config_kind("deploy/pgbouncer-prod.ini"), "pgbouncer");
  EXPECT_EQ(config_kind("roles/pooler/templates/pgbouncer.ini.j2"), "pgbouncer");
  EXPECT_EQ(config_kind("config/pgbouncer.ini.erb"), "pgbouncer");
  EXPECT_EQ(config_kind("php.ini"), "");
  EXPECT_EQ(config_kind(".env"), "env");
  EXPECT_EQ(config_kind("web/.env.production"), "env");
  EXPECT_EQ(config_kind("deploy/prod.env"), "env");
  EXPECT_EQ(config_kind("deploy/prod.env.j2"), "env");
  EXPECT_EQ(config_kind("src/environment.py"), "");
  EXPECT_EQ(config_kind(".envrc"), "");
  EXPECT_EQ(config_kind("env"), "");
  EXPECT_EQ(config_kind("docker-compose.yml"), "compose");
  EXPECT_EQ(config_kind("deploy/docker-compose.prod.yaml"), "compose");
  EXPECT_EQ(config_kind("compose.yaml"), "compose");
  EXPECT_EQ(config_kind("composer.json"), "");
}

TEST(Compose, ServicesHaveAnImageAndVariables) {
  EXPECT_EQ(printed("compose.yaml", "services:\n"
                                    "  pool: {image: 'edoburu/pgbouncer:1', environment: {POOL_MODE: transaction}}\n"
                                    "  web:\n"
                                    "    build: .\n"
                                    "    environment: [ 'A=b=c', HOME, \"URL=${URL:-x}\" ]\n"
                                    "  broken: 3\n"),
            "[services] pool.image = edoburu/pgbouncer:1 <edoburu/pgbouncer:1>\n"
            "[services] pool.POOL_MODE = transaction <transaction>\n"
            "[services] web.image =  <web>\n"
            "[services] web.A = b=c <A=b=c>\n"
            "[services] web.URL = ${URL:-x} <URL=${URL:-x}>\n"
            "[services] broken.image =  <broken>\n");
  EXPECT_EQ(printed("compose.yaml", "services: [ web ]\nenvironment: {A: b}\n"), "");
}

TEST(Environment, ComesFromNameOrFolder) {
  const auto environment = [](std::string_view path) {
    const FileFacts facts = read_config_file(0, path, "env", "A=1\n");
    return facts.configs.at(0).environment;
  };
  EXPECT_EQ(environment(".env"), "");
  EXPECT_EQ(environment(".env.production"), "production");
  EXPECT_EQ(environment(".env.production.local"), "production");
  EXPECT_EQ(environment(".env.local"), "development");
  EXPECT_EQ(environment(".env.example"), "example");
  EXPECT_EQ(environment(".env.production.sample"), "example");
  EXPECT_EQ(environment(".env.test"), "test");
  EXPECT_EQ(environment("deploy/prod.env"), "production");
  EXPECT_EQ(environment("deploy/staging/.env"), "staging");
  EXPECT_EQ(environment("staging/web/.env"), "staging");
  EXPECT_EQ(environment("staging/.env.test"), "test");
  EXPECT_EQ(environment("usr/local/etc/web.env"), "");
}

TEST(Pgbouncer, SectionsAndEntries) {
  EXPECT_EQ(pgbouncer("[databases]\n"
                      "shop = host=db.internal port=5432 dbname='the ''shop'''\n"
                      "shop_jobs = pool_mode=session\n"
                      "* = host=other\n"
                      "[users]\n"
                      "migrator = pool_mode=session\n"
                      "[pgbouncer]\n"
                      "  pool_mode = Transaction\n"
                      "pool_mode=session\n"
                      "server_reset_query = SELECT pg_advisory_unlock_all()"),
            "[databases] shop. = host=db.internal port=5432 dbname='the ''shop''' "
            "<shop = host=db.internal port=5432 dbname='the ''shop'''>\n"
            "[databases] shop.host = db.internal <host=db.internal>\n"
            "[databases] shop.port = 5432 <port=5432>\n"
            "[databases] shop.dbname = the 'shop' <dbname='the ''shop'''>\n"
            "[databases] shop_jobs. = pool_mode=session <shop_jobs = pool_mode=session>\n"
            "[databases] shop_jobs.pool_mode = session <pool_mode=session>\n"
            "[databases] *. = host=other <* = host=other>\n"
            "[databases] *.host = other <host=other>\n"
            "[users] migrator. = pool_mode=session <migrator = pool_mode=session>\n"
            "[users] migrator.pool_mode = session <pool_mode=session>\n"
            "[pgbouncer] .pool_mode = Transaction <pool_mode = Transaction>\n"
            "[pgbouncer] .pool_mode = session <pool_mode=session>\n"
            "[pgbouncer] .server_reset_query = SELECT pg_advisory_unlock_all() "
            "<server_reset_query = SELECT pg_advisory_unlock_all()>\n");
}

TEST(Pgbouncer, CommentsStandAtTheBeginningOfALineOnly) {
  EXPECT_EQ(pgbouncer("[pgbouncer]\n; pool_mode = session\n # pool_mode = session\npool_mode = transaction  # fast\n"),
            "[pgbouncer] .pool_mode = transaction  # fast <pool_mode = transaction  # fast>\n");
}

TEST(Pgbouncer, QuotesAreNoQuotesInSettings) {
  EXPECT_EQ(pgbouncer("[pgbouncer]\npool_mode = \"transaction\"\n"),
            "[pgbouncer] .pool_mode = \"transaction\" <pool_mode = \"transaction\">\n");
}

TEST(Pgbouncer, QuotedNamesOfDatabases) {
  EXPECT_EQ(pgbouncer("[databases]\n\"my \"\"app\"\" db\" = host=a\n"),
            "[databases] my \"app\" db. = host=a <\"my \"\"app\"\" db\" = host=a>\n"
            "[databases] my \"app\" db.host = a <host=a>\n");
}

TEST(Pgbouncer, IncludesAndSettingsBesideTheirSection) {
  EXPECT_EQ(pgbouncer("%include /etc/pgbouncer/more.ini\n[pgbouncer] pool_mode = statement\r\n"),
            "[] .%include = /etc/pgbouncer/more.ini <%include /etc/pgbouncer/more.ini>\n"
            "[pgbouncer] .pool_mode = statement <pool_mode = statement>\n");
}

TEST(Pgbouncer, BrokenLinesAreNoticesAndCostOnlyThemselves) {
  EXPECT_EQ(pgbouncer("early = 1\n[pgbouncer\n[settings]\ndefault_pool_mode = session\n[pgbouncer]\npool mode = x\n"
                      "pool_mode = session\n[databases]\na = host=b port\nb = host='open\n"),
            "[pgbouncer] .pool_mode = session <pool_mode = session>\n"
            "[databases] a. = host=b port <a = host=b port>\n"
            "[databases] a.host = b <host=b>\n"
            "[databases] b. = host='open <b = host='open>\n"
            "config-syntax: this setting stands before the first section: PgBouncer refuses to start <early = 1>\n"
            "config-syntax: this section's name has no closing bracket <[pgbouncer>\n"
            "config-syntax: PgBouncer has no section of this name: its settings are not used <[settings]>\n"
            "config-syntax: not a `name = value` line: PgBouncer refuses to start <pool mode = x>\n"
            "config-syntax: not a `keyword=value` of a connection string: PgBouncer refuses to start <port>\n"
            "config-syntax: not a `keyword=value` of a connection string: PgBouncer refuses to start <host='open>\n");
}

TEST(Pgbouncer, TemplatesKeepTheirExpressions) {
  EXPECT_EQ(printed("templates/pgbouncer.ini.j2", "[databases]\n"
                                                  "{% for db in databases %}\n"
                                                  "{{ db.name }} = host={{ db.host | default('x') }} port=5432\n"
                                                  "{% endfor %}\n"
                                                  "[pgbouncer]\n"
                                                  "pool_mode = {{ pool_mode }}\n"
                                                  "{{ extra }} and more\n"),
            "[databases] {{ db.name }}. = host={{ db.host | default('x') }} port=5432 "
            "<{{ db.name }} = host={{ db.host | default('x') }} port=5432>\n"
            "[databases] {{ db.name }}.host = {{ db.host | default('x') }} <host={{ db.host | default('x') }}>\n"
            "[databases] {{ db.name }}.port = 5432 <port=5432>\n"
            "[pgbouncer] .pool_mode = {{ pool_mode }} <pool_mode = {{ pool_mode }}>\n");
}

TEST(Env, FormsOfALine) {
  EXPECT_EQ(env("# comment\nA=1\nexport B = two words # comment\nC: 3\nD=\nE=a#b\n  F=${A}/x\nexport A\n"),
            "[] .A = 1 <1>\n"
            "[] .B = two words <two words>\n"
            "[] .C = 3 <3>\n"
            "[] .D =  <>\n"
            "[] .E = a#b <a#b>\n"
            "[] .F = ${A}/x <${A}/x>\n");
}

TEST(Env, Quotes) {
  EXPECT_EQ(env("A='a # b' # c\nB=\"x\\ny \\\"z\\\"\"\nC=`tick`\nD=\"one\ntwo\"\nE=\"open\nF='a'b\n"),
            "[] .A = a # b <a # b>\n"
            "[] .B = x\ny \"z\" <x\\ny \\\"z\\\">\n"
            "[] .C = tick <tick>\n"
            "[] .D = one\ntwo <one\ntwo>\n"
            "[] .E = \"open <\"open>\n"
            "[] .F = 'a'b <'a'b>\n");
}

TEST(Env, LinesThatSetNothing) {
  EXPECT_EQ(env("\xEF\xBB\xBF"
                "A=1\r\nset -a\n{{ more }}\nB=2\r\n"),
            "[] .A = 1 <1>\n"
            "[] .B = 2 <2>\n"
            "config-syntax: not a `NAME=value` line <set -a>\n");
}

TEST(ReadConfig, BadInputIsReadToItsEnd) {
  const std::string_view nul("[pgbouncer]\na = 1\n\0b = 2\n", 25);
  EXPECT_TRUE(pgbouncer(nul).starts_with("[pgbouncer] .a = 1 <a = 1>\nconfig-syntax: PgBouncer reads only"))
      << pgbouncer(nul);
  std::string many;
  for (int i = 0; i < 1000; ++i)
    many += "broken\n";
  EXPECT_EQ(read_config_file(0, "pgbouncer.ini", "pgbouncer", many).notices.size(), 21U);
  for (std::string_view piece : {"[", "[a]", "{{", "${", "a=", "a='", "\"", "\xff\xfe", "A=\"", "=", "\0", "://a:"}) {
    std::string huge;
    while (huge.size() < 1'000'000)
      huge += piece.empty() ? std::string_view("\0", 1) : piece;
    for (std::string_view kind : {"pgbouncer", "env"})
      EXPECT_LE(read_config_file(0, "x", kind, huge).notices.size(), 21U) << piece;
    EXPECT_EQ(parse_connection(huge), std::nullopt) << piece;
    EXPECT_FALSE(masked(huge).empty());
  }
}

} // namespace
} // namespace padlint
