import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseDefinitions } from '../../../core/src/foundation/text/schema-definition.ts';
import * as account from './account.ts';
import { equalityOf } from './matching-rules.ts';
import { attributeTypes, findAttribute, findClass } from './schema.ts';

test('finds attributes by any name or OID and with options, in any case', () => {
  for (const name of ['sn', 'SURNAME', '2.5.4.4', 'sn;lang-de']) expect(findAttribute(name)?.key).toBe('sn');
  expect(findAttribute('nonsense')).toBeUndefined();
});

test('inherits syntax and rules from the supertype', () => {
  expect(findAttribute('givenName')).toMatchObject({ hasSubstrings: true, singleValue: false });
  const givenName = findAttribute('givenName');
  expect(givenName && equalityOf(givenName).name).toBe('caseIgnoreMatch');
  expect(findAttribute('name')?.withSubtypes).toEqual(
    expect.arrayContaining(['name', 'cn', 'sn', 'o', 'ou']),
  );
});

test('inherits the attributes of superclasses', () => {
  const person = findClass('inetorgperson');
  expect([...(person?.withSuperclasses ?? [])]).toEqual([
    'inetorgperson',
    'organizationalperson',
    'person',
    'top',
  ]);
  expect([...(person?.required ?? [])].sort()).toEqual(['cn', 'objectclass', 'sn']);
  expect(person?.allowed.has('userpassword')).toBe(true);
});

test('defines every attribute of a class, and its equality rule', () => {
  for (const name of [
    'inetOrgPerson',
    'domain',
    'posixAccount',
    'webadmAccount',
    'groupOfURLs',
    'pilotPerson',
  ]) {
    const objectClass = findClass(name);
    for (const key of [...(objectClass?.required ?? []), ...(objectClass?.allowed ?? [])]) {
      expect(findAttribute(key), `${name}: ${key}`).toBeDefined();
    }
  }
  expect(attributeTypes().length).toBeGreaterThan(150);
});

test('has the classes and attributes of schema/watchword.schema', async () => {
  const file = fileURLToPath(new URL('../../../../schema/watchword.schema', import.meta.url));
  const text = (await readFile(file, 'utf8')).replace(/^#.*$/gm, '');
  const arc = /objectidentifier watchword (\S+)/.exec(text)?.[1] ?? '';
  const read = (keyword: string) => {
    const found = text.split(/^(?=attributetype|objectclass)/m).filter((it) => it.startsWith(keyword));
    const definitions = found.map((it) => it.slice(keyword.length).replaceAll('watchword:', `${arc}.`));
    return parseDefinitions(definitions.join('\n').replace(/DESC '[^']*'/g, ''));
  };
  expect(read('attributetype')).toEqual(parseDefinitions(account.attributeTypes));
  expect(new Set(read('objectclass').map(({ oid }) => oid))).toEqual(
    new Set(parseDefinitions(account.objectClasses).map(({ oid }) => oid)),
  );
  for (const { oid, fields } of read('objectclass')) {
    const allowed = (fields.get('MAY') ?? []).map((name) => findAttribute(name)?.key);
    expect(new Set(findClass(oid)?.allowed), oid).toEqual(new Set(allowed));
  }
});
