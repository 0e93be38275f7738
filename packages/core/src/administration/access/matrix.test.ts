/**
 * The matrix: every method of the table × roles × entries in reach and out of it × attributes. Each cell is called for
 * real, and answered as the definition of roles says (`testing/bed/access/oracle.ts`), by what its row says of it and what
 * is known beside (`testing/bed/access/effects.ts`). What is refused has changed nothing: no entry, no block, no certificate.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { MethodTable } from '../../doors/manager/methods.ts';
import { Names } from '../../table/dialect.ts';
import { type Cells, type Matrix, openMatrix } from '../../testing/bed/access/cells.ts';
import { effects } from '../../testing/bed/access/effects.ts';
import type { RoleRow } from '../../testing/bed/access/oracle.ts';
import { desk, people } from '../../testing/bed/access/world.ts';

const base = 'dc=example,dc=org';
const methods = new MethodTable(bundled, new Names()).all;

const role = (row: Partial<RoleRow>): RoleRow => ({
  ...{ methods: ['*'], subtrees: [desk], read: ['*'], write: [], create: [] },
  ...row,
});
const everything = { write: ['*', 'userPassword'], create: ['*'] };

const situations: Readonly<Record<string, Readonly<Record<string, RoleRow>>>> = {
  'everything in a subtree': { all: role(everything) },
  'everything everywhere': { all: role({ ...everything, subtrees: [base] }) },
  'everything with methods of one application': { otp: role({ ...everything, methods: ['Otp.*'] }) },
  'everything with one method': { one: role({ ...everything, methods: ['set_user_attrs'] }) },
  'reading all': { reader: role({}) },
  'reading one attribute': { reader: role({ read: ['mail'] }) },
  'reading nothing': { blind: role({ read: [] }) },
  'reading all, passwords too': { reader: role({ read: ['*', 'userPassword'] }) },
  'reading all, a secret too': { reader: role({ read: ['*', 'Otp.TokenKey'] }) },
  'reading a secret alone': { reader: role({ read: ['Otp.TokenKey'] }) },
  'writing one attribute': { writer: role({ write: ['mail'] }) },
  'writing data': { writer: role({ write: ['webadmData'] }) },
  'writing all but passwords': { writer: role({ write: ['*'] }) },
  'writing passwords, reading nothing': { writer: role({ read: [], write: ['userPassword'] }) },
  'making users': { maker: role({ write: ['uid', 'cn', 'sn'], create: ['INETORGPERSON'] }) },
  'making all classes, writing nothing': { maker: role({ create: ['*'] }) },
  'two roles': {
    reading: role({ methods: ['Get_*', 'Otp.List_*'], subtrees: [people] }),
    writing: role({
      methods: ['Set_*', 'Otp.*', 'Move_*'],
      read: ['uid'],
      write: ['mail', 'webadmData'],
      create: ['*'],
    }),
  },
};

let matrix: Matrix;
beforeAll(async () => {
  matrix = await openMatrix();
});
afterAll(() => matrix.close());

it('knows nothing of methods that there are not', () => {
  const names = methods.map(({ ours }) => ours);
  expect(Object.keys(effects).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(Object.entries(situations))('%s', (_, roles) => {
  let cells: Cells;
  beforeAll(async () => {
    cells = await matrix.enter(matrix.fixture.users.bob, { roles });
  });
  afterAll(() => cells.close());

  it.each(methods)('$ours', async (method) => {
    expect(await cells.mistakes(method)).toEqual([]);
  });
});
