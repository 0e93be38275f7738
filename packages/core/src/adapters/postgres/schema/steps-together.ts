/** Several steps in one round trip and one transaction, each of which is made or not by itself. */
export const stepsTogether = `
/*
 * As watchword.step, which nodes of an earlier version go on using; no two steps have a key in common. Keys and events say
 * of which step they are, the first of which is number 1. A step is not made if something else is there than it expects: it is
 * one of the wrong ones then, and what is there of all keys is returned.
 */
CREATE FUNCTION watchword.steps_together(
  ids uuid[], lasts boolean, moment float8,
  owners integer[], families text[], subjects text[], lastings boolean[], expected bytea[], checked boolean[],
  changes text[], put bytea[], lives float8[],
  event_owners integer[], times float8[], applications text[], entries text[], counts integer[], equals text[], bodies text[],
  rest_equals text[], rest_bodies text[], too_old float8,
  OUT wrong integer[], OUT there bytea[], OUT oldest float8, OUT due text
) VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  now float8;
BEGIN
  -- All that any step locks, at once: in one order for all.
  PERFORM watchword.lock(array_remove(equals || rest_equals, NULL) || array(
    SELECT lasting || family || ':' || subject FROM unnest(families, subjects, lastings) AS k(family, subject, lasting)));
  now := watchword.clock(moment);
  SELECT array_agg(DISTINCT owner) INTO wrong
    FROM unnest(owners, families, subjects, lastings, expected, checked)
      AS k(owner, family, subject, lasting, thought, matters)
    LEFT JOIN watchword.kept
      ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now
    WHERE matters AND kept.value IS DISTINCT FROM thought;
  IF wrong IS NOT NULL THEN
    SELECT array_agg(kept.value ORDER BY n) INTO there
      FROM unnest(families, subjects, lastings) WITH ORDINALITY AS k(family, subject, lasting, n)
      LEFT JOIN watchword.kept
        ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now;
    IF cardinality(wrong) = cardinality(ids) THEN RETURN; END IF;
    -- The others go on.
    SELECT array_agg(id) INTO ids
      FROM unnest(ids) WITH ORDINALITY AS s(id, owner) WHERE owner <> ALL (wrong);
    SELECT array_agg(family ORDER BY n), array_agg(subject ORDER BY n), array_agg(lasting ORDER BY n),
        array_agg(change ORDER BY n), array_agg(value ORDER BY n), array_agg(life ORDER BY n)
      INTO families, subjects, lastings, changes, put, lives
      FROM unnest(owners, families, subjects, lastings, changes, put, lives) WITH ORDINALITY
        AS k(owner, family, subject, lasting, change, value, life, n)
      WHERE owner <> ALL (wrong);
    SELECT array_agg(e.at ORDER BY n), array_agg(application ORDER BY n), array_agg(entry ORDER BY n),
        array_agg(count ORDER BY n), array_agg(equal ORDER BY n), array_agg(body ORDER BY n),
        array_agg(rest_equal ORDER BY n), array_agg(rest_body ORDER BY n)
      INTO times, applications, entries, counts, equals, bodies, rest_equals, rest_bodies
      FROM unnest(event_owners, times, applications, entries, counts, equals, bodies, rest_equals, rest_bodies)
        WITH ORDINALITY AS e(owner, at, application, entry, count, equal, body, rest_equal, rest_body, n)
      WHERE owner <> ALL (wrong);
  END IF;
  IF NOT lasts THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
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
END
$$;
`;
