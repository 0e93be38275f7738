/** The rows of the method table for status, licence and configuration (manager.md §3). */
import { assertSuperAdmin } from '../access/super-admin.ts';
import type { StatusFacts } from '../dialect.ts';
import { countActivated } from '../directory/user.ts';
import { ServiceError } from '../errors.ts';
import { type LicenseDetails, licenseDetails } from '../license/details.ts';
import { type Call, method } from '../method.ts';
import { formatTime } from '../ports/clock.ts';
import type { AuditEvent } from '../ports/records.ts';
import {
  boolean,
  choice,
  count,
  dn,
  either,
  flag,
  integer,
  mapOf,
  optional,
  string,
  strings,
  text,
  written,
} from '../schema.ts';
import { type ConfigObject, configObjects, configTypes } from './config-objects.ts';
import { readEvents } from './event-logs.ts';
import { serverStatus } from './probes.ts';

const word = { type: 'string' };
const events = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        time: { ...word, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
        session: { ...word, description: '8 characters `[0-9A-Z]`, the same in the log.' },
        client: { ...word, description: '`ip:port` of the caller; `-` in process.' },
        source: { ...word, description: 'IP address of the end user, where it was told.' },
        host: { ...word, description: 'The node.' },
        dn: word,
        text: word,
      },
    },
  },
  (found: readonly AuditEvent[]) =>
    found.map(({ time, session, client, source = '', host = '', dn = '', text }) => ({
      ...{ time: formatTime(time), session, client, source, host, dn, text },
    })),
);

const names = strings();
const isNames = (value: readonly string[] | ReadonlyMap<string, ConfigObject>): value is readonly string[] =>
  Array.isArray(value);

export const statusMethods = {
  Server_Status: method({
    summary: 'Reports the state of this server and, where asked, of the servers and services around it.',
    on: 'nothing',
    params: { servers: optional(flag()), webapps: optional(flag()), websrvs: optional(flag()) },
    example: { servers: true },
    result: written({ type: 'object' }, (facts: StatusFacts, dialect) => dialect.status(facts)),
    permission: 'read',
    run: ({ servers = false, webapps = false, websrvs = false }, { core }) =>
      serverStatus({ servers, webapps, websrvs }, core),
  }),
  Get_License_Details: method({
    summary: 'Reports the licence; with `product`, the limits of that product at the top level.',
    on: 'nothing',
    params: { product: optional(text()) },
    result: written(
      { type: 'object' },
      ({ products, ...value }: LicenseDetails & Readonly<Record<string, unknown>>, dialect) => ({
        ...value,
        products: Object.keys(products).length === 0 ? dialect.emptyMap() : products,
      }),
    ),
    permission: 'read',
    run: async ({ product }, { core }) => {
      const whole = await licenseDetails(core);
      return product !== undefined && Object.hasOwn(whole.products, product)
        ? { ...whole, ...whole.products[product] }
        : { ...whole };
    },
  }),
  Count_Activated_Users: method({
    summary: 'Counts the activated users of all domains; one activation is good for every product.',
    on: 'nothing',
    params: { product: optional(text()) },
    result: count(),
    permission: 'read',
    run: (_, call) => countActivated(call),
  }),
  Count_Activated_Hosts: method({
    summary: 'Counts the activated hosts: none, as long as there is nothing to activate a host for.',
    on: 'nothing',
    params: { product: optional(text()) },
    result: count(),
    permission: 'read',
    run: () => 0,
  }),
  Get_Event_Logs: method({
    summary:
      'Reads the event log of an application (`Manager`, `Otp`), the newest first; with `dn`, what was about that entry. Without it, only super administrators may.',
    on: 'dn',
    params: { application: text(), max: optional(integer({ min: 1, max: 10_000 })), dn: optional(dn()) },
    example: { application: 'Otp', max: 10, dn: 'uid=alice,ou=people,dc=example,dc=org' },
    result: events,
    permission: 'read',
    run: ({ application, max = 100, dn }, call) => readEvents({ application, dn, max }, call),
  }),
  Clear_Caches: method({
    summary: 'Forgets what is cached of a kind (`all`, `ldap`); false for a kind that there is not.',
    on: 'nothing',
    params: { type: optional(text()), tenant: optional(text()) },
    result: boolean(),
    permission: 'write',
    run: ({ type = 'all' }, { core }) => {
      if (!['all', 'ldap'].includes(type.toLowerCase())) return false;
      core.directory.clearCaches();
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
    run: ({ type, settings = false, application }, call) => {
      if (type === 'roles' || type === 'optionsets') assertSuperAdmin(call, 'see what others may do');
      const { core } = call;
      const objects = configObjects(type, core);
      const wanted = application === undefined ? objects : onlyOf(application, objects, core);
      return settings ? wanted : [...wanted.keys()];
    },
  }),
} as const;

/** Of the web services, that of one application; other objects belong to none. */
function onlyOf(
  application: string,
  objects: ReadonlyMap<string, ConfigObject>,
  { applications, names }: Call['core'],
): ReadonlyMap<string, ConfigObject> {
  const ours = names.ours(application);
  const row = Object.hasOwn(applications, ours) ? applications[ours] : undefined;
  if (!row)
    throw new ServiceError('invalid_params', {
      detail: `Parameter application: there is no '${application.slice(0, 64)}'`,
    });
  return new Map([...objects].filter(([name]) => name === names.theirs(row.name)));
}
