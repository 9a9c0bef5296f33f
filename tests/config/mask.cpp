#include "analyzer/core/mask.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

TEST(Mask, PasswordsOfUrls) {
  EXPECT_EQ(masked("db = \"postgres://web:s3cret@db:5432/shop\""), "db = \"postgres://web:***@db:5432/shop\"");
  EXPECT_EQ(masked("a redis://:pw@r b postgresql+asyncpg://u:p@h/d"),
            "a redis://:***@r b postgresql+asyncpg://u:***@h/d");
  EXPECT_EQ(masked("postgres://u:p/w@h/d"), "postgres://u:***@h/d");
  EXPECT_EQ(masked("postgres://u:p@w@h/d"), "postgres://u:***@h/d");
  EXPECT_EQ(masked("postgres://u:${PASS}@h/d"), "postgres://u:${PASS}@h/d");
}

TEST(Mask, ValuesOfPasswordLikeKeys) {
  EXPECT_EQ(masked("host=h password=abc user=u"), "host=h password=*** user=u");
  EXPECT_EQ(masked("PGPASSWORD='a b' psql"), "PGPASSWORD='***' psql");
  EXPECT_EQ(masked("{\"db_password\": \"a\\\"b\", \"x\": 1}"), "{\"db_password\": \"***\", \"x\": 1}");
  EXPECT_EQ(masked("?user=u&password=abc&sslmode=require"), "?user=u&password=***&sslmode=require");
  EXPECT_EQ(masked(":password => 'abc',"), ":password => '***',");
  EXPECT_EQ(masked("pwd := \"abc\""), "pwd := \"***\"");
  EXPECT_EQ(masked("CREATE ROLE r PASSWORD 'abc' LOGIN"), "CREATE ROLE r PASSWORD '***' LOGIN");
  EXPECT_EQ(masked("DB_PASS=abc\npass: 'def'\n"), "DB_PASS=***\npass: '***'\n");
  EXPECT_EQ(masked("SECRET_KEY_BASE=abc AWS_SECRET_ACCESS_KEY: def"), "SECRET_KEY_BASE=*** AWS_SECRET_ACCESS_KEY: ***");
  EXPECT_EQ(masked("API_KEY=abc\nSECRET=def\n"), "API_KEY=***\nSECRET=***\n");
}

TEST(Mask, AVeilKeepsEveryPlace) {
  EXPECT_EQ(veiled("a postgres://u:p/w@h/d b"), "a postgres://u:***@h/d b");
  EXPECT_EQ(veiled("password='h\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xE4'"),
            "password='*\xC3\x97\xE2\x80\xA2\xF0\x9F\x94\x92*'");
  for (const std::string_view text : {"password=\"a\\\"b\", x", "postgres://u:p@w/@h/d", "PWD := 'abc'", "no secret"})
    EXPECT_EQ(veiled(veiled(text)), veiled(text));
}

TEST(Mask, OtherTextStays) {
  for (std::string_view text :
       {"", "password", "password=", "the password is wrong", "PASSWORD_FILE=/run/x", "passwords=3",
        "http://host:80/path", "a://", "SELECT pg_advisory_lock(hashtext('secret'))", "password=${PW}", "compass: 3",
        "if x: pass", "password: {{ pw }}", "://u:p@h"})
    EXPECT_EQ(masked(text), text);
}

} // namespace
} // namespace padlint
