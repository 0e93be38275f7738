/**
 * The event log as chains (`ports/event-log/chain.ts`): each record contains the hash of the one before. A lane is the head of a chain. A step
 * takes a free lane or adds one, so no login waits for another.
 */
export const chains = `
CREATE TABLE watchword.lanes (
  chain text COLLATE "C" PRIMARY KEY,
  -- Of its last record.
  number bigint NOT NULL,
  hash text NOT NULL,
  -- Of the last record that was signed.
  checkpoint_number bigint,
  checkpoint_time float8,
  -- The last record that was removed for its age.
  removed_number bigint,
  removed_hash text
) WITH (fillfactor = 50);

-- A lane that nobody has, or a new one.
CREATE FUNCTION watchword.take_lane() RETURNS watchword.lanes
VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  lane watchword.lanes;
BEGIN
  SELECT * INTO lane FROM watchword.lanes ORDER BY chain LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN RETURN lane; END IF;
  INSERT INTO watchword.lanes (chain, number, hash)
    VALUES (left(replace(gen_random_uuid()::text, '-', ''), 16), 0, repeat('0', 64))
    RETURNING * INTO lane;
  RETURN lane;
END
$$;

-- The next record of a lane: in the very bytes of ports/event-log/chain.ts.
CREATE FUNCTION watchword.link(INOUT lane watchword.lanes, said text, OUT line text)
IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  lane.number := lane.number + 1;
  line := '{"chain":"' || lane.chain || '","number":' || lane.number || ',"previous":"' || lane.hash || '",'
    || said || '}';
  lane.hash := encode(sha256(convert_to(line, 'UTF8')), 'hex');
END
$$;

/*
 * Removes a few records that are older than a moment, from the beginning of the chain that has the oldest; the last one of a
 * chain stays. Returns the time of the oldest that was looked at.
 */
CREATE FUNCTION watchword.remove_old(too_old float8) RETURNS float8
VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  lane watchword.lanes;
  one record;
BEGIN
  SELECT l.* INTO lane FROM watchword.events AS e JOIN watchword.lanes AS l USING (chain)
    WHERE e.number < l.number ORDER BY e.id LIMIT 1 FOR UPDATE OF l SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  FOR one IN SELECT id, number, hash, time FROM watchword.events
    WHERE chain = lane.chain AND number < lane.number ORDER BY number LIMIT 4
  LOOP
    EXIT WHEN one.time >= too_old;
    DELETE FROM watchword.events WHERE id = one.id;
    UPDATE watchword.lanes SET removed_number = one.number, removed_hash = one.hash WHERE chain = lane.chain;
  END LOOP;
  RETURN (SELECT e.time FROM watchword.events AS e JOIN watchword.lanes AS l USING (chain)
    WHERE e.number < l.number ORDER BY e.id LIMIT 1);
END
$$;
`;
