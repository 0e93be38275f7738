/**
 * The function that makes several steps in one transaction, each of which succeeds or fails on its own. Statements in a function cost more than
 * their rows, so there are few.
 */
export const stepsTogether = `
-- As before, but planned once for as long as a connection lives.
CREATE OR REPLACE FUNCTION watchword.lock(names text[]) RETURNS void
VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(number)
    FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest(names) AS name ORDER BY 1) AS ordered;
END
$$;

-- As before, in fewer statements. What runs at this moment may still call watchword.link.
CREATE OR REPLACE FUNCTION watchword.add_events(
  times float8[], applications text[], entries text[], counts integer[], equals text[], bodies text[],
  rest_equals text[], rest_bodies text[], too_old float8, OUT oldest float8, OUT due text
) VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  named text[] := array_remove(equals || rest_equals, NULL);
  lane watchword.lanes;
  place record;
  is_rest boolean;
  line text;
BEGIN
  IF cardinality(named) > 0 THEN PERFORM watchword.lock(named); END IF;
  FOR n IN 1 .. cardinality(times) LOOP
    is_rest := false;
    IF equals[n] IS NOT NULL THEN
      place := watchword.place_refusal(times[n], applications[n], counts[n], equals[n], rest_equals[n]);
      CONTINUE WHEN place.is_counted;
      is_rest := place.is_rest;
    END IF;
    IF lane.chain IS NULL THEN
      SELECT * INTO lane FROM watchword.lanes ORDER BY chain LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN lane := watchword.take_lane(); END IF;
    END IF;
    -- The next record of the lane: in the very bytes of ports/event-log/chain.ts.
    lane.number := lane.number + 1;
    line := '{"chain":"' || lane.chain || '","number":' || lane.number || ',"previous":"' || lane.hash || '","event":'
      || CASE WHEN is_rest THEN rest_bodies[n] ELSE bodies[n] END || '}';
    lane.hash := encode(sha256(convert_to(line, 'UTF8')), 'hex');
    INSERT INTO watchword.events (time, count, application, entry, equal, chain, number, hash, record)
      VALUES (times[n], counts[n], applications[n], CASE WHEN NOT is_rest THEN entries[n] END,
        CASE WHEN is_rest THEN rest_equals[n] ELSE equals[n] END, lane.chain, lane.number, lane.hash, line);
    IF lane.checkpoint_number IS NULL OR lane.number - lane.checkpoint_number >= 1000
      OR abs(times[n] - lane.checkpoint_time) >= 3600000 THEN due := lane.chain; END IF;
  END LOOP;
  IF lane.chain IS NOT NULL THEN
    UPDATE watchword.lanes SET number = lane.number, hash = lane.hash WHERE chain = lane.chain;
  END IF;
  IF too_old IS NOT NULL THEN oldest := watchword.remove_old(too_old); END IF;
END
$$;

/*
 * As watchword.step, which nodes of an earlier version go on using: of two that wait for each other's keys the database ends one,
 * which tries again. No two steps have a key in common that one of them changes, and the keys
 * come in one order for all: {"of", "family", "subject", "lasting", "matters", "thought", "change", "value", "life"}; events are {"of", "time",
 * "application", "entry", …}, with "of" the step, from 1, and bytes hexadecimal: many parameters cost the node more than
 * what is done with them. A step is not made if something else is there than it expects: it is one of the wrong ones then, and
 * what is there of all keys comes back. Null: all were made, and there is nothing to tell.
 */
CREATE FUNCTION watchword.steps_together(
  ids uuid[], lasts boolean, moment float8, keys json, events json, too_old float8
) RETURNS json
-- To plan costs more than what is planned. The sweeper, which is another function, needs plans for its bounds.
VOLATILE LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owners integer[]; families text[]; subjects text[]; lastings boolean[]; expected bytea[]; checked boolean[];
  changes text[]; put bytea[]; lives float8[]; ends_before float8[];
  event_owners integer[]; times float8[]; applications text[]; entries text[]; counts integer[]; equals text[];
  bodies text[]; rest_equals text[]; rest_bodies text[];
  puts_lasting boolean; puts_momentary boolean; drops_lasting boolean; drops_momentary boolean;
  now float8;
  nothing text;
  wrong integer[];
  there text[];
  oldest float8;
  due text;
BEGIN
  SELECT array_agg(k.of), array_agg(family), array_agg(subject), array_agg(lasting), array_agg(decode(thought, 'hex')),
      array_agg(matters), array_agg(change), array_agg(decode(value, 'hex')), array_agg(life),
      bool_or(lasting AND change <> 'remove'), bool_or(NOT lasting AND change <> 'remove'),
      bool_or(lasting AND change = 'remove'), bool_or(NOT lasting AND change = 'remove')
    INTO owners, families, subjects, lastings, expected, checked, changes, put, lives,
      puts_lasting, puts_momentary, drops_lasting, drops_momentary
    FROM json_to_recordset(keys) AS k("of" integer, family text, subject text, lasting boolean, matters boolean,
      thought text, change text, value text, life float8);
  FOR n IN 1 .. coalesce(cardinality(families), 0) LOOP
    -- A row that is not there is locked, too. What is only looked at may be looked at by others, too: some of it is everybody's.
    IF changes[n] IS NULL THEN
      nothing := pg_advisory_xact_lock_shared(hashtextextended(lastings[n] || families[n] || ':' || subjects[n], 0))::text;
    ELSE
      nothing := pg_advisory_xact_lock(hashtextextended(lastings[n] || families[n] || ':' || subjects[n], 0))::text;
    END IF;
  END LOOP;
  now := watchword.clock(moment);
  SELECT array_agg(owner) FILTER (WHERE matters AND kept.value IS DISTINCT FROM thought), array_agg(kept.ends ORDER BY n)
    INTO wrong, ends_before
    FROM unnest(owners, families, subjects, lastings, expected, checked) WITH ORDINALITY
      AS k(owner, family, subject, lasting, thought, matters, n)
    LEFT JOIN watchword.kept
      ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now;
  IF events IS NOT NULL THEN
    SELECT array_agg(e.of), array_agg(e.time), array_agg(application), array_agg(entry), array_agg(count), array_agg(equal),
        array_agg(body), array_agg(rest_equal), array_agg(rest_body)
      INTO event_owners, times, applications, entries, counts, equals, bodies, rest_equals, rest_bodies
      FROM json_to_recordset(events) AS e("of" integer, "time" float8, application text, entry text, count integer,
        equal text, body text, rest_equal text, rest_body text)
      WHERE wrong IS NULL OR e.of <> ALL (wrong);
  END IF;
  IF wrong IS NOT NULL THEN
    SELECT array_agg(encode(kept.value, 'hex') ORDER BY n) INTO there
      FROM unnest(families, subjects, lastings) WITH ORDINALITY AS k(family, subject, lasting, n)
      LEFT JOIN watchword.kept
        ON (kept.subject, kept.family, kept.lasting) = (k.subject, k.family, k.lasting) AND kept.ends > now;
    -- The others go on.
    SELECT array_agg(id) INTO ids
      FROM unnest(ids) WITH ORDINALITY AS s(id, owner) WHERE owner <> ALL (wrong);
    SELECT array_agg(family), array_agg(subject), array_agg(lasting), array_agg(change), array_agg(value), array_agg(life),
        array_agg(before)
      INTO families, subjects, lastings, changes, put, lives, ends_before
      FROM unnest(owners, families, subjects, lastings, changes, put, lives, ends_before)
        AS k(owner, family, subject, lasting, change, value, life, before)
      WHERE owner <> ALL (wrong);
  END IF;
  IF ids IS NULL THEN RETURN json_build_object('wrong', wrong, 'there', there); END IF;
  IF lasts THEN
    INSERT INTO watchword.lasting_steps
      SELECT true, id, clock_timestamp(), false FROM unnest(ids) AS id WHERE id IS NOT NULL;
  ELSE
    nothing := set_config('synchronous_commit', 'off', true);
    INSERT INTO watchword.momentary_steps
      SELECT false, id, clock_timestamp(), false FROM unnest(ids) AS id WHERE id IS NOT NULL;
  END IF;
  -- Each where it is: to find that out for each row costs more than the row.
  IF drops_lasting THEN
    DELETE FROM watchword.store AS it
      USING unnest(families, subjects, lastings, changes) AS k(family, subject, lasting, change)
      WHERE k.lasting AND change = 'remove' AND (it.subject, it.family, it.lasting) = (k.subject, k.family, true);
  END IF;
  IF drops_momentary THEN
    DELETE FROM watchword.momentary AS it
      USING unnest(families, subjects, lastings, changes) AS k(family, subject, lasting, change)
      WHERE NOT k.lasting AND change = 'remove' AND (it.subject, it.family, it.lasting) = (k.subject, k.family, false);
  END IF;
  IF puts_lasting THEN
    INSERT INTO watchword.store AS it (lasting, subject, family, value, ends)
      SELECT true, k.subject, k.family, k.value, watchword.end_of(change, before, now + life * 1000, life)
      FROM unnest(families, subjects, lastings, changes, put, lives, ends_before)
        AS k(family, subject, lasting, change, value, life, before)
      WHERE k.lasting AND change <> 'remove'
      ON CONFLICT (subject, family, lasting) DO UPDATE SET value = excluded.value, ends = excluded.ends
        WHERE (it.value, it.ends) IS DISTINCT FROM (excluded.value, excluded.ends);
  END IF;
  IF puts_momentary THEN
    INSERT INTO watchword.momentary AS it (lasting, subject, family, value, ends)
      SELECT false, k.subject, k.family, k.value, watchword.end_of(change, before, now + life * 1000, life)
      FROM unnest(families, subjects, lastings, changes, put, lives, ends_before)
        AS k(family, subject, lasting, change, value, life, before)
      WHERE NOT k.lasting AND change <> 'remove'
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
