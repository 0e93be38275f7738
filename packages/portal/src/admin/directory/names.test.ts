/** Names of entries, whatever is typed into a form. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filterFor,
  movedTo,
  nameBelow,
  nameOf,
  parentOf,
  pathTo,
  rdnFilter,
  rdnOf,
  renamed,
} from './names.ts';

const base = 'dc=example,dc=org';

describe('names', () => {
  it('come back as they were typed, and stay below their container', () => {
    const sign = fc.constantFrom(...',+"\\<>;=# \0\nab', 'é', '漢', '😀');
    const name = fc.string({ unit: sign, minLength: 1 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        const dn = nameBelow('cn', one, nameBelow('ou', other, base));
        expect(nameOf(dn)).toBe(one);
        expect(nameOf(parentOf(dn))).toBe(other);
        expect(parentOf(parentOf(dn))).toBe(base);
        expect(nameOf(renamed(dn, other))).toBe(other);
        expect(movedTo(dn, base)).toBe(`${rdnOf(dn)},${base}`);
      }),
    );
  });

  it('of servers that write bytes in hexadecimal', () => {
    expect(nameOf('cn=Zo\\c3\\ab\\, Z,dc=org')).toBe('Zoë, Z');
  });

  it('lead from the base to the entry', () => {
    const dn = `uid=a,ou=people,${base}`;
    expect(pathTo(dn, 'DC=example, dc=org')).toEqual([base, `ou=people,${base}`, dn]);
    expect(pathTo(dn, 'dc=elsewhere')).toEqual([]);
  });

  it('in a filter are looked for as they stand', () => {
    expect(filterFor('a*)(uid=\\')).toContain('(cn=*a\\2a\\29\\28uid=\\5c*)');
  });

  it('are found again by their RDN, whatever is in it', () => {
    expect(rdnFilter(nameBelow('cn', 'a*(+), b ', base))).toBe('(cn=a\\2a\\28+\\29, b )');
    expect(rdnFilter(`cn=Zo\\c3\\ab+uid=z\\+1,${base}`)).toBe('(&(cn=Zoë)(uid=z+1))');
    expect(rdnFilter(`cn=#0401ff,${base}`)).toBeUndefined();
  });
});
