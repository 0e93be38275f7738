import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManager } from '@watchword/client';
import { Dn } from '@watchword/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from './app.ts';

let folder: string;
let address: string;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-express-'));
  const { app, service, directory } = await createApp(folder);
  await directory.add(
    Dn.parse('uid=owner,dc=shop,dc=example'),
    new Map(
      Object.entries({
        objectclass: ['inetOrgPerson'],
        cn: ['O'],
        sn: ['O'],
        userpassword: ['the-0wner-Pa55'],
      }),
    ),
  );
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = async () => {
    await new Promise((resolve) => server.close(resolve));
    await service.close();
  };
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

it('is still the shop', async () => {
  expect(await (await fetch(address)).text()).toBe('The shop');
});

it('administers its users', async () => {
  const manager = createManager({ url: `${address}/users/`, username: 'owner', password: 'the-0wner-Pa55' });
  const dn = 'uid=clerk,dc=shop,dc=example';
  const attrs = { objectclass: ['inetOrgPerson'], cn: 'Clerk', sn: 'Clerk', userpassword: 'c1erk-Pa55' };
  expect(await manager.Create_LDAP_Object({ dn, attrs })).toBe(1);
  expect(await manager.Get_User_DN({ username: 'clerk', domain: 'Staff' })).toBe(dn);
  expect(await manager.Check_User_Password({ dn, password: 'c1erk-Pa55' })).toBe(true);
});

it('takes under 30 lines', async () => {
  const lines = (await readFile(new URL('app.ts', import.meta.url), 'utf8')).trim().split('\n');
  expect(lines.length).toBeLessThan(30);
});
