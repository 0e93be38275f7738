/**
 * The method User_Places: known sources of a user (docs/concepts/callers-and-sources.md#known-source). The limits keep only digests of
 * sources. To show an address, the sources of granted logins in the event log are digested again and compared.
 */
import type { ServiceConfig } from '../../config/config.ts';
import { readExisting } from '../../directory/entry/entry.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { day } from '../../limits/interval.ts';
import type { Limits } from '../../limits/limits.ts';
import { type Source, sourceOf, userKey } from '../../limits/source.ts';
import type { AuditEvent } from '../../ports/event-log/event-log.ts';
import { callerKey } from '../policy/callers.ts';
import { type EventSearchView, searchEvents } from './event-search/event-search.ts';

export interface UserPlace {
  /** Undefined: the event log does not tell, or the caller is none that is configured any more. */
  readonly words: string | undefined;
  /** The day of the last full success, UTC, in milliseconds since 1970. */
  readonly last: number;
}

export interface PlacesView extends EventSearchView {
  readonly limits: Pick<Limits, 'look'>;
  readonly config: Pick<ServiceConfig, 'api_keys' | 'clients'>;
}

/** A page is some tenths of a second where there are refusals without end, and a user with many logins a day is found. */
const [pageSize, mostPages] = [1000, 5];

/** The last one first. @throws ServiceError `not_found`, `permission_denied` */
export async function userPlaces(dn: Dn, call: PlacesView): Promise<readonly UserPlace[]> {
  await readExisting(call.directory, dn, ['1.1']);
  const { known } = await call.limits.look(userKey(dn), 'web');
  const since = Math.min(...known.map((one) => one.day)) * day;
  const named = await wordsOf(new Set(known.map(({ source: place }) => place)), { dn, since }, call);
  return known
    .map((one) => ({ words: named.get(one.source), last: one.day * day }))
    .sort((a, b) => b.last - a.last);
}

/** @param ids of places; those that have words are taken out */
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
  /** Only what a trusted caller says of its users is in an event. */
  readonly source: string | undefined;
}

/** The port is another one at each login. */
const originOf = ({ client, source }: AuditEvent): Origin => ({
  address: client === '-' ? 'in-process' : client.slice(0, client.lastIndexOf(':')),
  source,
});

/**
 * Returns possible sources of an event: by the address, and by every credential that the caller may have presented, which an event does
 * not name.
 */
function placesOf({ address, source }: Origin, { config }: Pick<PlacesView, 'config'>): readonly Source[] {
  const callers = [
    { address },
    ...Object.keys(config.api_keys).map((apiKey) => ({ address, apiKey })),
    ...Object.keys(config.clients).map((name) => ({ address, certificate: `own:${name.toLowerCase()}` })),
  ];
  // Without a source, trust makes no other place.
  return callers.map((caller) => sourceOf({ key: callerKey(caller), address, trusted: true }, source));
}
