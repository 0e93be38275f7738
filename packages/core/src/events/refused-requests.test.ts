/** Methods that are not answered, and requests of other sites: events that say how often, and fill no disk. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import { openEcho } from '../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ config: { rest_get: false, names: { Otp: 'Theirs', otp: 'theirs' } } });
});
afterEach(() => fixture.close());

const page = async () => ({ status: 200, headers: {}, body: 'page' });
const foreign = { 'sec-fetch-site': 'cross-site' };
const get = { why: 'method', method: 'GET', address: '192.0.2.7', port: 4711 } as const;

describe('an event of a refused request', () => {
  it.each([
    [
      'GET where rest_get is false',
      '/otp/json/otpEcho/',
      {},
      'Theirs',
      'GET theirs (rest) is not answered there',
    ],
    ['PUT of an envelope', '/otp/', { method: 'PUT' }, 'Theirs', 'PUT theirs (soap) is not answered there'],
    ['DELETE of the index', '/', { method: 'DELETE' }, 'Manager', 'DELETE index is not answered there'],
    ['POST to the revocation list', '/crl', { method: 'POST' }, 'Manager', 'POST file is not answered there'],
    [
      'an envelope from another site',
      '/otp/',
      { body: '<x/>', headers: foreign },
      'Theirs',
      'POST theirs (soap) was sent by a page of another site',
    ],
    [
      'a form for a page of ours from another site',
      '/otp/page',
      { body: 'x=1', headers: foreign },
      'Theirs',
      'POST theirs (page) was sent by a page of another site',
    ],
  ])('is written for %s', async (_, path, asking, application, text) => {
    const { ask } = openEcho(fixture.core, { page });
    expect([403, 405]).toContain((await ask(path, asking)).status);
    const [event] = await fixture.ports.events.list({ application, max: 1 });
    expect(event).toMatchObject({
      client: expect.stringMatching(/^192\.0\.2\.1:/),
      text: `Refused: ${text}`,
      count: 1,
    });
    expect(fixture.log.lines.at(-1)?.fields).toMatchObject({ audit: true, outcome: 'refused' });
  });

  it('is written at the Manager, too', async () => {
    await fixture.service.manager.recordRefused(get);
    await fixture.service.manager.recordRefused({ ...get, why: 'cross-site', method: 'POST' });
    expect(fixture.events().map(({ application, text }) => [application, text])).toEqual([
      ['Manager', 'Refused: GET JSON-RPC is not answered there'],
      ['Manager', 'Refused: POST JSON-RPC was sent by a page of another site'],
    ]);
  });
});

it('counts a thousand concurrent requests in one event', async () => {
  let writes = 0;
  const node = await fixture.another({
    ports: ({ events }) => ({
      events: {
        ...events,
        append: async (event: AuditEvent) => {
          writes += 1;
          await events.append(event);
        },
      },
    }),
  });
  const one = (n: number) => node.service.manager.recordRefused({ ...get, port: n });
  await Promise.all(Array.from({ length: 1000 }, (_, n) => one(n)));
  expect(node.events().map(({ count }) => count)).toEqual([1000]);
  expect(writes).toBe(2);
  await node.close();
});

it('cuts an invented method, and keeps the event on one line', async () => {
  await fixture.service.manager.recordRefused({ ...get, method: `X\n${'y'.repeat(1000)}` });
  expect(fixture.events()[0]?.text).toBe(`Refused: X ${'y'.repeat(14)} JSON-RPC is not answered there`);
});

it('refuses a request even when its event cannot be stored', async () => {
  const full = new ServiceError('unavailable', { detail: 'the disk is full' });
  const node = await fixture.another({
    ports: ({ events }) => ({ events: { ...events, append: () => Promise.reject(full) } }),
  });
  expect(await openEcho(node.core).ask('/otp/', { method: 'PUT' })).toMatchObject({ status: 405 });
  expect(node.log.lines.at(-1)).toMatchObject({ level: 'warn', message: 'an event could not be kept' });
  await node.close();
});
