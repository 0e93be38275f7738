/** Long answers are made and written in stints. How often others have their turn is counted, and no time. */
import type { DirectoryServer, Dn } from '@watchword/core';
import { openFixture, turnsDuring } from '@watchword/core/testing/bed';
import { createManagerHandler } from '@watchword/server-manager';
import { afterAll, beforeAll, expect, it } from 'vitest';

const entries = 10_000;

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture({ config: { manager_session: 600 } });
});
afterAll(() => fixture.close());

const call = (method: string, params: unknown, id = 1) => ({ jsonrpc: '2.0', id, method, params });

function ask(body: unknown): Promise<Response> {
  const { username, password } = fixture.admin;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const request = new Request('https://manager.example.org/manag/', {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify(body),
  });
  return createManagerHandler(fixture.service)(request, { address: '192.0.2.1', port: 40_000 });
}

it('a batch is written with a turn for others after some hundred kilobytes at most', async () => {
  const { dn } = fixture.users.alice;
  await fixture.call('Set_User_Attrs', { dn, attrs: { description: 'x'.repeat(100_000) } });
  const response = await ask(Array.from({ length: 100 }, (_, id) => call('Get_User_Attrs', { dn }, id)));
  let text = '';
  const turns = await turnsDuring(async () => {
    text = await response.text();
  });
  expect(text.length).toBeGreaterThan(10_000_000);
  expect(turns).toBeGreaterThan(50);
  const answers = JSON.parse(text);
  expect(answers).toHaveLength(100);
  expect(answers[99]).toMatchObject({ id: 99, result: { description: ['x'.repeat(100_000)] } });
});

it('a short answer says how long it is', async () => {
  const response = await ask(call('Who_Am_I', {}));
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await turnsDuring(() => response.json())).toBeLessThan(10);
});

it('a search for thousands is answered in stints', async () => {
  const node = await fixture.another({ ports: ({ directory }) => ({ directory: crowded(directory) }) });
  const { manager, close } = await node.service.manager.login(fixture.admin);
  let found = 0;
  const turns = await turnsDuring(async () => {
    found = Object.keys(await manager.Search_LDAP_Objects({ basedn: fixture.base })).length;
  });
  await close();
  await node.close();
  expect(found).toBe(entries);
  expect(turns).toBeGreaterThan(entries / 200);
});

/** One that finds thousands of entries in no time. */
function crowded(directory: DirectoryServer): DirectoryServer {
  const crowd = Array.from({ length: entries }, (_, n) => ({
    dn: `uid=s${n},ou=people,${fixture.base}`,
    attributes: new Map([['mail', [`s${n}@example.org`]]]),
  }));
  return changed(directory, 'bind', async (dn: Dn, password: string) => {
    const bound = await directory.bind(dn, password);
    return bound.granted
      ? { ...bound, directory: changed(bound.directory, 'search', async () => crowd) }
      : bound;
  });
}

const changed = <T extends object>(whole: T, name: keyof T, by: unknown): T =>
  new Proxy(whole, {
    get: (_, of) => {
      const value: unknown = of === name ? by : Reflect.get(whole, of);
      return typeof value === 'function' ? value.bind(whole) : value;
    },
  });
