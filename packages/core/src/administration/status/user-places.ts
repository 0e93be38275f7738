/**
 * `User_Places`: the known sources of a user (docs/concepts/callers-and-sources.md#known-source). The limits keep digests of sources. Their
 * words are found by digesting the sources of granted logins in the event log, for each caller that they can have had.
 */
import type { ServiceConfig } from '../../config/config.ts';
import { readExisting } from '../../directory/entry/entry.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Limits } from '../../limits/limits.ts';
import { type Source, sourceOf, userKey } from '../../limits/source.ts';
import { day } from '../../limits/span.ts';
import type { AuditEvent } from '../../ports/event-log/event-log.ts';
import { callerKey } from '../policy/callers.ts';
import { type EventSearchView, searchEvents } from './event-search/event-search.ts';

export interface UserPlace {
  /** Undefined if the event log does not have it, or the caller is no longer configured. */
  readonly words: string | undefined;
  /** The day of the last full success, UTC, in milliseconds since 1970. */
  readonly last: number;
}

export interface PlacesView extends EventSearchView {
  readonly limits: Pick<Limits, 'look'>;
  readonly config: Pick<ServiceConfig, 'api_keys' | 'clients'>;
}

/** Events of a page, and the most pages that are read: some tenths of a second each. */
const [pageSize, mostPages] = [1000, 5];

/** Lists the known sources, the last used first. @throws ServiceError `not_found`, `permission_denied` */
export async function userPlaces(dn: Dn, call: PlacesView): Promise<readonly UserPlace[]> {
  await readExisting(call.directory, dn, ['1.1']);
  const { known } = await call.limits.look(userKey(dn), 'web');
  const since = Math.min(...known.map((one) => one.day)) * day;
  const named = await wordsOf(new Set(known.map(({ source: place }) => place)), { dn, since }, call);
  return known
    .map((one) => ({ words: named.get(one.source), last: one.day * day }))
    .sort((a, b) => b.last - a.last);
}

/** Finds words of sources. @param ids of sources; found ones are removed */
async function wordsOf(
  ids: Set<string>,
  { dn, since }: { readonly dn: Dn; readonly since: number },
  call: PlacesView,
): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  const seen = new Set<string>();
  const wanted = { dn, start: since, text: ': granted', max: pageSize };
  const others = { application: undefined, client: undefined, stop: undefined };
  let before: number | undefined;
  for (let pages = 0; ids.size > 0 && pages < mostPages; pages += 1) {
    const { events, next } = await searchEvents({ ...wanted, ...others, before }, call);
    for (const { address, source } of events.map(({ event }) => originOf(event))) {
      const origin = `${address} ${source}`;
      if (seen.has(origin)) continue;
      seen.add(origin);
      for (const place of placesOf({ address, source }, call))
        if (ids.delete(place.id)) words.set(place.id, place.words);
    }
    if (next === undefined) break;
    before = next;
  }
  return words;
}

interface Origin {
  readonly address: string;
  /** The reported address; only trusted callers report one. */
  readonly source: string | undefined;
}

/** Returns the origin of an event, without the port, which differs at each login. */
const originOf = ({ client, source }: AuditEvent): Origin => ({
  address: client === '-' ? 'in-process' : client.slice(0, client.lastIndexOf(':')),
  source,
});

/** Returns the sources that an origin can be: by address, and by all configured keys and certificates. */
function placesOf({ address, source }: Origin, { config }: Pick<PlacesView, 'config'>): readonly Source[] {
  const callers = [
    { address },
    ...Object.keys(config.api_keys).map((apiKey) => ({ address, apiKey })),
    ...Object.keys(config.clients).map((name) => ({ address, certificate: `own:${name.toLowerCase()}` })),
  ];
  // Without a reported address, trust makes no other source.
  return callers.map((caller) => sourceOf({ key: callerKey(caller), address, trusted: true }, source));
}
