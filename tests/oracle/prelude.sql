-- What the scripts have in common. Sessions beside the script's own are connections of dblink, by name.
CREATE ROLE keeper SUPERUSER LOGIN;
CREATE EXTENSION dblink;

CREATE PROCEDURE session(name text, connection text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM dblink_connect(name, connection);
END $$;

-- The first answer to a command in that session.
CREATE FUNCTION ask(session text, command text) RETURNS text LANGUAGE sql AS
'SELECT answer FROM dblink(session, command) AS answers(answer text)';

CREATE PROCEDURE run(session text, command text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask(session, command);
END $$;

-- The SQLSTATE with which that session refuses a command; empty when it does not.
CREATE FUNCTION refused(session text, command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask(session, command);
  RETURN '';
EXCEPTION WHEN query_canceled OR OTHERS THEN
  RETURN SQLSTATE;
END $$;

-- Whether a session of this database got that warning; a line of the server's log begins with the database.
CREATE FUNCTION warned(log text, warning text) RETURNS bool LANGUAGE sql AS
$$SELECT pg_read_file(log) LIKE '%' || current_database() || ' WARNING:  ' || warning || '%'$$;

-- How many advisory locks are held in this database, by anybody; and by the session that asks.
CREATE FUNCTION held() RETURNS bigint LANGUAGE sql AS
$$SELECT count(*) FROM pg_locks
  WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())$$;
CREATE FUNCTION held_here() RETURNS bigint LANGUAGE sql AS
$$SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()$$;

-- The rows that a query returns and the keys that it locks meanwhile.
CREATE FUNCTION taken(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  returned bigint;
  locked bigint;
BEGIN
  EXECUTE query;
  GET DIAGNOSTICS returned = ROW_COUNT;
  locked := held_here();
  PERFORM pg_advisory_unlock_all();
  RETURN format('%s rows, %s locks', returned, locked);
END $$;

-- 1,000 parcels, of which 100 are ready.
CREATE TABLE parcel (id bigint PRIMARY KEY, place int, state text);
INSERT INTO parcel SELECT i, (i * 37) % 1000, CASE WHEN i % 10 = 0 THEN 'ready' ELSE 'done' END
FROM generate_series(1, 1000) i;
ANALYZE parcel;
