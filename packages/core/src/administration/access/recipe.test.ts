/**
 * The recipe of CONTRIBUTING.md, followed to the letter: its row is put into the method table as it is written there.
 * That is all: the dispatcher judges, runs and audits it, and the matrix knows how to call it.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExisting, texts } from '../../directory/entry/entry.ts';
import type { BoundView } from '../../directory/view.ts';
import { MethodTable } from '../../doors/manager/methods.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { application } from '../../table/application.ts';
import { Names } from '../../table/dialect.ts';
import { type AnyMethod, method } from '../../table/method.ts';
import { dn, strings, success, text } from '../../table/schema/index.ts';
import { type Matrix, openMatrix } from '../../testing/bed/access/cells.ts';
import { desk, people } from '../../testing/bed/access/world.ts';

const contributing = readFileSync(new URL('../../../../../CONTRIBUTING.md', import.meta.url), 'utf8');
const [, recipe = ''] = /```ts\n([\s\S]*?)```/.exec(contributing) ?? [];

const mailOf = async (entry: Dn, { directory }: BoundView) =>
  texts(await readExisting(directory, entry, ['mail']), 'mail');
const scope = { method, dn, strings, mailOf, alice: `uid=alice,${people}` };
const row = () =>
  new Function(...Object.keys(scope), ts.transpile(`return { ${recipe} }`))(...Object.values(scope)) as {
    Get_User_Mail: AnyMethod;
  };

const own = (methods: Record<string, AnyMethod>) =>
  application({ name: 'Own', service: 'own', settings: {}, publicData: [], operations: {}, methods });

/** One like it that changes what is kept beside the directory, and asks the directory nothing. */
const poke = method({
  summary: 'Pokes a user.',
  on: 'dn',
  params: { dn: dn() },
  result: success(),
  permission: 'write',
  run: () => undefined,
});

/** And one that forgets to ask it: a holder of the method would learn of every entry. */
const leak = method({
  summary: 'Tells of a user what is kept beside the directory.',
  on: 'dn',
  params: { dn: dn() },
  result: strings(),
  permission: 'read',
  run: ({ dn }) => [dn.format()],
});

describe('the row of the recipe', () => {
  let matrix: Matrix;
  const applications = { Own: own({ ...row(), Poke: poke, Leak: leak }) };
  const named = (name: string) => {
    const found = new MethodTable(applications, new Names()).find(`Own.${name}`);
    if (!found) throw new Error(`no method ${name}`);
    return found;
  };
  const role = { methods: ['*'], subtrees: [desk], read: ['*'], write: ['*', 'userPassword'], create: ['*'] };
  const mistakes = async (name: string, roles: Readonly<Record<string, typeof role>>) => {
    const cells = await matrix.enter(matrix.fixture.users.bob, { roles });
    const found = await cells.mistakes(named(name));
    await cells.close();
    return found;
  };

  beforeAll(async () => {
    matrix = await openMatrix(applications);
  });
  afterAll(() => matrix.close());

  it('is dispatched', async () => {
    const { fixture } = matrix;
    const node = await fixture.another({ applications });
    const answer = await node.call('own.get_user_mail', { dn: fixture.users.alice.dn });
    expect(answer).toMatchObject({ result: ['alice@example.org'] });
    const refused = await node.call('Own.Get_User_Mail', { dn: 7 });
    expect(refused.error?.data).toBe('Parameter dn not String');
    await node.close();
  });

  it.each([
    ['everything in a subtree', { all: role }],
    ['reading nothing', { all: { ...role, read: [], write: [], create: [] } }],
    ['other methods', { other: { ...role, methods: ['Set_*'] } }],
  ])('is judged by the matrix: %s', async (_, roles) => {
    expect(await mistakes('Get_User_Mail', roles)).toEqual([]);
  });

  it('is judged where the method asks the directory nothing, if it changes something', async () => {
    expect(await mistakes('Poke', { all: role })).toEqual([]);
  });

  it('is found out where it tells of entries out of reach', async () => {
    const found = await mistakes('Leak', { all: role });
    expect(found.join()).toContain('out of the subtree, as usual: denied was expected, allowed');
  });
});

describe('a row that does not say which entry it is about', () => {
  const params = { dn: dn(), name: text() };
  const rest = { summary: '', result: success(), permission: 'write', run: () => undefined } as const;

  it('does not compile', () => {
    // @ts-expect-error it is missing
    method({ ...rest, params });
    // @ts-expect-error there is a DN
    method({ ...rest, params, on: 'nothing' });
    // @ts-expect-error no such parameter
    method({ ...rest, params, on: 'user' });
    // @ts-expect-error names no entry
    method({ ...rest, params, on: 'name' });
    // @ts-expect-error there is no DN
    method({ ...rest, params: {}, on: 'dn' });
    expect(method({ ...rest, params, on: 'dn' }).on).toBe('dn');
  });

  it.each([undefined, 'nothing', 'user', 'name', ['dn', 'user']])('is refused at start: on: %j', (on) => {
    const unfit = { ...method({ ...rest, params, on: 'dn' }), on } as AnyMethod;
    expect(() => new MethodTable({ Own: own({ Unfit: unfit }) }, new Names())).toThrow(
      /^The row of the method Own\.Unfit has to say in 'on' which/,
    );
  });
});
