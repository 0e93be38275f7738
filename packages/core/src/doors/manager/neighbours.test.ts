/** Neighbours in a batch: short reads are asked together, and nothing passes a call that may have an effect. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { application } from '../../table/application.ts';
import { method } from '../../table/method.ts';
import { success, text } from '../../table/schema/index.ts';
import { settingsOf } from '../../table/setting-row.ts';
import { basic, type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { Answers } from './answers.ts';
import { ManagerDoor } from './door.ts';

/** Starts and ends in their order, and the most that ran at a time. */
const seen = { order: [] as string[], now: 0, most: 0 };

async function work({ name }: { readonly name: string }): Promise<void> {
  seen.order.push(name);
  seen.now += 1;
  seen.most = Math.max(seen.most, seen.now);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  seen.now -= 1;
  seen.order.push(`${name} done`);
  if (name === 'bad') throw new ServiceError('not_found');
}

const row = {
  summary: 'Works for some turns.',
  on: 'nothing',
  params: { name: text() },
  result: success(),
} as const;
const worker = application({
  name: 'Worker',
  service: 'worker',
  settings: settingsOf('Worker', {}),
  publicData: [],
  operations: {},
  methods: {
    Read: method({ ...row, permission: 'read', isShortRead: true, run: work }),
    Long_Read: method({ ...row, permission: 'read', run: work }),
    Write: method({ ...row, permission: 'write', run: work }),
  },
});

let fixture: Fixture;
let door: ManagerDoor;
beforeAll(async () => {
  fixture = await openFixture();
  const core = { ...fixture.core, applications: { Worker: worker } };
  door = new ManagerDoor(core, new Answers(core));
});
beforeEach(() => Object.assign(seen, { order: [], now: 0, most: 0 }));
afterAll(async () => {
  await door.close();
  await fixture.close();
});

async function batch(calls: readonly (readonly [method: string, name: string])[]): Promise<unknown> {
  const body = calls.map(([name, id]) => ({
    jsonrpc: '2.0',
    id,
    method: `Worker.${name}`,
    params: { name: id },
  }));
  const response = await door.answer({
    body: async () => Buffer.from(JSON.stringify(body)),
    authorization: basic(fixture.admin),
    ...{ cookie: undefined, closing: false, address: '192.0.2.1', port: 40_000 },
  });
  return response.body;
}

const done = (id: string) => ({ jsonrpc: '2.0', id, result: 1 });

it('short reads are under way together, and are answered in their order', async () => {
  const answers = await batch([
    ['Read', 'a'],
    ['Read', 'bad'],
    ['Read', 'c'],
  ]);
  expect(answers).toEqual([
    done('a'),
    expect.objectContaining({ id: 'bad', error: expect.anything() }),
    done('c'),
  ]);
  expect(seen.order.slice(0, 3)).toEqual(['a', 'bad', 'c']);
});

it('no more of them than a few', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `read ${n}`);
  expect(await batch(names.map((name) => ['Read', name]))).toEqual(names.map(done));
  expect(seen.most).toBe(16);
});

it.each(['Write', 'Long_Read'])(
  'a %s waits for those before it, and those behind wait for it',
  async (other) => {
    await batch([
      ['Read', 'a'],
      ['Read', 'b'],
      [other, 'alone'],
      ['Read', 'c'],
    ]);
    const [first, second, third, fourth, ...rest] = seen.order;
    expect(new Set([first, second])).toEqual(new Set(['a', 'b']));
    expect(new Set([third, fourth])).toEqual(new Set(['a done', 'b done']));
    expect(rest).toEqual(['alone', 'alone done', 'c', 'c done']);
  },
);

it('a read sees what was written before it, and nothing of what is written after it', async () => {
  const { alice } = fixture.users;
  const write = (mail: string) => ({ method: 'Set_User_Attrs', params: { dn: alice.dn, attrs: { mail } } });
  const read = { method: 'Get_User_Attrs', params: { dn: alice.dn, attrs: ['mail'] } };
  const calls = [write('a@example.org'), read, read, write('b@example.org'), read];
  const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const response = await fixture.answer({ body });
  const mail = (address: string) => expect.objectContaining({ result: { mail: [address] } });
  const [a, b] = ['a@example.org', 'b@example.org'];
  expect(response.body).toEqual([expect.anything(), mail(a), mail(a), expect.anything(), mail(b)]);
});
