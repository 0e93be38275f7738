import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dn } from '../../directory/dn.ts';
import { certificate } from '../../testing/directory-contract/certificate.ts';
import { type Slapd, startSlapd } from '../../testing/slapd.ts';
import { attributes, collect, named, openTestGround, person, type TestGround, unit } from './test-ground.ts';

const run = promisify(execFile);

describe('an export loaded into OpenLDAP with slapadd', () => {
  let ground: TestGround;
  let slapd: Slapd;

  beforeAll(async () => {
    ground = await openTestGround();
    await fill(ground);
    slapd = await startSlapd({ ldif: await collect(ground.directory.exportLdif()) });
  });
  afterAll(async () => {
    await slapd?.stop();
    await ground?.dispose();
  });

  /** What `ldapsearch` prints of one entry, unfolded, without its DN. */
  async function found(filter: string, ...names: string[]): Promise<string[]> {
    const account = ['-D', slapd.rootDn, '-w', slapd.rootPassword];
    const search = ['-x', '-H', slapd.url, '-LLL', '-o', 'ldif-wrap=no', '-b', slapd.base, filter, ...names];
    const { stdout } = await run('ldapsearch', [...account, ...search]);
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('dn:'));
  }

  it('lets a user bind whose password was hashed here', async () => {
    const bind = ['-x', '-H', slapd.url, '-D', 'cn=Alice,ou=people,dc=example,dc=org', '-w', 'correct horse'];
    expect((await run('ldapwhoami', bind)).stdout).toBe('dn:cn=Alice,ou=people,dc=example,dc=org\n');
    await expect(run('ldapwhoami', [...bind.slice(0, -1), 'wrong'])).rejects.toThrow('Invalid credentials');
  });

  it('keeps identity, times, groups and binary values', async () => {
    const entry = await ground.directory.service.read(named('Alice', unit('people')), [
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

  it('keeps a group that lost its last member, names with odd characters, and what was moved', async () => {
    expect(await found('(cn=empty)', 'member')).toEqual(['member:']);
    expect(await found('(sn=Odd)', 'cn')).toEqual([
      `cn:: ${Buffer.from('Jörg, "the" <first> #1 ').toString('base64')}`,
    ]);
    expect(await found('(ou=people)', 'entryDN')).toEqual(['entryDN: ou=people,dc=example,dc=org']);
  });
});

async function fill({ directory }: TestGround): Promise<void> {
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
  await service.add(people, container);
  await service.rename(named('Alice', old), { rdn: named('Alice').rdn, parent: people });
  await service.setPassword(named('Alice', people), 'correct horse', { mustChange: false });
}

const group = (member: Dn) => attributes({ objectclass: ['groupOfNames'], member: [member.toString()] });
