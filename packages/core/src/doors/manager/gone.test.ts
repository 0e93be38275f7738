/** Batches whose caller disconnects: changes are completed, and reads end. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

it('reads nothing for whoever has gone, and makes the changes that were sent', async () => {
  const { alice } = fixture.users;
  const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const read = call('Get_User_Attrs', { dn: alice.dn });
  const change = (mail: string) => call('Set_User_Attrs', { dn: alice.dn, attrs: { mail } });
  const closing = new AbortController();
  const request = (signal: AbortSignal) => ({
    body: async () =>
      Buffer.from(JSON.stringify([read, change('a@example.org'), read, change('b@example.org')])),
    ...{ authorization: basic(fixture.admin), cookie: undefined, closing: false, signal },
    ...{ address: '192.0.2.1', port: 40_000 },
  });
  const reads = () => fixture.directory.takeAsked().filter((asked) => asked === 'read' || asked === 'search');
  expect((await fixture.service.manager.answer(request(closing.signal))).body).toHaveLength(4);
  const whole = reads();
  const body = JSON.stringify([read, change('c@example.org'), read, change('d@example.org')]);
  // It has gone while its body was read: who it is was known before.
  const response = await fixture.service.manager.answer({
    ...request(closing.signal),
    body: async () => {
      closing.abort();
      return Buffer.from(body);
    },
  });
  expect(response.body).toHaveLength(2);
  expect(whole.length - reads().length).toBe(2);
  const { result } = await fixture.call('Get_User_Attrs', { dn: alice.dn, attrs: ['mail'] });
  expect(result).toEqual({ mail: ['d@example.org'] });
});
