/** The rows of the method table for status, licence and configuration. */

import type { Domains } from '../../directory/domain.ts';
import { countActivated } from '../../directory/entry/user.ts';
import type { EntryView, Words } from '../../directory/view.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { AuditEvent } from '../../ports/event-log/event-log.ts';
import type { LicenseFacts, Names, StatusFacts } from '../../table/dialect.ts';
import { method } from '../../table/method.ts';
import {
  boolean,
  choice,
  count,
  dn,
  dnOrNot,
  either,
  flag,
  ignoredParam,
  integer,
  mapOf,
  optional,
  singleWord,
  string,
  strings,
  text,
  timestampOrNone,
  written,
} from '../../table/schema/index.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import { type LicenseView, licenseDetails, limitsOf } from '../license/details.ts';
import { type ConfigObject, type ConfigView, configObjects, configTypes } from './config-objects.ts';
import { type EventView, readEvents } from './event-logs.ts';
import {
  contractEvent,
  type EventLogLine,
  eventLogSchema,
  eventWithMeaning,
  eventWithMeaningSchema,
} from './event-search/event-facts.ts';
import { type EventPage, type EventSearchView, searchEvents } from './event-search/event-search.ts';
import { exportEvents, exportFormats } from './event-search/export.ts';
import { namedApplication } from './named-application.ts';
import { type NodesView, type RunningNode, runningNodes } from './nodes.ts';
import { type ProbeView, serverStatus } from './probes.ts';
import { type PlacesView, type UserPlace, userPlaces } from './user-places.ts';

const events = written(
  { type: 'array', items: eventLogSchema },
  (found: readonly AuditEvent[], { answersCanonicalNames }): readonly EventLogLine[] =>
    found.map(answersCanonicalNames ? eventWithMeaning : contractEvent),
);

const eventPage = written(
  {
    type: 'object',
    properties: {
      events: { type: 'array', items: eventWithMeaningSchema },
      next: {
        type: ['integer', 'null'],
        description: 'The `before` of the next page; null: there are no more.',
      },
    },
  },
  ({ events, next }: EventPage) => ({
    events: events.map(({ event }) => eventWithMeaning(event)),
    next: next ?? null,
  }),
);

const plainText = { type: 'string' };
const moment = { ...plainText, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' };

const nodes = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { ...plainText, description: 'Of the machine.' },
        server: { ...plainText, description: 'What runs there; `embedded`: a program of one’s own.' },
        version: plainText,
        started: moment,
        seen: { ...moment, description: 'When it last told that it runs, in UTC.' },
        certificates: {
          type: 'array',
          description: 'The certificates of its listeners.',
          items: {
            type: 'object',
            properties: {
              listener: { ...plainText, description: '`manager` or `ws`, which is also that of LDAP.' },
              subject: plainText,
              end: moment,
            },
          },
        },
      },
    },
  },
  (found: readonly RunningNode[]) =>
    found.map(({ started, seen, certificates = [], ...node }) => ({
      ...node,
      ...{ started: formatTimestamp(started), seen: formatTimestamp(seen) },
      certificates: certificates.map(({ end, ...certificate }) => ({
        ...certificate,
        end: formatTimestamp(end),
      })),
    })),
);

const places = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        place: {
          type: ['string', 'null'],
          description: 'The caller, and the address of the end user that it told; null: no event tells it.',
        },
        last: { ...plainText, description: 'The day of the last full success there, `YYYY-MM-DD` in UTC.' },
      },
    },
  },
  (found: readonly UserPlace[]) =>
    found.map(({ words, last }) => ({ place: words ?? null, last: formatTimestamp(last).slice(0, 10) })),
);

/** Parameters of a search of events. */
const searched = () => ({
  application: optional(text()),
  dn: optional(dn()),
  client: optional(text()),
  text: optional(text()),
  start: timestampOrNone(),
  stop: timestampOrNone(),
  before: optional(integer()),
});

const names = strings();

const alice = 'uid=alice,ou=people,dc=example,dc=org';

/** Names of caches in the field, and our own. */
const cacheTypes = [
  ...[
    'all',
    'ldap',
    'config',
    'adminrole',
    'domain',
    'client',
    'optionset',
    'tenant',
    'mountpoint',
    'webapp',
  ],
  ...['websrv', 'cacert', 'admgrp', 'appmsg', 'lcache'],
];

const isNames = (value: readonly string[] | ReadonlyMap<string, ConfigObject>): value is readonly string[] =>
  Array.isArray(value);

export const statusMethods = {
  Server_Status: method({
    summary:
      'Reports the state of this server and, where asked, of the servers and services around it; with `keys`, for super administrators only, how many stored secrets each encryption key still holds, which goes through all entries.',
    on: 'nothing',
    params: {
      servers: optional(flag()),
      webapps: optional(flag()),
      websrvs: optional(flag()),
      // A parameter of ours, beside those of the interface.
      keys: { ...optional(flag()), byName: true },
    },
    example: { servers: true },
    result: written({ type: 'object' }, (facts: StatusFacts, dialect) => dialect.status(facts)),
    permission: 'read',
    run: (
      { servers = false, webapps = false, websrvs = false, keys = false },
      call: ProbeView & { readonly rights: EffectiveRights },
    ) => {
      if (keys) assertSuperAdmin(call, 'count what each key holds');
      return serverStatus({ servers, webapps, websrvs, keys }, call);
    },
  }),
  List_Nodes: method({
    summary:
      'Lists the server processes that share the store, each with when it started, when it last reported that it runs, every 30 seconds, and when the certificates of its listeners end. One that died is listed for 90 seconds.',
    on: 'nothing',
    params: {},
    result: nodes,
    permission: 'read',
    run: (_, call: NodesView) => runningNodes(call),
  }),
  Get_License_Details: method({
    summary: 'Reports the licence; with `product`, the limits of that product at the top level.',
    on: 'nothing',
    params: { product: optional(text()) },
    result: written({ type: 'object' }, (facts: LicenseFacts, dialect) => dialect.license(facts)),
    permission: 'read',
    run: async ({ product }, call: LicenseView & { readonly names: Names }) => {
      const whole = await licenseDetails(call);
      return { whole, limits: product === undefined ? undefined : limitsOf(whole, product, call.names) };
    },
  }),
  Count_Activated_Users: method({
    summary: 'Counts the activated users of all domains; one activation is good for every product.',
    on: 'nothing',
    params: { product: ignoredParam(optional(text())) },
    result: count(),
    permission: 'read',
    run: (_, call: EntryView & { readonly domains: Domains }) => countActivated(call),
  }),
  Count_Activated_Hosts: method({
    summary: 'Counts the activated hosts: none, as long as there is nothing to activate a host for.',
    on: 'nothing',
    params: { product: ignoredParam(optional(text())) },
    result: count(),
    permission: 'read',
    run: () => 0,
  }),
  Get_Event_Logs: method({
    summary:
      'Reads the event log of an application (`Manager`, `Otp`), the newest first; with `dn`, what was about that entry. Without it, only super administrators may. `dialect: deployed` answers the required fields only.',
    on: 'dn',
    params: { application: text(), max: optional(integer({ min: 1, max: 10_000 })), dn: optional(dnOrNot()) },
    example: { application: 'Otp', max: 10, dn: alice },
    result: events,
    permission: 'read',
    run: ({ application, max = 100, dn }, call: EventView) => readEvents({ application, dn, max }, call),
  }),
  Search_Event_Logs: method({
    summary:
      'Finds events of one or all applications, the newest first: by the entry, by a part of the address of the caller or the end user (`client`), by a part of the text, and by moments in UTC, `YYYY-MM-DD HH:MM:SS`. A page may have fewer events than `max`, and a next page all the same. Without `dn`, only super administrators may.',
    on: 'dn',
    params: { ...searched(), max: optional(integer({ min: 1, max: 1000 })) },
    example: { dn: alice, text: 'login', max: 20 },
    result: eventPage,
    permission: 'read',
    run: ({ max = 100, ...search }, call: EventSearchView) => searchEvents({ ...search, max }, call),
  }),
  Export_Event_Logs: method({
    summary:
      'Writes events as text, a line for each: a JSON object, or the Common Event Format. They are found as `Search_Event_Logs` finds them, up to `max`.',
    on: 'dn',
    params: {
      ...searched(),
      format: optional(choice(...exportFormats)),
      max: optional(integer({ min: 1, max: 10_000 })),
    },
    example: { dn: alice, format: 'CEF' },
    result: string(),
    permission: 'read',
    run: ({ format = 'JSON', max = 10_000, ...search }, call: EventSearchView) =>
      exportEvents({ ...search, max }, format, call),
  }),
  User_Places: method({
    summary:
      'Lists the places from which a user is known to the limits, the last one first. Their names are found in the event log: where it does not tell, a place has none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: places,
    permission: 'read',
    run: ({ dn }, call: PlacesView) => userPlaces(dn, call),
  }),
  Clear_Caches: method({
    summary: `Forgets what is cached of a kind (${cacheTypes.map((type) => `\`${type}\``).join(', ')}); false for a kind that there is not. What is read from the directory is all that is cached, so that each of them forgets all.`,
    on: 'nothing',
    params: { type: optional(singleWord()), tenant: ignoredParam(optional(singleWord())) },
    result: boolean(),
    permission: 'write',
    run: ({ type = 'all' }, call: { readonly server: Pick<DirectoryServer, 'clearCaches'> }) => {
      if (!cacheTypes.includes(type.toLowerCase())) return false;
      call.server.clearCaches();
      return true;
    },
  }),
  Get_Config_Objects: method({
    summary: 'Names the configured objects of a type or, with `settings`, reads their settings.',
    on: 'nothing',
    params: { type: choice(...configTypes), settings: optional(flag()), application: optional(text()) },
    example: { type: 'domains', settings: true },
    result: either(names, mapOf(mapOf(string())), isNames),
    permission: 'read',
    run: (
      { type, settings = false, application },
      call: ConfigView & { readonly rights: EffectiveRights },
    ) => {
      if (type === 'roles' || type === 'optionsets') assertSuperAdmin(call, 'see what others may do');
      const objects = configObjects(type, call);
      const wanted = application === undefined ? objects : onlyOf(application, objects, call);
      return settings ? wanted : [...wanted.keys()];
    },
  }),
} as const;

/** Returns the state of one application, of the web services and web applications. */
function onlyOf(
  application: string,
  objects: ReadonlyMap<string, ConfigObject>,
  words: Words,
): ReadonlyMap<string, ConfigObject> {
  const name = namedApplication(application, words);
  return new Map([...objects].filter(([key]) => key === name));
}
