/** The example for real: over HTTP, by the typed client, in roles, audit, settings, stored data, and what describes it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManager, createWebServices } from '@watchword/client';
import { Dn, type ManagerCalls, readConfig, type WebCalls } from '@watchword/core';
import { reference } from '@watchword/core/describe';
import { listener } from '@watchword/node/http';
import { createManagerHandler } from '@watchword/server-manager';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { applications } from './parking.ts';
import { openParking } from './program.ts';

type Opened = Awaited<ReturnType<typeof openParking>>;

let folder: string;
let opened: Opened;
let servers: readonly Server[];
let urls: readonly [manager: string, ws: string];
let alice: string;

const managerOf = (username: string) =>
  createManager<ManagerCalls<typeof applications>>({ url: urls[0], username, password: `${username}-Pa55` });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-parking-'));
  opened = await openParking(folder);
  const { service, engines, base } = opened;
  for (const uid of ['admin', 'porter', 'alice']) {
    const person = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: [uid], sn: [uid], uid: [uid] };
    const attributes = new Map(Object.entries({ ...person, userpassword: [`${uid}-Pa55`] }));
    await engines.directory.service.add(Dn.parse(`uid=${uid},${base}`), attributes);
  }
  alice = `uid=alice,${base}`;
  servers = [createManagerHandler(service), createWebServiceHandler(service)].map((handler) =>
    createServer(listener(handler)).listen(0, '127.0.0.1'),
  );
  const [manager = '', ws = ''] = await Promise.all(servers.map(addressOf));
  urls = [manager, ws];
});
afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await opened.service.close();
  await opened.engines.close();
  await rm(folder, { recursive: true });
});

async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('an application of its own', () => {
  it('is called by the typed client, in our word or the installation’s', async () => {
    const manager = managerOf('admin');
    expect(await manager.Parking.Get_Plate({ dn: alice })).toBe(false);
    expect(await manager.Parking.Set_Plate({ dn: alice, plate: 'LU 4711' })).toBe(1);
    const read = manager.Parking.Get_Plate({ dn: alice });
    expectTypeOf(read).resolves.toEqualTypeOf<string | false>();
    expect(await read).toBe('LU 4711');
    const { data } = await manager.Get_User_Data({ dn: alice }).then((data) => ({ data }));
    expect(Object.keys(data)).toEqual(['Garage.Plate']);
  });

  it('keeps what is no public data encrypted on the entry', async () => {
    const entry = await opened.engines.directory.service.read(Dn.parse(alice), ['webadmdata']);
    expect(String(entry?.attributes.get('webadmdata'))).toMatch(/^Garage\.Plate=\{wcrypt\}/);
  });

  it('is what a role may grant, and nothing else with it', async () => {
    const porter = managerOf('porter');
    expect(await porter.Parking.Set_Plate({ dn: alice, plate: 'ZH 1' })).toBe(1);
    await expect(porter.Remove_LDAP_Object({ dn: alice })).rejects.toMatchObject({
      reason: 'permission_denied',
    });
  });

  it('has its setting judged, and its operation goes by it', async () => {
    const manager = managerOf('admin');
    const web = createWebServices<WebCalls<typeof applications>>({ url: urls[1] });
    expect(await web.parking.admit({ username: 'alice' })).toMatchObject({ code: 1, error: '' });
    expect(await web.parking.admit({ username: 'nobody' })).toMatchObject({ code: 0, error: 'NotAdmitted' });
    expect(await manager.Set_User_Settings({ dn: alice, settings: { 'Parking.EnableParking': 'No' } })).toBe(
      1,
    );
    expect(await web.parking.admit({ username: 'alice' })).toMatchObject({ code: 0, error: 'NotAdmitted' });
    const wrong = { 'Parking.EnableParking': 'Perhaps' as 'Yes' };
    await expect(manager.Set_User_Settings({ dn: alice, settings: wrong })).rejects.toMatchObject({
      reason: 'invalid_params',
    });
  });

  it('is there in process', async () => {
    const { service } = opened;
    expect(await service.web.parking.admit({ username: 'alice' })).toMatchObject({ code: 0 });
    const login = await service.manager.login({ username: 'admin', password: 'admin-Pa55' });
    expect(await login.manager.Parking.Get_Plate({ dn: alice })).toBe('ZH 1');
    await login.close();
  });

  it('is in the audit', async () => {
    const manager = managerOf('admin');
    const logged = async (application: string) =>
      (await manager.Get_Event_Logs({ application })).map(({ text }) => text).join('\n');
    expect(await logged('Manager')).toMatch(/uid=porter,\S+: Garage\.Set_Plate dn="uid=alice,\S+" .*: done/);
    expect(await logged('Parking')).toContain(`${alice}: granted`);
  });

  it('answers REST, and stands in the WSDL', async () => {
    const answer = await fetch(`${urls[1]}parking/json/parkingAdmit/?username=alice`);
    expect(await answer.json()).toEqual({ code: 0, error: 'NotAdmitted' });
    expect(await (await fetch(`${urls[1]}parking/?wsdl`)).text()).toContain('parkingAdmit');
  });

  it('is described with the others', () => {
    const pages = reference(applications);
    expect(pages.get('methods.md')).toContain('Parking.Set_Plate');
    expect(pages.get('operations.md')).toContain('parkingAdmit');
    expect(pages.get('application-settings.md')).toContain('Parking.EnableParking');
    expect(pages.get('openrpc.json')).toContain('Parking.Set_Plate');
    expect(pages.get('openapi.json')).toContain('parkingAdmit');
    expect(reference().get('methods.md')).not.toContain('Parking');
  });

  it('is not there for a configuration that has not been told of it', () => {
    const raw = { directory: { type: 'embedded', base: 'dc=a' }, domains: { A: { base: 'dc=a' } } };
    expect(() => readConfig({ ...raw, settings: { 'Parking.EnableParking': 'No' } })).toThrow(
      /is not a setting/,
    );
  });
});
