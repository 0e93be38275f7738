/** Names of entries, classes and password attributes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dn } from '../../core/src/foundation/text/dn.ts';
import type { Directory } from '../../core/src/ports/directory/directory.ts';
import {
  attributes,
  collect,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from './testing/test-directory.ts';

let opened: TestDirectory;
let service: Directory;
let here: Dn;
let count = 0;
beforeAll(async () => {
  opened = await openTestDirectory();
  service = opened.directory.service;
});
afterAll(() => opened.dispose());
beforeEach(async () => {
  count += 1;
  here = unit(`case ${count}`);
  await service.add(here, attributes({ objectclass: ['organizationalUnit'] }));
});

const read = async (dn: Dn, name: string) => (await service.read(dn, [name]))?.attributes.get(name) ?? [];

describe('password', () => {
  it('is hashed under any name of the attribute', async () => {
    const dn = named('oid', here);
    await service.add(dn, person({ '2.5.4.35': ['first'] }));
    expect(await opened.directory.authenticate(dn, 'first')).toMatchObject({ granted: true });
    await service.modify(dn, [{ operation: 'replace', attribute: '2.5.4.35', values: ['second'] }]);
    expect((await read(dn, 'userpassword')).join()).toMatch(/^\{ARGON2\}/);
    expect(await opened.directory.authenticate(dn, 'second')).toMatchObject({ granted: true });
  });

  it.each([
    ['userPassword', 'secret'],
    ['2.5.4.35', 'secret'],
    ['createTimestamp', '20260101000000Z'],
  ])('cannot be a name, nor can operational attributes: %s', async (type, value) => {
    const dn = here.child([
      { type: 'cn', value: 'x' },
      { type, value },
    ]);
    const refusal = { reason: 'schema_refused', detail: expect.stringContaining('naming violation') };
    await expect(service.add(dn, person())).rejects.toMatchObject(refusal);
    await service.add(named('plain', here), person());
    await expect(service.rename(named('plain', here), { rdn: dn.rdn })).rejects.toMatchObject(refusal);
    expect(await service.read(dn)).toBeUndefined();
  });
});

describe('name', () => {
  it('is refused when it is too long to be parsed, or a rename makes one of the subtree so', async () => {
    const long = (n: number, above: Dn) => unit('x'.repeat(255) + n, above);
    const container = attributes({ objectclass: ['organizationalUnit'] });
    let deepest = here;
    for (let n = 0; n < 31; n += 1) {
      deepest = long(n, deepest);
      await service.add(deepest, container);
    }
    const tooLong = { reason: 'schema_refused', detail: 'the name is too long' };
    await expect(service.add(long(31, deepest), container)).rejects.toMatchObject(tooLong);
    const longer = unit('y'.repeat(200));
    await expect(service.rename(here, { rdn: longer.rdn })).rejects.toMatchObject(tooLong);
    expect(await service.read(longer)).toBeUndefined();
    await service.remove(deepest);
    await service.rename(here, { rdn: longer.rdn });
    expect(await collect(opened.directory.exportLdif())).toContain('ou: yyyy');
  });

  it('has at most 64 levels', async () => {
    const container = attributes({ objectclass: ['organizationalUnit'] });
    let deepest = here;
    for (let n = here.rdns.length; n < 64; n += 1) {
      deepest = unit(String(n), deepest);
      await service.add(deepest, container);
    }
    const tooLong = { reason: 'schema_refused', detail: 'the name is too long' };
    await expect(service.add(unit('64', deepest), container)).rejects.toMatchObject(tooLong);
    await service.add(unit('above'), container);
    const move = service.rename(here, { rdn: here.rdn, parent: unit('above') });
    await expect(move).rejects.toMatchObject(tooLong);
  });
});

describe('object class', () => {
  it('is the same by name and OID, in any case', async () => {
    const dn = named('classes', here);
    await service.add(dn, attributes({ objectclass: ['PERSON'], sn: ['x'] }));
    expect(await read(dn, 'objectclass')).toEqual(['person']);
    const add = (value: string) =>
      service.modify(dn, [{ operation: 'add', attribute: 'objectClass', values: [value] }]);
    await expect(add('2.5.6.6')).rejects.toMatchObject({ reason: 'value_exists' });
  });
});
