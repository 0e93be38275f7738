import { nextTick } from 'node:process';
import { notConfigured, ServiceError } from '@watchword/core/foundation';
import {
  type AuditEvent,
  type EventLog,
  type EventQuery,
  type ExportRange,
  eventIndexKey,
  type LinkedRecord,
  type PositionedEvent,
} from '@watchword/core/ports';
import type { Database } from '../connection/database.ts';
import type { Statement } from '../connection/text-query.ts';
import type { Checkpoints } from '../steps/checkpoints.ts';
import { eventOf, type FoundEvent } from '../steps/event-rows.ts';
import type { Steps } from '../steps/steps.ts';

interface PlacedRow extends FoundEvent {
  readonly position: number;
}

/** @param column the column of the key */
const latestOf = (column: 'application' | 'entry'): Statement<PlacedRow> => ({
  name: `events-of-${column}`,
  text: `SELECT id::float8 AS position, record, count, last FROM watchword.events
    WHERE ${column} = $1 AND id < $3 ORDER BY id DESC LIMIT $2`,
});
const ofApplication = latestOf('application');
const ofEntry = latestOf('entry');

export function openEventLog(steps: Steps): EventLog {
  let tick: { readonly events: AuditEvent[]; readonly committed: Promise<void> } | undefined;
  /** Begins the step of this tick, which adds its events in order. */
  const beginTick = () => {
    const events: AuditEvent[] = [];
    const committed = new Promise<void>((resolve) => nextTick(resolve)).then(() => {
      tick = undefined;
      return steps.change([], () => ({ result: undefined, events }));
    });
    return { events, committed };
  };
  return {
    append: (event) => {
      tick ??= beginTick();
      tick.events.push(event);
      return tick.committed;
    },
    list: async (query) => (await placed(steps.database, query)).map(({ event }) => event),
    placed: (query) => placed(steps.database, query),
    exported: (span) => {
      if (!steps.checkpoints) throw notConfigured('there is no key ring to sign an export with');
      return exported(steps.database, steps.checkpoints, span);
    },
    probe: () => steps.probe.run(),
    close: async () => {},
  };
}

async function placed(
  database: Database,
  { application, dn, max, before = Number.MAX_SAFE_INTEGER }: EventQuery,
): Promise<readonly PositionedEvent[]> {
  const [statement, key] =
    dn === undefined
      ? [ofApplication, eventIndexKey(application)]
      : [ofEntry, eventIndexKey(application, dn)];
  const rows = await database.read(statement, [key, max, before]);
  return rows.flatMap((row) => eventOf(row).map((event) => ({ event, position: row.position })));
}

interface LinkedRow extends Omit<LinkedRecord, 'signature' | 'counted'> {
  readonly signature: string | null;
  readonly count: number | null;
  readonly last: number | null;
}

const linked: Statement<LinkedRow> = {
  name: 'linked-records',
  text: `SELECT number::float8, hash, record, signature, count, last FROM watchword.events
    WHERE chain = $1 AND number BETWEEN $2 AND $3 ORDER BY number LIMIT 500`,
};

/** Exports the records up to the checkpoints that are written when the export begins; later events are in the next export. */
async function* exported(
  database: Database,
  checkpoints: Checkpoints,
  span: ExportRange,
): AsyncGenerator<readonly LinkedRecord[]> {
  for (const { chain, from, to } of await checkpoints.close(span))
    for (let next = from; next <= to; ) {
      const range = [chain, next, to];
      const rows = await database.patience.detached(() => database.read(linked, range));
      const last = rows.at(-1);
      if (!last || rows[0]?.number !== next)
        throw new ServiceError('unavailable', {
          detail: 'events were removed for their age meanwhile; export again',
        });
      yield rows.map(linkedOf);
      next = last.number + 1;
    }
}

const linkedOf = ({ signature, count, last, ...rest }: LinkedRow): LinkedRecord => ({
  ...rest,
  ...(signature !== null && { signature }),
  ...(count !== null && last !== null && { counted: { count, last } }),
});
