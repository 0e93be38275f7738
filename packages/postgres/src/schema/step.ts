/**
 * The function that makes a step: it compares all values, then changes all, in one round trip and one transaction. No lock is held during a
 * round trip.
 */
export const step = `
/*
 * One step: all of it, or nothing if something else is there than was expected; then what is there is returned.
 * For each key: what is expected (null: nothing), whether it matters, and what becomes of it (null: nothing, remove,
 * or set and the other ways to an end). Events are added to the log, see watchword.add_events.
 */
CREATE FUNCTION watchword.step(
  step uuid, lasts boolean, moment float8,
  families text[], subjects text[], lastings boolean[], expected bytea[], checked boolean[],
  changes text[], put bytea[], lives float8[],
  times float8[], applications text[], entries text[], counts integer[], equals text[], bodies text[],
  rest_equals text[], rest_bodies text[], too_old float8,
  OUT made boolean, OUT there bytea[], OUT oldest float8, OUT due text
) VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  now float8;
BEGIN
  PERFORM watchword.lock(array_agg(lasting || family || ':' || subject))
    FROM unnest(families, subjects, lastings) AS k(family, subject, lasting);
  now := watchword.clock(moment);
  SELECT bool_and(NOT matters OR kept.value IS NOT DISTINCT FROM thought), array_agg(kept.value ORDER BY n)
    INTO made, there
    FROM unnest(families, subjects, lastings, expected, checked) WITH ORDINALITY
      AS k(family, subject, lasting, thought, matters, n)
    LEFT JOIN watchword.kept
      ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now;
  made := coalesce(made, true);
  IF NOT made THEN RETURN; END IF;
  there := NULL;
  IF NOT lasts THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  IF step IS NOT NULL THEN INSERT INTO watchword.steps VALUES (lasts, step, clock_timestamp(), false); END IF;
  IF 'remove' = ANY (changes) THEN
    DELETE FROM watchword.kept
      USING unnest(families, subjects, lastings, changes) AS k(family, subject, lasting, change)
      WHERE change = 'remove'
        AND (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting);
  END IF;
  IF array_length(array_remove(array_remove(changes, NULL), 'remove'), 1) > 0 THEN
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
