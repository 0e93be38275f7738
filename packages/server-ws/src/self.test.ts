/** The page of their own for users, at the web services: its files, and the sessions of the core. */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webServiceServer } from './options.ts';

const page = { contentType: 'text/html; charset=utf-8', hashed: false, brotli: undefined, gzip: undefined };
const files = new Map([['index.html', { ...page, bytes: Buffer.from('<!doctype html>') }]]);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const ask = (path: string, ...served: readonly (typeof files)[]) =>
  webServiceServer(fixture.service, ...served)(new Request(`https://localhost${path}`), {
    ...{ address: '192.0.2.1', port: 40_000 },
  });

it('stands at /self/ under a strict policy, with any of its paths; sessions are answered behind it', async () => {
  for (const path of ['/self/', '/self/tokens']) {
    const response = await ask(path, files);
    expect([path, response.status, await response.text()]).toEqual([path, 200, '<!doctype html>']);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  }
  const session = await ask('/self/session', files);
  expect(await session.json()).toMatchObject({ signedIn: false, mode: 'SELF' });
  expect((await ask('/self/')).status).toBe(404);
});
