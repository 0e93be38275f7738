/** Stores on one directory: which of them the directory knows, and which one was set back. Real slapds, real stores. */
import { createSecretKey } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openEnvironment, openStore } from '../../../../embedded/src/index.ts';
import { openLdapDirectory } from '../../../../ldap/src/index.ts';
import { systemClock, systemRandom } from '../../../../node/src/machine/index.ts';
import { tokenChanges } from '../../authenticators/token-data.ts';
import { hotp } from '../../foundation/oath/hotp.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { readServiceConfig } from '../../index.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { Store } from '../../ports/store/store.ts';
import { Names } from '../../table/dialect.ts';
import { type Slapd, startSlapd } from '../../testing/bed/engines/slapd.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { scratchFolder } from '../../testing/bed/scratch.ts';
import { KeptLog } from '../../testing/kept-log.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { swapData } from '../data/data.ts';
import { findEntryRef } from '../data/user-data.ts';
import { Domains } from '../domain.ts';
import { type BindingContext, StoreBindings } from './store-bindings.ts';

const minutes = 60_000;
const days = 86_400_000;

let slapd: Slapd;
beforeAll(async () => {
  slapd = await startSlapd();
});
afterAll(() => slapd.stop());

let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  await service().modify(people(), [{ operation: 'replace', attribute: 'webadmData', values: [] }]);
});

const people = () => Dn.parse(slapd.people);
const dataOfPeople = async () =>
  (await service().read(people(), ['webadmData']))?.attributes.get('webadmdata');

const opened = new Map<string, DirectoryServer>();
afterAll(() => Promise.all([...opened.values()].map((one) => one.close())));

/** The directory as an identity sees it that the service is bound as. */
function boundAs(dn: string, password: string, server = slapd): DirectoryServer {
  const key = `${server.url} ${dn}`;
  const options = { urls: [server.ldapsUrl], ca: server.ca, bind_dn: dn, bind_password: password };
  const found = opened.get(key) ?? openLdapDirectory(options, { clock: systemClock, log: new KeptLog() });
  opened.set(key, found);
  return found;
}
const service = () => boundAs(slapd.rootDn, slapd.rootPassword).service;

async function newStore(): Promise<{ store: Store; copy(): Promise<Store> }> {
  const folder = await scratchFolder('mark');
  return openIn(folder);
}

async function openIn(folder: string) {
  const environment = await openEnvironment(folder);
  onTestFinished(async () => {
    await environment.close();
    await rm(folder, { recursive: true });
  });
  const copy = async () => {
    const target = await scratchFolder('mark-copy');
    await environment.copy(target);
    return (await openIn(target)).store;
  };
  return { store: openStore(environment, clock), copy };
}

/** A node: a service that begins to use a store. */
function node(store: Store, more: Partial<BindingContext> & { stores?: 'separate' } = {}) {
  const { stores = 'shared', ...others } = more;
  const config = readServiceConfig({ stores, domains: { Default: { base: slapd.people } } });
  const log = new KeptLog();
  const usual = { config, names: new Names(config.names), domains: new Domains(config), log };
  const directory = boundAs(slapd.rootDn, slapd.rootPassword);
  const binding = new StoreBindings({ ...usual, directory, store, clock, random: systemRandom, ...others });
  return { binding, log, standing: () => binding.state(people()) };
}

describe('a store binding', () => {
  it('accepts the same store on all nodes', async () => {
    const { store } = await newStore();
    const nodes = [node(store), node(store), node(store)];
    for (let round = 0; round < 20; round += 1) {
      const standings = await Promise.all(nodes.map(({ standing: state }) => state()));
      for (const state of standings) expect(state).toEqual({ kind: 'ours', place: people() });
      clock.advance(11 * minutes);
    }
    expect(await dataOfPeople()).toHaveLength(1);
  });

  it('detects another store, which leaves no binding', async () => {
    await node((await newStore()).store).standing();
    const before = await dataOfPeople();
    clock.advance(days);
    const another = await node((await newStore()).store).standing();
    expect(another).toEqual({ kind: 'another', place: people(), seen: clock.now() - days });
    expect(await dataOfPeople()).toEqual(before);
  });

  it('is won by one of two stores that begin at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      await service().modify(people(), [{ operation: 'replace', attribute: 'webadmData', values: [] }]);
      const nodes = [node((await newStore()).store), node((await newStore()).store)];
      const kinds = (await Promise.all(nodes.map(({ standing: state }) => state()))).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'ours').length).toBeLessThanOrEqual(1);
      expect(kinds).toContain('another');
      expect((await dataOfPeople()) ?? []).toHaveLength(kinds.filter((kind) => kind === 'ours').length);
    }
  });

  it('accepts several stores when they are configured as separate', async () => {
    const [first, second] = [await newStore(), await newStore()];
    const copy = first.copy;
    expect((await node(first.store, { stores: 'separate' }).standing()).kind).toBe('ours');
    const older = await copy();
    clock.advance(11 * minutes);
    expect((await node(second.store, { stores: 'separate' }).standing()).kind).toBe('ours');
    expect((await node(first.store, { stores: 'separate' }).standing()).kind).toBe('ours');
    expect((await node(older, { stores: 'separate' }).standing()).kind).toBe('older');
    expect((await node(first.store).standing()).kind).toBe('another');
  });

  it('forgets a store after two days without use', async () => {
    const [first, second] = [await newStore(), await newStore()];
    await node(first.store).standing();
    clock.advance(2 * days);
    expect((await node(second.store).standing()).kind).toBe('ours');
    expect((await node(first.store).standing()).kind).toBe('another');
  });

  it('keeps other data of the entry', async () => {
    const values = ['Otp.TokenType=VE9UUA==,Sso.Other=MQ=='];
    await service().modify(people(), [{ operation: 'add', attribute: 'webadmData', values }]);
    await node((await newStore()).store).standing();
    expect(await dataOfPeople()).toEqual([
      expect.stringMatching(/^Otp\.TokenType=VE9UUA==,Sso\.Other=MQ==,Otp\.Store=/),
    ]);
  });
});

describe('a store that was set back', () => {
  it('is detected, also while it is used, and accepted again after an administrator confirms', async () => {
    const { store, copy } = await newStore();
    await node(store).standing();
    const older = await copy();
    const restored = node(older);
    // As the directory knows it: nothing has been used since.
    expect((await restored.standing()).kind).toBe('ours');
    const original = node(store);
    expect((await original.standing()).kind).toBe('older');
    expect(await original.binding.adopt(people())).toEqual({ kind: 'older', place: people() });
    expect((await original.standing()).kind).toBe('ours');
    clock.advance(11 * minutes);
    expect((await restored.standing()).kind).toBe('older');
  });

  it('is not assumed when the directory was set back', async () => {
    const { store } = await newStore();
    await node(store).standing();
    const before = await dataOfPeople();
    await node(store).standing();
    await service().modify(people(), [
      { operation: 'replace', attribute: 'webadmData', values: [...(before ?? [])] },
    ]);
    expect((await node(store).standing()).kind).toBe('ours');
  });

  it('may replace a store that no longer exists', async () => {
    await node((await newStore()).store).standing();
    const { store } = await newStore();
    expect((await node(store).binding.adopt(people())).kind).toBe('another');
    expect((await node(store).standing()).kind).toBe('ours');
  });
});

describe('a login with a code', () => {
  it('checks the binding once in ten minutes', async () => {
    const watched = boundAs(slapd.rootDn, slapd.rootPassword);
    let reads = 0;
    const read: typeof watched.service.read = (dn, attributes) => {
      reads += 1;
      return watched.service.read(dn, attributes);
    };
    const directory = { ...watched, service: { ...watched.service, read } };
    const capabilities: DirectoryServer['capabilities'] = (dn) => watched.capabilities(dn);
    const modify: typeof watched.service.modify = (dn, changes) => watched.service.modify(dn, changes);
    const { binding } = node((await newStore()).store, {
      directory: { ...directory, capabilities, service: { ...directory.service, modify } },
    });
    const alice = Dn.parse(`uid=alice,${slapd.people}`);
    await Promise.all(Array.from({ length: 100 }, () => binding.assure(alice)));
    const first = reads;
    expect(first).toBeGreaterThan(0);
    clock.advance(10 * minutes - 1);
    await binding.assure(alice);
    expect(reads).toBe(first);
    clock.advance(1);
    await binding.assure(alice);
    expect(reads).toBeGreaterThan(first);
  });

  it('is refused while the directory has the binding of another store, and the log has the cure', async () => {
    await node((await newStore()).store).standing();
    const { binding, log } = node((await newStore()).store);
    const alice = Dn.parse(`uid=alice,${slapd.people}`);
    await expect(binding.assure(alice)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(log.lines.at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringMatching(
        /servers with another data folder use this directory too.+stores: separate/,
      ),
    });
    await service().modify(people(), [{ operation: 'replace', attribute: 'webadmData', values: [] }]);
    await binding.assure(alice);
  });

  it('is refused by a node of another store, and its code is not used up', async () => {
    const domains = { Default: { base: slapd.people } };
    const config = { domains, settings: { 'Otp.LoginMode': 'OTP' }, limits: { login_failure_delay_ms: 0 } };
    const open = async () => {
      // The service closes its directory.
      const bind = { bind_dn: slapd.rootDn, bind_password: slapd.rootPassword };
      const options = { urls: [slapd.ldapsUrl], ca: slapd.ca, ...bind };
      const directory = openLdapDirectory(options, { clock: systemClock, log: new KeptLog() });
      const fixture = await openFixture({ config, ports: () => ({ directory }) });
      onTestFinished(() => fixture.close());
      return fixture;
    };
    const ours = await open();
    const bob = Dn.parse(`uid=bob,${slapd.people}`);
    const attributes = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: ['bob'], sn: ['bob'] };
    await service().add(bob, new Map(Object.entries(attributes)));
    const secret = Buffer.from('12345678901234567890');
    const token = tokenChanges(1, { type: 'HOTP', secret, state: { counter: 0 } });
    await swapData(await findEntryRef(bob, ours.core), () => token, ours.core);
    const source = { secret: createSecretKey(secret), digits: 6 };
    const logIn = (at: Fixture, counter: number) =>
      at.service.web.otp.normalLogin({ username: 'bob', otpPassword: hotp(source, counter) });
    expect(await logIn(ours, 0)).toMatchObject({ code: 1 });
    expect(await logIn(await open(), 1)).toMatchObject({ code: 0, error: 'ServerError' });
    expect(await logIn(ours, 1)).toMatchObject({ code: 1 });
  });

  it('is refused when the directory does not answer', async () => {
    const down = await startSlapd();
    onTestFinished(() => down.stop());
    const directory = boundAs(down.rootDn, down.rootPassword, down);
    const { binding } = node((await newStore()).store, { directory });
    await down.halt();
    await expect(binding.assure(people())).rejects.toMatchObject({ reason: 'unavailable' });
    await down.resume();
    await binding.assure(people());
  });
});

describe('the entry of a binding', () => {
  it('is none, with a warning, when the service may not write', async () => {
    const directory = boundAs(slapd.readerDn, slapd.readerPassword);
    const state = await node((await newStore()).store, { directory }).standing();
    const places = [people(), Dn.parse(slapd.readerDn)];
    expect(state).toEqual({ kind: 'unbound', places, attribute: 'webadmData' });
  });

  it('is read by a service that may only read', async () => {
    await node((await newStore()).store).standing();
    const directory = boundAs(slapd.readerDn, slapd.readerPassword);
    const state = await node((await newStore()).store, { directory }).standing();
    expect(state.kind).toBe('another');
  });

  it('is that of the service when the base has no class for it', async () => {
    const access = `access to attrs=userPassword by anonymous auth
access to dn.subtree="dc=example,dc=org" attrs=webadmData by dn.exact="cn=reader,ou=people,dc=example,dc=org" write
access to * by users read`;
    const other = await startSlapd({ access });
    onTestFinished(() => other.stop());
    const root = boundAs(other.rootDn, other.rootPassword, other).service;
    const own = Dn.parse(other.readerDn);
    await root.modify(people(), [{ operation: 'delete', attribute: 'objectClass', values: ['webadmGroup'] }]);
    const directory = boundAs(other.readerDn, other.readerPassword, other);
    const { store } = await newStore();
    expect((await node(store, { directory }).standing()).kind).toBe('unbound');
    await root.modify(own, [{ operation: 'add', attribute: 'objectClass', values: ['webadmGroup'] }]);
    expect(await node(store, { directory }).standing()).toEqual({ kind: 'ours', place: own });
    expect((await node((await newStore()).store, { directory }).standing()).kind).toBe('another');
  });

  it('is not needed for an embedded directory, nor when records hold the tokens', async () => {
    const fixture = await openFixture();
    onTestFinished(() => fixture.close());
    expect(await fixture.core.storeBindings.state(Dn.parse(fixture.base))).toEqual({ kind: 'alone' });
    expect(fixture.directory.takeAsked()).toEqual(['capabilities']);
    const plain = await startSlapd({ accountSchema: false });
    onTestFinished(() => plain.stop());
    const directory = boundAs(plain.rootDn, plain.rootPassword, plain);
    expect(await node((await newStore()).store, { directory }).standing()).toEqual({ kind: 'alone' });
  });
});
