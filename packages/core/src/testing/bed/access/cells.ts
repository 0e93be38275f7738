/**
 * Cells of the matrix: real calls of a method by a caller about an entry. Changes are undone after each, so that all cells begin alike;
 * changes of a refused call are reported.
 */
import type { NamedMethod } from '../../../doors/manager/methods.ts';
import type { CertificateRecords } from '../../../ports/store/certificate-records.ts';
import type { Store } from '../../../ports/store/store.ts';
import { openOpenssl } from '../engines/openssl.ts';
import { type Fixture, type FixtureOptions, openFixture, type Person } from '../fixture.ts';
import type { Materials } from './effects.ts';
import { Keeper } from './keeper.ts';
import { type OptionSetRow, Oracle, type Situation, type Verdict } from './oracle.ts';
import { searches, type Use, usesOf } from './uses.ts';
import { bases, containers, people, places, superAdmins, supers, withMail } from './world.ts';

/** Left out: the caller is a super administrator. */
export type Rules = Pick<Situation, 'roles'> & {
  readonly optionSets?: Readonly<Record<string, OptionSetRow>>;
};

export interface Matrix {
  readonly fixture: Fixture;
  /** The same world, as somebody meets it under other rules. */
  enter(as: Person, rules: Rules): Promise<Cells>;
  close(): Promise<void>;
}

const config = {
  ...{ super_admins: superAdmins, manager_session: 3600 },
  // A PIN can be registered; nobody has one.
  settings: { 'Otp.OTPPrefix': 'Yes' },
};

/** @param applications those that it has beside the usual ones */
export async function openMatrix(applications?: FixtureOptions['applications']): Promise<Matrix> {
  const fixture = await openFixture({ config });
  const { manager, close } = await fixture.service.manager.login(fixture.admin);
  const { requests, administratorRequest } = await makeRequests();
  const keeper = await Keeper.open(fixture.ports, manager, requests);
  const { certificate } = fixture.authority;
  const materials = {
    ...{ certificate, requests, administratorRequest, counter: rising(2), step: rising(1) },
    serial: (dn: string) => keeper.serial(dn),
  };
  return {
    fixture,
    enter: async (as, rules) => {
      const changed: string[] = [];
      const note = (what: string) => changed.push(what);
      const node = await fixture.another({
        config: { ...config, ...settingsOf(as, rules) },
        ...(applications && { applications }),
        ports: ({ store, certificates }) => ({
          store: noted(store, note),
          certificates: noted(certificates, note),
        }),
      });
      const now = () => Math.floor(node.clock.now() / 30_000);
      const own = { ...materials, step: () => now() + materials.step() };
      const cells = new Cells({ node, changed, keeper, materials: own, oracle: oracleOf(as, rules) });
      await cells.begin(as);
      return cells;
    },
    close: async () => {
      await close();
      await fixture.close();
    },
  };
}

interface CellParts {
  readonly node: Fixture;
  /** Changes in the store and in the records of certificates. */
  readonly changed: string[];
  readonly keeper: Keeper;
  readonly materials: Materials;
  readonly oracle: Oracle;
}

/** Writes, of which a refused call makes none. */
const writing = /(?:^|\.)(?:add|modify|rename|remove|setPassword)$/;

export class Cells {
  readonly #parts: CellParts;
  #cookie = '';
  /** Offers by DN; entries are put back, so that they stay true. */
  readonly #offered = new Map<string | undefined, ReadonlySet<unknown>>();
  /** Changes that every request of the session makes. */
  #usual: ReadonlySet<string> = new Set();

  constructor(parts: CellParts) {
    this.#parts = parts;
  }

  /** A session saves the logins, which would take most of the time. */
  async begin(as: Person): Promise<void> {
    const { node, changed } = this.#parts;
    const { headers } = await node.answer({ as });
    this.#cookie = /=([^;]+);/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
    changed.splice(0);
    await this.#call('Who_Am_I', {});
    this.#usual = new Set(changed);
  }

  /** Every cell of a method that is not as the oracle says; none: all are. */
  async mistakes(named: NamedMethod): Promise<readonly string[]> {
    const { ours: method } = named;
    if (searches.includes(method)) return this.#searchMistakes(method);
    const { keeper, materials, oracle } = this.#parts;
    const mistakes: string[] = [];
    for (const place of places) {
      for (const use of usesOf(named, place, materials)) {
        const expected = oracle.verdict(method, use.touch);
        const isOffered = await this.#isOffered(named, use);
        const outcome = await this.#outcome(method, use.params);
        if (!agrees(outcome, expected, use)) {
          const found = [outcome.said, ...outcome.traces].join(' and ');
          mistakes.push(`${place.name}, ${use.how ?? 'as usual'}: ${expected} was expected, ${found}`);
        }
        const isDenied = outcome.said.startsWith('permission_denied');
        if (
          isOffered === isDenied &&
          (isDenied ? isExact(method, use) : !use.touch.vague && expected !== 'missing')
        )
          mistakes.push(
            `${place.name}, ${use.how ?? 'as usual'}: ${isOffered ? '' : 'not '}offered, and ${outcome.said}`,
          );
        if (outcome.traces.length > 0) await keeper.restore(place, use.touch.to);
      }
    }
    return mistakes;
  }

  close(): Promise<void> {
    return this.#parts.node.close();
  }

  #call(method: string, params: object) {
    return this.#parts.node.call(method, params, { as: null, cookie: this.#cookie });
  }

  /** Returns the offer of `What_May_I`, on which pages depend. */
  async #isOffered({ ours }: NamedMethod, { touch: { on } }: Use): Promise<boolean> {
    const offered = this.#offered.get(on) ?? (await this.#offeredOn(on));
    this.#offered.set(on, offered);
    return offered.has(ours);
  }

  async #offeredOn(dn: string | undefined): Promise<ReadonlySet<unknown>> {
    const { result, error } = await this.#call('What_May_I', { dn });
    const { methods } = Object(result);
    if (error || !Array.isArray(methods)) throw new Error(`What_May_I: ${String(error?.data)}`);
    return new Set(methods);
  }

  async #outcome(method: string, params: object): Promise<Outcome> {
    const { node, changed } = this.#parts;
    node.directory.takeAsked();
    changed.splice(0);
    const { error } = await this.#call(method, params);
    const traces = [
      ...node.directory.takeAsked().filter((what) => writing.test(what)),
      ...changed.filter((what) => !this.#usual.has(what)),
    ];
    return { said: error ? `${error.reason} (${String(error.data)})` : 'allowed', traces };
  }

  /** A search answers with what is in reach; in that it differs from everything else. */
  async #searchMistakes(method: string): Promise<readonly string[]> {
    const mistakes: string[] = [];
    for (const basedn of bases) {
      for (const attribute of ['mail', 'userPassword']) {
        const of = { dns: withMail, attribute: attribute.toLowerCase() };
        const expected = this.#parts.oracle.found(method, basedn, of)?.sort().join(' ');
        const params = { basedn, filter: `(${attribute}=*)`, attrs: ['mail'] };
        const { result, error } = await this.#call(method, params);
        const found = error ? error.reason : Object.keys(Object(result)).sort().join(' ');
        if (found !== (expected ?? 'permission_denied'))
          mistakes.push(`${attribute} at ${basedn}: ${expected ?? 'denied'} was expected, ${found}`);
      }
    }
    return mistakes;
  }
}

/** Methods whose rights depend on further parameters; their attributes and classes are asked about by name. */
const byParameters = [
  ...['Create_LDAP_Object', 'Move_LDAP_Object', 'Set_User_Attrs', 'Remove_User_Attrs'],
  ...['Sync_LDAP_Object', 'Sync_LDAP_Delete', 'Set_Role', 'Remove_Role'],
  ...['Set_Config', 'Restore_Config', 'Make_API_Key', 'Renew_API_Key', 'Revoke_API_Key'],
];

const isExact = (method: string, { how }: Use): boolean =>
  how === undefined && !byParameters.includes(method);

interface Outcome {
  readonly said: string;
  /** Changes besides those of every request. */
  readonly traces: readonly string[];
}

function agrees({ said, traces }: Outcome, expected: Verdict, { fails = [], touch }: Use): boolean {
  const reason = said.split(' ', 1)[0] ?? '';
  if (expected === 'either') return reason !== 'permission_denied' || traces.length === 0;
  if (expected === 'allowed' && touch.vague) return reason !== 'permission_denied';
  if (expected === 'allowed') return reason === 'allowed' || fails.includes(reason);
  return traces.length === 0 && reason === (expected === 'denied' ? 'permission_denied' : 'not_found');
}

const settingsOf = ({ dn }: Person, { roles = {}, optionSets = {} }: Rules) => ({
  roles: Object.fromEntries(Object.entries(roles).map(([name, row]) => [name, { ...row, members: [dn] }])),
  option_sets: optionSets,
});

const oracleOf = ({ dn }: Person, { roles, optionSets = {} }: Rules): Oracle =>
  new Oracle({
    ...{ caller: dn, ...(roles && { roles }), optionSets: Object.values(optionSets) },
    ...{ listed: superAdmins, containers, bases: ['dc=example,dc=org'] },
    administrators: {
      ...Object.fromEntries(supers.map((name) => [name, 'super' as const])),
      ...(roles && { [dn]: Object.keys(roles) }),
    },
  });

/** Codes are good once, so each use has numbers of its own. */
function rising(by: number): () => number {
  let last = 0;
  return () => {
    last += by;
    return last;
  };
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

const changing = ['put', 'remove', 'take', 'claim', 'count', 'add', 'revoke', 'swap'];

/** An engine that tells what was changed through it. */
function noted<T extends Store | CertificateRecords>(engine: T, note: (what: string) => void): T {
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
