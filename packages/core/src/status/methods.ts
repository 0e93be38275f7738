/** The rows of the method table for status, licence and configuration (manager.md §3). */

import type { Reach } from '../access/reach.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import type { DirectoryServer } from '../directory/directory.ts';
import type { Domains } from '../directory/domain.ts';
import { countActivated } from '../directory/entry/user.ts';
import type { EntryView, Words } from '../directory/view.ts';
import { type LicenseView, licenseDetails, limitsOf } from '../license/details.ts';
import type { AuditEvent } from '../ports/records.ts';
import type { LicenseFacts, Names, StatusFacts } from '../table/dialect.ts';
import { method } from '../table/method.ts';
import {
  boolean,
  choice,
  count,
  dnOrNot,
  either,
  flag,
  integer,
  keptParam,
  mapOf,
  optional,
  string,
  strings,
  text,
  word,
  written,
} from '../table/schema/index.ts';
import { formatTime } from '../text/moment.ts';
import { type ConfigObject, type ConfigView, configObjects, configTypes } from './config-objects.ts';
import { type EventView, readEvents } from './event-logs.ts';
import { namedApplication } from './named-application.ts';
import { type ProbeView, serverStatus } from './probes.ts';

const plainText = { type: 'string' };
const events = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        time: { ...plainText, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
        session: { ...plainText, description: '8 characters `[0-9A-Z]`, the same in the log.' },
        client: { ...plainText, description: '`ip:port` of the caller; `-` in process.' },
        source: { ...plainText, description: 'IP address of the end user, where it was told.' },
        host: { ...plainText, description: 'The node.' },
        dn: plainText,
        text: plainText,
        count: { type: 'integer', description: 'How often it was refused, where that was more than once.' },
        last: {
          ...plainText,
          description: 'When it was refused last, in the form of `time`, where `count` is.',
        },
      },
    },
  },
  (found: readonly AuditEvent[]) =>
    found.map(({ time, session, client, source = '', host = '', dn = '', text, count, last }) => ({
      ...{ time: formatTime(time), session, client, source, host, dn, text },
      ...(last !== undefined && { count, last: formatTime(last) }),
    })),
);

const names = strings();

/** What servers in the field call what they cache (catalogue.md §6), and our own words for it. */
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

/** Web applications of the field (catalogue.md §6), none of which is built. */
const portals = ['selfdesk', 'pwreset', 'selfreg', 'openid'];

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
      // A parameter of ours, beside those of the contract.
      keys: { ...optional(flag()), byName: true },
    },
    example: { servers: true },
    result: written({ type: 'object' }, (facts: StatusFacts, dialect) => dialect.status(facts)),
    permission: 'read',
    run: (
      { servers = false, webapps = false, websrvs = false, keys = false },
      call: ProbeView & { readonly reach: Reach },
    ) => {
      if (keys) assertSuperAdmin(call, 'count what each key holds');
      return serverStatus({ servers, webapps, websrvs, keys }, call);
    },
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
    params: { product: keptParam(optional(text())) },
    result: count(),
    permission: 'read',
    run: (_, call: EntryView & { readonly domains: Domains }) => countActivated(call),
  }),
  Count_Activated_Hosts: method({
    summary: 'Counts the activated hosts: none, as long as there is nothing to activate a host for.',
    on: 'nothing',
    params: { product: keptParam(optional(text())) },
    result: count(),
    permission: 'read',
    run: () => 0,
  }),
  Get_Event_Logs: method({
    summary:
      'Reads the event log of an application (`Manager`, `Otp`), the newest first; with `dn`, what was about that entry. Without it, only super administrators may.',
    on: 'dn',
    params: { application: text(), max: optional(integer({ min: 1, max: 10_000 })), dn: optional(dnOrNot()) },
    example: { application: 'Otp', max: 10, dn: 'uid=alice,ou=people,dc=example,dc=org' },
    result: events,
    permission: 'read',
    run: ({ application, max = 100, dn }, call: EventView) => readEvents({ application, dn, max }, call),
  }),
  Clear_Caches: method({
    summary: `Forgets what is cached of a kind (${cacheTypes.map((type) => `\`${type}\``).join(', ')}); false for a kind that there is not. What is read from the directory is all that is cached, so that each of them forgets all.`,
    on: 'nothing',
    params: { type: optional(word()), tenant: keptParam(optional(word())) },
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
    run: ({ type, settings = false, application }, call: ConfigView & { readonly reach: Reach }) => {
      if (type === 'roles' || type === 'optionsets') assertSuperAdmin(call, 'see what others may do');
      const objects = configObjects(type, call);
      const wanted = application === undefined ? objects : onlyOf(application, objects, call);
      return settings ? wanted : [...wanted.keys()];
    },
  }),
} as const;

/** Of the web services, that of one application; other objects belong to none. */
function onlyOf(
  application: string,
  objects: ReadonlyMap<string, ConfigObject>,
  words: Words,
): ReadonlyMap<string, ConfigObject> {
  if (portals.includes(application.toLowerCase())) return new Map();
  const name = namedApplication(application, words);
  return new Map([...objects].filter(([key]) => key === name));
}
