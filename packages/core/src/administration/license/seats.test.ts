/** What a place costs, and that processes do not take the same one. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDirectory, openEnvironment } from '../../../../embedded/src/index.ts';
import { systemClock, systemRandom } from '../../../../node/src/machine/index.ts';
import type { ManagerCalls } from '../../doors/manager/methods.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { equal } from '../../foundation/text/filter.ts';
import { bundle } from '../../testing/bed/children/test-child.ts';
import { scratchFolder } from '../../testing/bed/scratch.ts';
import { licenseFor, newLicense, signLicense, usualLicense } from '../../testing/bed/signed-license.ts';
import { openStage, type Stage } from '../../testing/bed/stage.ts';
import { Seats } from './seats.ts';

describe('what an activation costs', () => {
  let stage: Stage;
  let container: string;
  let people: string[];
  beforeAll(async () => {
    stage = await openStage('embedded');
    container = await stage.container();
    const names = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'];
    people = await Promise.all(
      names.map((name) => stage.person(container, name, { objectclass: 'inetOrgPerson' })),
    );
  });
  afterAll(() => stage.close());

  /** A node with directory calls of its own to look at. */
  const enter = async (license?: ReturnType<typeof licenseFor>) => {
    const config = { manager_auth: 'DN' as const };
    const node = await stage.fixture.another({ config, ports: () => (license ? { license } : {}) });
    const { admin } = stage.fixture;
    const { manager, close } = await node.service.manager.login({ ...admin, username: admin.dn });
    const costOf = async (run: (manager: ManagerCalls) => Promise<unknown>): Promise<string[]> => {
      node.directory.takeAsked();
      await run(manager);
      return node.directory.takeAsked().filter((name) => name !== 'capabilities'); // remembered by the adapters
    };
    return { costOf, close };
  };
  const alone = ['read', 'modify'];

  it('is nothing more without a licence, nor with one that limits hosts only', async () => {
    for (const license of [undefined, newLicense({ products: { SshKey: { maximum_hosts: 1 } } })]) {
      const { costOf, close } = await enter(license);
      const dn = people.pop() ?? '';
      expect(await costOf((manager) => manager.Activate_LDAP_Object({ dn }))).toEqual(alone);
      const dn2 = `uid=new${people.length},${container}`;
      const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'new', sn: 'new' };
      expect(await costOf((manager) => manager.Create_LDAP_Object({ dn: dn2, attrs }))).toEqual(['add']);
      await close();
    }
  });

  it('is a read, and a count once a minute while there are places', async () => {
    const { costOf, close } = await enter(licenseFor(100));
    const activate = () => costOf((manager) => manager.Activate_LDAP_Object({ dn: people.pop() ?? '' }));
    const counted = ['read', 'service.read', 'service.search', 'modify'];
    const known = ['read', 'service.read', 'modify'];
    expect(await activate()).toEqual(counted);
    expect(await activate()).toEqual(known);
    stage.fixture.clock.advance(59_999);
    expect(await activate()).toEqual(known);
    stage.fixture.clock.advance(1);
    expect(await activate()).toEqual(counted);
    await close();
  });

  it('is nothing more for what makes nobody active', async () => {
    const { costOf, close } = await enter(licenseFor(0));
    const dn = people.at(-1) ?? '';
    const mail = { mail: 'a@example.org' };
    expect(await costOf((manager) => manager.Set_User_Attrs({ dn, attrs: mail }))).toEqual(['modify']);
    const attrs = { objectclass: 'inetOrgPerson', cn: 'plain', sn: 'plain' };
    const plain = `uid=plain,${container}`;
    expect(await costOf((manager) => manager.Create_LDAP_Object({ dn: plain, attrs }))).toEqual(['add']);
    expect(await costOf((manager) => manager.Rename_LDAP_Object({ dn: plain, name: 'simple' }))).toEqual([
      'rename',
    ]);
    await close();
  });

  it('is nothing at all when it took so long that the next one may be at it: nothing is written', async () => {
    const { ports, clock } = stage.fixture;
    const count = async () => {
      clock.advance(10_001);
      return 0;
    };
    const places = new Seats({ ...ports, license: licenseFor(100), count });
    let written = false;
    const write = async () => {
      written = true;
    };
    clock.advance(60_000);
    await expect(places.admit({ newcomers: async () => 1, write })).rejects.toMatchObject({
      reason: 'unavailable',
    });
    expect(written).toBe(false);
  });
});

describe('processes on one store', () => {
  it('activate as many as there are places, together', async () => {
    const folder = await scratchFolder('places');
    const environment = await openEnvironment(folder);
    const base = Dn.parse('dc=example,dc=org');
    const ports = { clock: systemClock, random: systemRandom };
    const { service } = await openDirectory(environment, { base }, ports);
    const people = Array.from({ length: 40 }, (_, n) => base.child([{ type: 'uid', value: `person${n}` }]));
    const attributes = { objectclass: ['inetOrgPerson'], cn: ['Person'], sn: ['Person'] };
    for (const dn of people) await service.add(dn, new Map(Object.entries(attributes)));

    const { license, key } = signLicense({
      ...usualLicense,
      ...times,
      products: { Otp: { maximum_users: 7 } },
    });
    const child = await bundle('activation-child.ts');
    const processes = [0, 1, 2, 3].map((n) => {
      const own = people.filter((_, index) => index % 4 === n).map((dn) => dn.toString());
      return child.start(folder, base.toString(), license, key, ...own);
    });
    const messages = () => Promise.all(processes.map(async (process) => (await once(process, 'message'))[0]));
    await messages();
    for (const process of processes) process.send('now');
    const outcomes = (await messages()).flat().sort();
    expect(outcomes).toEqual([
      ...Array.from({ length: 7 }, () => 'activated'),
      ...Array.from({ length: 33 }, () => 'license_refused'),
    ]);
    const filter = equal('objectClass', 'webadmAccount');
    expect(await service.search({ base, scope: 'sub', filter, attributes: ['1.1'] })).toHaveLength(7);

    await Promise.all(processes.map(async (process) => process.exitCode ?? (await once(process, 'exit'))[0]));
    await child.dispose();
    await environment.close();
    await rm(folder, { recursive: true });
  });
});

/** Processes go by the clock of the machine. */
const times = { valid_from: '2000-01-01 00:00:00', valid_to: '9999-12-31 23:59:59' };
