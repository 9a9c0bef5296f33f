#include "analyzer/config/config.h"

#include <gtest/gtest.h>

namespace padlint {
namespace {

/// `user@host:port/database confidence`; empty when the text is no connection.
std::string connection(std::string_view text) {
  const std::optional<Endpoint> endpoint = parse_connection(text);
  return endpoint ? to_text(*endpoint) : "";
}

TEST(Connection, Urls) {
  EXPECT_EQ(connection("postgres://web:s3cret@db.internal:6432/shop"), "web@db.internal:6432/shop");
  EXPECT_EQ(connection("postgresql://db/shop?sslmode=require"), "db:?/shop");
  EXPECT_EQ(connection("postgresql+asyncpg://u:p@h:5432/d"), "u@h:5432/d");
  EXPECT_EQ(connection("postgis://u@h/d"), "u@h:?/d");
  EXPECT_EQ(connection("jdbc:postgresql://h:6432/d?user=u&prepareThreshold=0"), "u@h:6432/d");
  EXPECT_EQ(connection("jdbc:postgresql:d"), "?:?/d");
  EXPECT_EQ(connection("pgsql+advisory://h/d"), "h:?/d");
  EXPECT_EQ(connection(" postgres://h \n"), "h:?/?");
  EXPECT_EQ(connection("postgresql://"), "?:?/?");
}

TEST(Connection, EncodedParts) {
  EXPECT_EQ(connection("postgres://a%40b:p%2Fw@h/my%20db"), "a@b@h:?/my db");
  EXPECT_EQ(connection("postgres://u:p/w@h:1/d"), "u@h:1/d");
  EXPECT_EQ(connection("postgres://u:p@w@h:1/d"), "u@h:1/d");
  EXPECT_EQ(connection("postgres://u@%2Fvar%2Frun%2Fpostgresql/d"), "u@/var/run/postgresql:?/d");
  EXPECT_EQ(connection("postgres://h/100%"), "h:?/100%");
}

TEST(Connection, Hosts) {
  EXPECT_EQ(connection("postgres://[2001:db8::1]:6432/d"), "2001:db8::1:6432/d");
  EXPECT_EQ(connection("postgres://[::1]/d"), "::1:?/d");
  EXPECT_EQ(connection("postgres://a:1,b:2/d"), "a:1/d likely");
  EXPECT_EQ(connection("postgres:///d?host=/tmp&port=6432"), "/tmp:6432/d");
  EXPECT_EQ(connection("postgresql+psycopg2://u@/d?host=h1:5432&host=h2:5433"), "u@h1:5432/d likely");
  EXPECT_EQ(connection("postgres://h/?dbname=d&user=u"), "u@h:?/d");
}

TEST(Connection, RunTimePartsAreUnknown) {
  EXPECT_EQ(connection("postgres://${USER}:${PASS}@${HOST:-a/b}:5432/d"), "?:5432/d likely");
  EXPECT_EQ(connection("postgres://u:$PASS@h:5432/d"), "u@h:5432/d");
  EXPECT_EQ(connection("postgres://u:p@{host}:{port}/{name}"), "u@?:?/? likely");
  EXPECT_EQ(connection("postgres://u:%s@%s/d"), "u@?:?/d likely");
  EXPECT_EQ(connection("postgresql://{{ db_user }}:x@{{ db_host }}:6432/app"), "?:6432/app likely");
  EXPECT_EQ(connection("host=%(host)s port=6432"), "?:6432/? likely");
}

TEST(Connection, KeywordStrings) {
  EXPECT_EQ(connection("host=h port=6432 dbname='my db' user=u password='it\\'s'"), "u@h:6432/my db");
  EXPECT_EQ(connection("dbname = d"), "?:?/d");
  EXPECT_EQ(connection("host=a,b port=1,2"), "a:1/? likely");
  EXPECT_EQ(connection("host=a port=1,1"), "a:1/?");
  EXPECT_EQ(connection("hostaddr=10.0.0.1 dbname=d"), "10.0.0.1:?/d");
  EXPECT_EQ(connection("service=shop"), "?:?/?");
}

TEST(Connection, OtherTexts) {
  for (std::string_view text :
       {"", "postgres", "postgres:", "postgres://a b/c", "mysql://h/d", "cockroachdb://h/d", "https://h/d", "host",
        "host=", "a=b", "host=h SELECT 1", "host='open", "SELECT host = 1", "user.name=x", "postgres:d"})
    EXPECT_EQ(connection(text), "") << text;
}

} // namespace
} // namespace padlint
