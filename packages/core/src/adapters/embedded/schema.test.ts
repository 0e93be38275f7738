import { expect, test } from 'vitest';
import { attributeTypes, findAttribute, findClass } from './schema.ts';

test('attributes are found by every name, OID and with options, whatever the case', () => {
  for (const name of ['sn', 'SURNAME', '2.5.4.4', 'sn;lang-de']) expect(findAttribute(name)?.key).toBe('sn');
  expect(findAttribute('nonsense')).toBeUndefined();
});

test('a subtype inherits syntax and rules from its supertype', () => {
  expect(findAttribute('givenName')).toMatchObject({ hasSubstrings: true, singleValue: false });
  expect(findAttribute('givenName')?.equality.name).toBe('caseIgnoreMatch');
  expect(findAttribute('name')?.withSubtypes).toEqual(
    expect.arrayContaining(['name', 'cn', 'sn', 'o', 'ou']),
  );
});

test('a class has what its superclasses have', () => {
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

test('every attribute that a class names is defined, and compared by a rule that exists', () => {
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
