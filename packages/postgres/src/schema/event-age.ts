/**
 * The age of events by the clock of the database. After a leap of more than a day no event is removed for a day
 * (`ports/event-log/event-age.ts`).
 */
import { stepsTogether } from './steps-together.ts';

const begin = 'CREATE FUNCTION watchword.steps_together(';
const rest = '\n      rest_equals, rest_bodies, too_old) AS e;';

/** `steps_together` with `too_old` as a number of days; nodes of earlier versions pass a time. */
const stepsByAge = stepsTogether
  .slice(stepsTogether.indexOf(begin))
  .replace(begin, begin.replace('CREATE', 'CREATE OR REPLACE'))
  .replace(
    rest,
    `${rest.replace('too_old', 'NULL')}
    IF too_old < 1000000 THEN oldest := watchword.remove_aged(moment, too_old); END IF;`,
  );

export const eventAge = `
CREATE TABLE watchword.event_age (
  id integer PRIMARY KEY CHECK (id = 1),
  -- Milliseconds since 1970. It is written where an hour has passed, or the clock leaps.
  time float8 NOT NULL,
  -- Where the clock came to when it leapt.
  leapt float8
);

-- The time that the age of events is measured by; null: the clock has leapt, and nothing is old.
CREATE FUNCTION watchword.age_clock(moment float8) RETURNS float8
VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  day CONSTANT float8 := 86400000;
  now float8 := watchword.clock(moment);
  was watchword.event_age;
  became watchword.event_age;
BEGIN
  SELECT * INTO was FROM watchword.event_age WHERE id = 1;
  IF NOT FOUND THEN
    INSERT INTO watchword.event_age (id, time)
      SELECT 1, least(now, coalesce(max(checkpoint_time), now)) FROM watchword.lanes ON CONFLICT DO NOTHING;
    SELECT * INTO was FROM watchword.event_age WHERE id = 1;
  END IF;
  became := was;
  IF now - was.time <= day THEN
    became.time := now;
    became.leapt := NULL;
  ELSIF was.leapt IS NULL OR now < was.leapt THEN
    became.leapt := now;
  ELSIF now - was.leapt >= day THEN
    became.time := now;
    became.leapt := NULL;
  END IF;
  IF became.leapt IS DISTINCT FROM was.leapt OR abs(became.time - was.time) >= 3600000 THEN
    UPDATE watchword.event_age SET time = became.time, leapt = became.leapt
      WHERE id = 1 AND time = was.time AND leapt IS NOT DISTINCT FROM was.leapt;
  END IF;
  RETURN CASE WHEN became.leapt IS NULL THEN now END;
END
$$;

/*
 * Removes a few records that are older than some days, as watchword.remove_old did by a moment that a node named. Returns the time
 * of the oldest that was looked at, or of now while nothing is old.
 */
CREATE FUNCTION watchword.remove_aged(moment float8, days float8) RETURNS float8
VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  now float8 := watchword.age_clock(moment);
BEGIN
  IF now IS NULL THEN RETURN watchword.clock(moment); END IF;
  RETURN watchword.remove_older(now - days * 86400000);
END
$$;

ALTER FUNCTION watchword.remove_old(float8) RENAME TO remove_older;

-- Nodes of an earlier version, which name a moment, remove nothing.
CREATE FUNCTION watchword.remove_old(too_old float8) RETURNS float8
IMMUTABLE LANGUAGE sql AS $$ SELECT NULL::float8 $$;

${stepsByAge}`;
