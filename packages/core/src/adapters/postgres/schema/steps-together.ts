/** Several steps in one round trip and one transaction, each of which is made or not by itself. */
export const stepsTogether = `
-- As before, but planned once for as long as a connection lives.
CREATE OR REPLACE FUNCTION watchword.lock(names text[]) RETURNS void
VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(names) = 0 THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(number)
    FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest(names) AS name ORDER BY 1) AS ordered;
END
$$;

/*
 * As watchword.step, which nodes of an earlier version go on using; no two steps have a key in common. Keys are
 * {"of", "family", "subject", "lasting", "matters", "thought", "change", "value", "life"}, events {"of", "time", "application",
 * "entry", …}, with "of" the step, from 1, and bytes hexadecimal: many parameters cost the node more than what is done with
 * them. A step is not made if something else is there than it expects: it is one of the wrong ones then, and what is there of
 * all keys comes back. Null: all were made, and there is nothing to tell.
 */
CREATE FUNCTION watchword.steps_together(
  ids uuid[], lasts boolean, moment float8, keys json, events json, too_old float8
) RETURNS json
VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  owners integer[]; families text[]; subjects text[]; lastings boolean[]; expected bytea[]; checked boolean[];
  changes text[]; put bytea[]; lives float8[];
  event_owners integer[]; times float8[]; applications text[]; entries text[]; counts integer[]; equals text[];
  bodies text[]; rest_equals text[]; rest_bodies text[];
  now float8;
  setting text;
  wrong integer[];
  there text[];
  oldest float8;
  due text;
BEGIN
  SELECT array_agg(k.of), array_agg(family), array_agg(subject), array_agg(lasting), array_agg(decode(thought, 'hex')),
      array_agg(matters), array_agg(change), array_agg(decode(value, 'hex')), array_agg(life)
    INTO owners, families, subjects, lastings, expected, checked, changes, put, lives
    FROM json_to_recordset(keys) AS k("of" integer, family text, subject text, lasting boolean, matters boolean,
      thought text, change text, value text, life float8);
  IF events IS NOT NULL THEN
    SELECT array_agg(e.of), array_agg(e.time), array_agg(application), array_agg(entry), array_agg(count), array_agg(equal),
        array_agg(body), array_agg(rest_equal), array_agg(rest_body)
      INTO event_owners, times, applications, entries, counts, equals, bodies, rest_equals, rest_bodies
      FROM json_to_recordset(events) AS e("of" integer, "time" float8, application text, entry text, count integer,
        equal text, body text, rest_equal text, rest_body text);
  END IF;
  -- All that any step locks, at once: in one order for all.
  PERFORM pg_advisory_xact_lock(number) FROM (
    SELECT DISTINCT hashtextextended(name, 0) AS number FROM (
      SELECT lasting || family || ':' || subject FROM unnest(families, subjects, lastings) AS k(family, subject, lasting)
      UNION ALL SELECT unnest(equals) UNION ALL SELECT unnest(rest_equals)
    ) AS named(name) WHERE name IS NOT NULL ORDER BY 1
  ) AS ordered;
  now := watchword.clock(moment);
  SELECT array_agg(DISTINCT owner) INTO wrong
    FROM unnest(owners, families, subjects, lastings, expected, checked)
      AS k(owner, family, subject, lasting, thought, matters)
    LEFT JOIN watchword.kept
      ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now
    WHERE matters AND kept.value IS DISTINCT FROM thought;
  IF wrong IS NOT NULL THEN
    SELECT array_agg(encode(kept.value, 'hex') ORDER BY n) INTO there
      FROM unnest(families, subjects, lastings) WITH ORDINALITY AS k(family, subject, lasting, n)
      LEFT JOIN watchword.kept
        ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now;
    IF cardinality(wrong) = cardinality(ids) THEN
      RETURN json_build_object('wrong', wrong, 'there', there);
    END IF;
    -- The others go on.
    SELECT array_agg(id) INTO ids
      FROM unnest(ids) WITH ORDINALITY AS s(id, owner) WHERE owner <> ALL (wrong);
    SELECT array_agg(family), array_agg(subject), array_agg(lasting), array_agg(change), array_agg(value), array_agg(life)
      INTO families, subjects, lastings, changes, put, lives
      FROM unnest(owners, families, subjects, lastings, changes, put, lives)
        AS k(owner, family, subject, lasting, change, value, life)
      WHERE owner <> ALL (wrong);
    SELECT array_agg(e.time ORDER BY n), array_agg(application ORDER BY n), array_agg(entry ORDER BY n),
        array_agg(count ORDER BY n), array_agg(equal ORDER BY n), array_agg(body ORDER BY n),
        array_agg(rest_equal ORDER BY n), array_agg(rest_body ORDER BY n)
      INTO times, applications, entries, counts, equals, bodies, rest_equals, rest_bodies
      FROM unnest(event_owners, times, applications, entries, counts, equals, bodies, rest_equals, rest_bodies)
        WITH ORDINALITY AS e(owner, "time", application, entry, count, equal, body, rest_equal, rest_body, n)
      WHERE owner <> ALL (wrong);
  END IF;
  IF NOT lasts THEN setting := set_config('synchronous_commit', 'off', true); END IF;
  INSERT INTO watchword.steps
    SELECT lasts, id, clock_timestamp(), false FROM unnest(ids) AS id WHERE id IS NOT NULL;
  IF 'remove' = ANY (changes) THEN
    DELETE FROM watchword.kept
      USING unnest(families, subjects, lastings, changes) AS k(family, subject, lasting, change)
      WHERE change = 'remove'
        AND (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting);
  END IF;
  IF cardinality(array_remove(array_remove(changes, NULL), 'remove')) > 0 THEN
    INSERT INTO watchword.kept AS it (lasting, subject, family, value, ends)
      SELECT k.lasting, k.subject, k.family, k.value, watchword.end_of(change, kept.ends, now + life * 1000, life)
      FROM unnest(families, subjects, lastings, changes, put, lives)
        AS k(family, subject, lasting, change, value, life)
      LEFT JOIN watchword.kept
        ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now
      WHERE change <> 'remove'
      ON CONFLICT (subject, family, lasting) DO UPDATE SET value = excluded.value, ends = excluded.ends
        WHERE (it.value, it.ends) IS DISTINCT FROM (excluded.value, excluded.ends);
  END IF;
  IF cardinality(times) > 0 THEN
    SELECT e.oldest, e.due INTO oldest, due FROM watchword.add_events(times, applications, entries, counts, equals, bodies,
      rest_equals, rest_bodies, too_old) AS e;
  END IF;
  IF wrong IS NULL AND oldest IS NULL AND due IS NULL THEN RETURN NULL; END IF;
  RETURN json_build_object('wrong', wrong, 'there', there, 'oldest', oldest, 'due', due);
END
$$;
`;
