import { rm, statfs } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedHandler } from '../../testing/bed/fixed-handler.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { scratchFolder } from '../../testing/bed/scratch.ts';
import { withHealth } from './health.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const peer = { address: '192.0.2.1', port: 1 };
const ask = (path: string, { service } = fixture, method = 'GET') =>
  withHealth(service, fixedHandler('other', 418))(new Request(`https://localhost${path}`, { method }), peer);

describe('withHealth', () => {
  it('says that the process answers', async () => {
    const response = await ask('/healthz');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it('says that all servers answer, or which ones do not', async () => {
    const good = await ask('/readyz');
    expect(good.status).toBe(200);
    expect(await good.json()).toEqual({
      status: 'ok',
      servers: { ldap: true, session: true, sql: true },
      free_bytes: expect.any(Number),
    });

    const broken = await fixture.another({
      ports: ({ store }) => ({ store: { ...store, probe: () => Promise.reject(new Error('secret path')) } }),
    });
    const bad = await ask('/readyz', broken);
    expect(bad.status).toBe(503);
    expect(await bad.json()).toEqual({
      status: 'not ready',
      servers: { ldap: true, session: false, sql: true },
    });
    expect((await ask('/healthz', broken)).status).toBe(200);
    await broken.close();
  });

  it.each([
    ['what lasts for seconds', 'ephemeral', { ldap: true, session: false, sql: true }],
    ['the event log', 'events', { ldap: true, session: true, sql: false }],
  ] as const)('is not ready where %s cannot be written', async (_, port, servers) => {
    const full = { probe: () => Promise.reject(new Error('no space left')) };
    const broken = await fixture.another({ ports: (usual) => ({ [port]: { ...usual[port], ...full } }) });
    const bad = await ask('/readyz', broken);
    expect([bad.status, await bad.json()]).toMatchObject([503, { servers }]);
    await broken.close();
  });

  it('asks the servers behind it once for many who ask together', async () => {
    fixture.directory.takeAsked();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/readyz')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(fixture.directory.takeAsked()).toEqual(['probe', 'probe']);
  });

  it('says how much room is left in the data folder', async () => {
    const folder = await scratchFolder('health');
    const { bavail, bsize } = await statfs(folder);
    await rm(folder, { recursive: true });
    const { free_bytes } = Object(await (await ask('/readyz')).json());
    expect(free_bytes / (bavail * bsize)).toBeGreaterThan(0.5);
    expect(free_bytes / (bavail * bsize)).toBeLessThan(2);
  });

  it('is only to be read', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await ask(path, fixture, 'HEAD')).status).toBe(200);
      const post = await ask(path, fixture, 'POST');
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('leaves other paths to others', async () => {
    for (const path of ['/', '/healthz/', '/healthzz', '/readyz/x'])
      expect((await ask(path)).status).toBe(418);
    expect((await ask('/healthz?x=1')).status).toBe(200);
  });
});
