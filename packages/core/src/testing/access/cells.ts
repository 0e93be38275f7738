/**
 * Runs cells of the matrix: a method, called for real by somebody about some entry. What it changed is put back after
 * each, so that all cells begin alike; what a refused call changed anywhere is told.
 */
import { Dn } from '../../directory/dn.ts';
import type { Attributes } from '../../directory/value.ts';
import type { CertificateRecords } from '../../ports/certificate-records.ts';
import type { Store } from '../../ports/store.ts';
import { type Fixture, openFixture, type Person } from '../fixture.ts';
import { openOpenssl } from '../openssl.ts';
import { type OptionSetRow, Oracle, type Situation, type Verdict } from './oracle.ts';
import { type Materials, searches, touches, type Use } from './touches.ts';
import {
  bases,
  buildWorld,
  containers,
  type Place,
  people,
  places,
  superAdmins,
  supers,
  withMail,
} from './world.ts';

export interface Matrix {
  readonly fixture: Fixture;
  /** The same world, as somebody meets it. @param roles of the caller; left out: it is a super administrator */
  enter(as: Person, rules: Rules): Promise<Entered>;
  close(): Promise<void>;
}

export interface Entered {
  readonly node: Fixture;
  /** Every cell of a method that is not as the oracle says; none: all are. */
  mistakes(method: string): Promise<readonly string[]>;
}

export type Rules = Pick<Situation, 'roles'> & {
  readonly optionSets?: Readonly<Record<string, OptionSetRow>>;
};

/** Of a refused call, nothing of this is seen. */
const writing = /(?:^|\.)(?:add|modify|rename|remove|setPassword)$/;

export async function openMatrix(): Promise<Matrix> {
  const config = { super_admins: superAdmins, manager_session: 3600 };
  const fixture = await openFixture({ config });
  const { manager, close } = await fixture.service.manager.login(fixture.admin);
  await buildWorld(manager);
  const service = fixture.ports.directory.service;
  const snapshots = new Map<string, Attributes>();
  for (const { dn } of places) snapshots.set(dn, await attributesOf(dn));
  const serials = new Map<string, string>();
  const { requests, administratorRequest } = await makeRequests();
  for (const { dn } of places) await certify(dn);
  const materials = { certificate: fixture.authority.certificate, requests, administratorRequest };
  let counter = 0;
  let steps = 0;

  return {
    fixture,
    enter: async (as, rules) => {
      const changed: string[] = [];
      const node = await fixture.another({
        config: { ...config, ...settingsOf(as, rules) },
        ports: ({ store, certificates }) => ({
          store: noted(store, (what) => changed.push(what)),
          certificates: noted(certificates, (what) => changed.push(what)),
        }),
      });
      const own: Materials = {
        ...materials,
        serial: (dn) => serials.get(dn) ?? '',
        step: () => {
          steps += 1;
          return Math.floor(node.clock.now() / 30_000) + steps;
        },
        counter: () => {
          counter += 2;
          return counter;
        },
      };
      const oracle = new Oracle(situationOf(as, rules));
      const session = await beginSession({ node, changed }, as);
      const ground = { node, changed, session, oracle, materials: own };
      const mistakes = (method: string) =>
        searches.includes(method) ? searchMistakes(method, ground) : mistakesOf(method, ground);
      return { node, mistakes };
    },
    close: async () => {
      await close();
      await fixture.close();
    },
  };

  type Ground = {
    node: Fixture;
    changed: string[];
    session: Session;
    oracle: Oracle;
    materials: Materials;
  };

  /** A search answers with what is in reach; there it differs from everything else. */
  async function searchMistakes(method: string, { node, session: { cookie }, oracle }: Ground) {
    const mistakes: string[] = [];
    for (const basedn of bases) {
      for (const attribute of ['mail', 'userPassword']) {
        const params = { basedn, filter: `(${attribute}=*)`, attrs: ['mail'] };
        const { result, error } = await node.call(method, params, { as: null, cookie });
        const of = { dns: withMail, attribute: attribute.toLowerCase() };
        const expected = oracle.found(method, basedn, of)?.sort().join(' ') ?? 'permission_denied';
        const found = error ? error.reason : Object.keys(Object(result)).sort().join(' ');
        if (found !== expected)
          mistakes.push(`${attribute} at ${basedn}: ${expected} was expected, ${found}`);
      }
    }
    return mistakes;
  }

  async function mistakesOf(method: string, ground: Ground): Promise<readonly string[]> {
    const mistakes: string[] = [];
    for (const place of places) {
      const uses = touches[method]?.(place, ground.materials) ?? [];
      for (const use of uses) {
        const expected = ground.oracle.verdict(method, use.touch);
        const outcome = await outcomeOf(method, use, ground);
        if (!agrees(outcome, expected, use)) {
          const how = use.how === undefined ? '' : `, ${use.how}`;
          const found = [outcome.said, ...outcome.traces].join(' and ');
          mistakes.push(`${place.name}${how}: ${expected} was expected, ${found}`);
        }
        if (outcome.traces.length > 0) await restore(place, use);
      }
    }
    return mistakes;
  }

  /** The session saves the login, which would take most of the time. */
  async function beginSession(
    { node, changed }: Pick<Ground, 'node' | 'changed'>,
    as: Person,
  ): Promise<Session> {
    const { headers } = await node.answer({ as });
    const cookie = /=([^;]+);/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
    changed.splice(0);
    await node.call('Who_Am_I', {}, { as: null, cookie });
    return { cookie, usual: new Set(changed) };
  }

  async function outcomeOf(method: string, use: Use, { node, changed, session: { cookie, usual } }: Ground) {
    node.directory.takeAsked();
    changed.splice(0);
    const { error } = await node.call(method, use.params, { as: null, cookie });
    const traces = [
      ...node.directory.takeAsked().filter((what) => writing.test(what)),
      ...changed.filter((what) => !usual.has(what)),
    ];
    return { said: error ? `${error.reason} (${String(error.data)})` : 'allowed', traces };
  }

  /** Puts back what a call has changed. */
  async function restore({ dn, idle, fresh }: Place, { touch: { to } }: Use): Promise<void> {
    const names = [dn, idle].filter((name) => name !== undefined);
    if (to !== undefined && (await exists(to)) && !(await exists(dn)))
      await service.rename(Dn.parse(to), { rdn: Dn.parse(dn).rdn, parent: parentOf(dn) });
    if (fresh !== undefined && (await exists(fresh))) await service.remove(Dn.parse(fresh));
    for (const name of names) if (!(await exists(name))) await buildWorld(manager);
    if (idle !== undefined) await manager.Deactivate_LDAP_Object({ dn: idle });
    const before = snapshots.get(dn) ?? new Map();
    const now = await attributesOf(dn);
    const changes = [...new Set([...before.keys(), ...now.keys()])]
      .filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(now.get(name)))
      .map(
        (attribute) => ({ operation: 'replace', attribute, values: before.get(attribute) ?? [] }) as const,
      );
    if (changes.length > 0) await service.modify(Dn.parse(dn), changes);
    const record = await fixture.ports.certificates.find(serials.get(dn) ?? '');
    if (record?.revoked !== undefined) await certify(dn);
  }

  async function certify(dn: string): Promise<void> {
    const request = requests.get(dn);
    if (request === undefined) return;
    await manager.Sign_certificate_Request({ request });
    const issued = await manager.List_Certificates({ dn });
    serials.set(dn, issued.findLast(({ status }) => status === 'valid')?.serial ?? '');
  }

  async function exists(dn: string): Promise<boolean> {
    return (await service.read(Dn.parse(dn), ['1.1'])) !== undefined;
  }

  async function attributesOf(dn: string): Promise<Attributes> {
    const entry = await service.read(Dn.parse(dn), ['*']);
    return entry?.attributes ?? new Map();
  }
}

const settingsOf = ({ dn }: Person, { roles = {}, optionSets = {} }: Rules) => ({
  roles: Object.fromEntries(Object.entries(roles).map(([name, row]) => [name, { ...row, members: [dn] }])),
  option_sets: optionSets,
});

const situationOf = ({ dn }: Person, { roles, optionSets = {} }: Rules): Situation => ({
  ...{ caller: dn, ...(roles && { roles }), optionSets: Object.values(optionSets) },
  ...{ listed: superAdmins, containers, bases: ['dc=example,dc=org'] },
  administrators: {
    ...Object.fromEntries(supers.map((name) => [name, 'super' as const])),
    ...(roles && { [dn]: Object.keys(roles) }),
  },
});

const parentOf = (dn: string): Dn => Dn.parse(dn.slice(dn.indexOf(',') + 1));

interface Session {
  readonly cookie: string;
  /** What every request of it changes. */
  readonly usual: ReadonlySet<string>;
}

interface Outcome {
  readonly said: string;
  /** What was changed, beside what every request changes. */
  readonly traces: readonly string[];
}

function agrees({ said, traces }: Outcome, expected: Verdict, { fails = [] }: Use): boolean {
  const reason = said.split(' ', 1)[0] ?? '';
  if (expected === 'allowed') return reason === 'allowed' || fails.includes(reason);
  return traces.length === 0 && reason === (expected === 'denied' ? 'permission_denied' : 'not_found');
}

async function makeRequests() {
  const openssl = await openOpenssl();
  const requests = new Map<string, string>();
  for (const { dn, uid } of places) {
    if (uid === undefined) continue;
    const subject = `/CN=Default\\\\${uid}/UID=${uid}/DC=Default/description=USER`;
    requests.set(dn, (await openssl.request(subject)).request);
  }
  const subject = `/CN=uid=admin,${people}/description=ADMIN`;
  const { request: administratorRequest } = await openssl.request(subject);
  await openssl.close();
  return { requests, administratorRequest };
}

/** An engine that tells what was changed through it. */
function noted<T extends Store | CertificateRecords>(engine: T, note: (what: string) => void): T {
  const changing = ['put', 'remove', 'take', 'claim', 'count', 'add', 'revoke'];
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (changing.includes(String(name))) note(`${String(name)} ${String(given[0])}`);
        return Reflect.apply(value, target, given);
      };
    },
  });
}
