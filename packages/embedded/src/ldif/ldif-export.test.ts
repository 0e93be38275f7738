import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { parseFilter } from '../../../core/src/foundation/text/filter-text.ts';
import { type Slapd, startSlapd } from '../../../core/src/testing/bed/engines/slapd.ts';
import { certificate } from '../../../core/src/testing/contracts/directory/certificate.ts';
import {
  attributes,
  collect,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from '../testing/test-directory.ts';

const run = promisify(execFile);

describe('export loaded into OpenLDAP with slapadd', () => {
  let opened: TestDirectory;
  let slapd: Slapd;

  beforeAll(async () => {
    opened = await openTestDirectory();
    await fill(opened);
    const nis = await readFile('/etc/ldap/schema/nis.schema', 'utf8');
    slapd = await startSlapd({ ldif: await collect(opened.directory.exportLdif()), nis: rfc2307bis(nis) });
  });
  afterAll(async () => {
    await slapd?.stop();
    await opened?.dispose();
  });

  async function printed(filter: string, ...names: string[]): Promise<string[]> {
    const account = ['-D', slapd.rootDn, '-w', slapd.rootPassword];
    const search = ['-x', '-H', slapd.url, '-LLL', '-o', 'ldif-wrap=no', '-b', slapd.base, filter, ...names];
    const { stdout } = await run('ldapsearch', [...account, ...search]);
    return stdout.split('\n').filter((line) => line !== '');
  }

  const isDn = (line: string) => line.startsWith('dn:');
  /** Returns the lines that `ldapsearch` prints of one entry, unfolded, without its DN. */
  const found = async (filter: string, ...names: string[]) =>
    (await printed(filter, ...names)).filter((line) => !isDn(line));
  const dnsOf = async (filter: string) => (await printed(filter, '1.1')).filter(isDn);

  it('lets a user bind with a password hashed here', async () => {
    const bind = ['-x', '-H', slapd.url, '-D', 'cn=Alice,ou=people,dc=example,dc=org', '-w', 'correct horse'];
    expect((await run('ldapwhoami', bind)).stdout).toBe('dn:cn=Alice,ou=people,dc=example,dc=org\n');
    await expect(run('ldapwhoami', [...bind.slice(0, -1), 'wrong'])).rejects.toThrow('Invalid credentials');
  });

  it('keeps identity, times, groups and binary values', async () => {
    const entry = await opened.directory.service.read(named('Alice', unit('people')), [
      'entryuuid',
      'createtimestamp',
    ]);
    expect(await found('(cn=Alice)', 'entryUUID', 'createTimestamp', 'memberOf')).toEqual(
      expect.arrayContaining([
        `entryUUID: ${entry?.attributes.get('entryuuid')?.[0]}`,
        `createTimestamp: ${entry?.attributes.get('createtimestamp')?.[0]}`,
        'memberOf: cn=staff,ou=groups,dc=example,dc=org',
      ]),
    );
    const encoded = Buffer.from(certificate).toString('base64');
    expect(await found('(cn=Alice)', 'userCertificate')).toEqual([`userCertificate;binary:: ${encoded}`]);
  });

  it.each([
    '(cn=Alice)',
    '(cn;lang-de=Alice)',
    '(!(cn;lang-de=Alice))',
    '(cn;lang-de=*)',
    '(!(cn;lang-de=Al*))',
    '(cn;lang-de:caseIgnoreMatch:=Alice)',
    '(!(cn;x-other=Alice))',
    '(cn;x-other=*)',
    '(!(cn;lang-de:noSuchRule:=x))',
    '(!(uidNumber;lang-de=abc))',
    '(!(cn;lang-=x))',
    '(!(cn;lang-de:dn:=Alice))',
  ])('gives the same results for %s', async (filter) => {
    const attributes = ['cn;lang-de', 'sn;x-other'];
    const request = {
      base: Dn.parse(slapd.base),
      scope: 'sub',
      filter: parseFilter(filter),
      attributes,
    } as const;
    const here = (await opened.directory.service.search(request)).map(({ attributes }) => attributes.size);
    expect(await found(filter, ...attributes)).toEqual([]);
    expect(here.filter((size) => size > 0)).toEqual([]);
    expect(here).toHaveLength((await dnsOf(filter)).length);
  });

  it('keeps a POSIX group with its members', async () => {
    expect((await found('(cn=both)', 'objectClass', 'member')).sort()).toEqual([
      'member: cn=Alice,ou=people,dc=example,dc=org',
      'objectClass: groupOfNames',
      'objectClass: posixGroup',
    ]);
  });

  it('keeps empty groups, names with special characters, and moved entries', async () => {
    expect(await found('(cn=empty)', 'member')).toEqual(['member:']);
    expect(await found('(sn=Odd)', 'cn')).toEqual([
      `cn:: ${Buffer.from('Jörg, "the" <first> #1 ').toString('base64')}`,
    ]);
    expect(await found('(ou=people)', 'entryDN')).toEqual(['entryDN: ou=people,dc=example,dc=org']);
  });
});

describe('groups of RFC 2307bis', () => {
  it('load into slapd unchanged, or have a comment when they are of both kinds', async () => {
    const opened = await openTestDirectory();
    const { service } = opened.directory;
    await service.add(named('nobody'), attributes({ objectclass: ['groupOfNames'] }));
    await service.add(named('unique'), attributes({ objectclass: ['groupOfUniqueNames'] }));
    await service.add(named('posix'), attributes({ objectclass: ['posixGroup'], gidnumber: ['7'] }));
    const plain = await collect(opened.directory.exportLdif());
    expect(plain).not.toMatch(/^#/m);
    const slapd = await startSlapd({ ldif: plain });
    await slapd.stop();

    await service.add(
      named('both'),
      attributes({ objectclass: ['groupOfNames', 'posixGroup'], gidnumber: ['8'] }),
    );
    const ldif = await collect(opened.directory.exportLdif());
    expect(ldif).toContain(
      '# posixGroup beside groupOfNames: slapd wants it as AUXILIARY (RFC 2307bis)\ndn: cn=both,',
    );
    await expect(startSlapd({ ldif })).rejects.toThrow('invalid structural object class chain');

    const copy = await openTestDirectory();
    await copy.directory.importLdif([ldif]);
    expect((await copy.directory.service.read(named('nobody')))?.attributes.get('member')).toBeUndefined();
    expect(await collect(copy.directory.exportLdif())).toBe(ldif);
    await Promise.all([opened.dispose(), copy.dispose()]);
  });
});

/** The schema as the guide makes it: OpenLDAP's file with one word changed. */
const rfc2307bis = (nis: string): string => nis.replace(/(NAME 'posixGroup'[^)]*?)STRUCTURAL/, '$1AUXILIARY');

async function fill({ directory }: TestDirectory): Promise<void> {
  const { service } = directory;
  const [people, groups, old] = [unit('people'), unit('groups'), unit('old')];
  const container = attributes({ objectclass: ['organizationalUnit'] });
  await service.add(old, container);
  const settings = { webadmsettings: ['Otp.LoginMode=LDAPOTP'], webadmdata: [Uint8Array.of(0, 255, 10)] };
  const classes = {
    objectclass: ['inetOrgPerson', 'webadmAccount', 'posixAccount'],
    usercertificate: [certificate],
  };
  const posix = { uid: ['alice'], uidnumber: ['1000'], gidnumber: ['1000'], homedirectory: ['/home/alice'] };
  await service.add(named('Alice', old), person({ ...classes, ...settings, ...posix }));
  await service.add(
    named('Jörg, "the" <first> #1 ', old),
    person({ sn: ['Odd'], description: [' x', 'a\nb'] }),
  );
  await service.add(groups, container);
  await service.add(named('staff', groups), group(named('Alice', old)));
  await service.add(named('gone', old), person());
  await service.add(named('empty', groups), group(named('gone', old)));
  await service.remove(named('gone', old));
  await service.add(
    named('both', groups),
    attributes({
      objectclass: ['groupOfNames', 'posixGroup'],
      gidnumber: ['8'],
      member: [named('Alice', old).toString()],
    }),
  );
  await service.add(people, container);
  await service.rename(named('Alice', old), { rdn: named('Alice').rdn, parent: people });
  await service.setPassword(named('Alice', people), 'correct horse', { mustChange: false });
}

const group = (member: Dn) => attributes({ objectclass: ['groupOfNames'], member: [member.toString()] });
