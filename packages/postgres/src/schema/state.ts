/**
 * The shared state of the nodes: values with an end, under keys `family:subject`. Durable values are in one partition, ephemeral ones in an
 * unlogged one, so one step reads both. The primary key begins with the subject (a user or a token), by which `watchword.store` can be sharded.
 */
export const state = `
CREATE TABLE watchword.kept (
  lasting boolean NOT NULL,
  subject text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  value bytea NOT NULL,
  -- Milliseconds since 1970. No index: it changes with nearly every write, which would touch every index then.
  ends float8 NOT NULL,
  PRIMARY KEY (subject, family, lasting)
) PARTITION BY LIST (lasting);
CREATE TABLE watchword.store PARTITION OF watchword.kept FOR VALUES IN (true) WITH (fillfactor = 70);
CREATE UNLOGGED TABLE watchword.momentary PARTITION OF watchword.kept FOR VALUES IN (false) WITH (fillfactor = 50);
CREATE INDEX ON watchword.kept (family, subject);

-- Every step that has changed something, for who has lost the answer. One that is void never can be made any more.
CREATE TABLE watchword.steps (
  lasting boolean NOT NULL,
  id uuid NOT NULL,
  made timestamptz NOT NULL,
  void boolean NOT NULL,
  PRIMARY KEY (id, lasting)
) PARTITION BY LIST (lasting);
CREATE TABLE watchword.lasting_steps PARTITION OF watchword.steps FOR VALUES IN (true);
-- It is lost together with what such steps have changed: who asks then makes them again.
CREATE UNLOGGED TABLE watchword.momentary_steps PARTITION OF watchword.steps FOR VALUES IN (false);

-- One row, which is written to see that rows can be.
CREATE TABLE watchword.probes (id integer PRIMARY KEY, made timestamptz NOT NULL);

-- The end of a value. keep: as it was; least: the earlier one; claim: as it was, if that is later by next to nothing.
CREATE FUNCTION watchword.end_of(change text, before float8, latest float8, seconds float8) RETURNS float8
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT CASE change
    WHEN 'keep' THEN coalesce(before, latest)
    WHEN 'least' THEN least(before, latest)
    WHEN 'claim' THEN CASE WHEN latest >= before AND latest - before <= seconds THEN before ELSE latest END
    ELSE latest
  END
$$;

-- One clock for all nodes, in milliseconds since 1970; tests hand in another.
CREATE FUNCTION watchword.clock(given float8) RETURNS float8
VOLATILE LANGUAGE sql AS $$ SELECT coalesce(given, extract(epoch FROM clock_timestamp())::float8 * 1000) $$;

-- The keys, in one order for all: no two steps wait for each other. A row that is not there is locked, too.
CREATE FUNCTION watchword.lock(names text[]) RETURNS void
VOLATILE LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(number)
  FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest(names) AS name ORDER BY 1) AS ordered
$$;

-- Whether a step was made. It waits for one that is under way; one that was not made never will be.
CREATE FUNCTION watchword.was_made(step uuid, lasts boolean) RETURNS boolean
VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO watchword.steps VALUES (lasts, step, clock_timestamp(), true) ON CONFLICT DO NOTHING;
  RETURN (SELECT NOT void FROM watchword.steps WHERE id = step AND lasting = lasts);
END
$$;

/*
 * Looks at some values after a place and removes those that are over, and some steps that nobody asks of any more; returns
 * the next place, null at the end. It waits for nobody.
 */
CREATE FUNCTION watchword.sweep(
  moment float8, most integer, INOUT after_subject text, INOUT after_family text
) VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  now float8 := watchword.clock(moment);
  last_subject text COLLATE "C";
  last_family text COLLATE "C";
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM watchword.steps USING (
    SELECT id, lasting
    FROM (SELECT id, lasting, made FROM watchword.steps ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED) AS first
    WHERE made < clock_timestamp() - interval '1 hour'
  ) AS old WHERE (steps.id, steps.lasting) = (old.id, old.lasting);
  SELECT subject, family INTO last_subject, last_family FROM watchword.kept
    WHERE (subject, family) > (after_subject, after_family)
    ORDER BY subject, family OFFSET most - 1 LIMIT 1;
  DELETE FROM watchword.kept USING (
    SELECT lasting, subject, family FROM watchword.kept
    WHERE (subject, family) > (after_subject, after_family)
      AND (last_subject IS NULL OR (subject, family) <= (last_subject, last_family))
      AND ends <= now
    FOR UPDATE SKIP LOCKED
  ) AS gone
    WHERE (kept.subject, kept.family, kept.lasting) = (gone.subject, gone.family, gone.lasting) AND kept.ends <= now;
  after_subject := last_subject;
  after_family := last_family;
END
$$;
`;
