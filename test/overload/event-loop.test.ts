/** No request keeps all others waiting for more than 20 ms, whatever is in it. */
import { longestTurn, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofAdministrators, ofStrangers } from './bodies.ts';

const most = 20;

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      limits: { login_failure_delay_ms: 0, user_failures: 1_000_000 },
      manager_session: 600,
    },
  });
});
afterAll(() => fixture.close());

describe('a stranger keeps nobody waiting with', () => {
  it.each(Object.entries(ofStrangers))('%s', async (_, { path, type, body }) => {
    const bytes = Buffer.from(body);
    expect(bytes.length).toBeLessThanOrEqual(65_536);
    const request = {
      method: 'POST',
      url: new URL(path, 'https://login.example.org'),
      headers: new Headers({ 'content-type': type }),
      body: async () => bytes,
      address: '192.0.2.1',
      port: 40_000,
    };
    expect(await longestTurn(() => fixture.service.web.answer(request), most)).toBeLessThan(most);
  });
});

describe('an administrator keeps nobody waiting with', () => {
  it.each(Object.keys(ofAdministrators('')))('%s', async (name) => {
    const body = Buffer.from(ofAdministrators(fixture.users.alice.dn)[name] ?? '');
    expect(await longestTurn(() => fixture.answer({ body }), most)).toBeLessThan(most);
  });
});
