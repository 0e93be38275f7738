/**
 * Option sets, by the same matrix as roles: whom they restrict (entries, administrators, super administrators too), and
 * what several of them leave of what several roles grant.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { MethodTable } from '../../doors/manager/methods.ts';
import { Names } from '../../table/dialect.ts';
import { type Cells, type Matrix, openMatrix, type Rules } from '../../testing/bed/access/cells.ts';
import type { OptionSetRow, RoleRow } from '../../testing/bed/access/oracle.ts';
import { desk, people } from '../../testing/bed/access/world.ts';

const base = 'dc=example,dc=org';
const optionSet = (
  row: Partial<OptionSetRow> & Pick<OptionSetRow, 'restricts' | 'subtree'>,
): OptionSetRow => ({
  ...{ methods: ['*'], read: ['*'], write: ['*'], create: ['*'] },
  ...row,
});
const helpdesk: RoleRow = {
  ...{ methods: ['*'], subtrees: [people], read: ['*'] },
  ...{ write: ['*', 'userPassword'], create: ['*'] },
};

/** The caller is in `ou=people`, and not in `ou=desk` below it. */
const situations: Readonly<Record<string, Rules>> = {
  'entries, of which one attribute may be written': {
    optionSets: { set: optionSet({ subtree: desk, restricts: ['entries'], write: ['mail'], create: [] }) },
  },
  'entries, of which one attribute may be read': {
    optionSets: { set: optionSet({ subtree: desk, restricts: ['entries'], read: ['mail'], write: [] }) },
  },
  'entries, with some methods': {
    optionSets: { set: optionSet({ subtree: desk, restricts: ['entries'], methods: ['Get_*', 'Otp.*'] }) },
  },
  'administrators elsewhere': {
    optionSets: { set: optionSet({ subtree: desk, restricts: ['administrators'], methods: [] }) },
  },
  'administrators, with some methods and attributes': {
    optionSets: {
      set: optionSet({
        ...{ subtree: people, restricts: ['administrators'], write: ['mail', 'webadmData', 'uid'] },
        methods: ['Get_*', 'Set_*', 'Otp.*', 'Rename_*', 'Move_*'],
      }),
    },
  },
  'administrators, whom nothing else restricts': {
    optionSets: { set: optionSet({ subtree: people, restricts: ['administrators'] }) },
  },
  'everybody and everything, which is left': {
    optionSets: { set: optionSet({ subtree: base, restricts: ['entries', 'administrators'] }) },
  },
  'several, for a member of several roles': {
    roles: { helpdesk, reader: { ...helpdesk, subtrees: [base], write: [], create: [] } },
    optionSets: {
      readable: optionSet({ subtree: base, restricts: ['entries'], read: ['mail', 'uid', 'webadmData'] }),
      calm: optionSet({ subtree: people, restricts: ['administrators'], create: ['inetOrgPerson'] }),
      closed: optionSet({ subtree: desk, restricts: ['entries', 'administrators'], write: ['mail'] }),
    },
  },
};

let matrix: Matrix;
beforeAll(async () => {
  matrix = await openMatrix();
});
afterAll(() => matrix.close());

describe.each(Object.entries(situations))('%s', (_, rules) => {
  let cells: Cells;
  beforeAll(async () => {
    const { admin, users } = matrix.fixture;
    cells = await matrix.enter(rules.roles ? users.bob : admin, rules);
  });
  afterAll(() => cells.close());

  it.each(new MethodTable(bundled, new Names()).all)('$ours', async (method) => {
    expect(await cells.mistakes(method)).toEqual([]);
  });
});
