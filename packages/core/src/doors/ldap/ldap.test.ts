/** Logins by LDAP bind and searches as the bound user, with common clients, over the embedded directory and slapd. */
import { readFile } from 'node:fs/promises';
import { Attribute, Change, Client } from 'ldapts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type LdapListener, type LdapServing, serveLdap } from '../../../../ldap/src/index.ts';
import { secureOptions } from '../../../../node/src/http/index.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { matchAll } from '../../foundation/text/filter.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { issueCertificate, run, scratchFolder } from '../../testing/bed/scratch.ts';
import { engines, isActiveDirectory, openStage, type Stage } from '../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';

describe.each(engines)('LDAP binds: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let people: string;
  let folder: string;
  let ca: string;
  let authority: string;
  let ldaps: LdapListener;
  let ldap: LdapListener;
  const open: LdapListener[] = [];
  let serving: Omit<LdapServing, 'scheme'>;
  beforeAll(async () => {
    stage = await openStage(engine);
    const options = {
      config: {
        clients: {
          lookups: { settings: { 'Otp.LoginMode': 'LDAP' } },
          staff: { allowed_groups: ['cn=staff,ou=groups,dc=example,dc=org'] },
        },
      },
      ports: () => stage.ports,
    };
    node = await stage.fixture.another(options);
    other = await stage.fixture.another(options);
    people = await stage.container();
    folder = await scratchFolder('ldap-door');
    const issued = await issueCertificate(folder);
    ca = issued.caFile;
    authority = issued.ca;
    const [certificate, key] = await Promise.all(
      [issued.certFile, issued.keyFile].map((file) => readFile(file, 'utf8')),
    );
    const tls = secureOptions({ certificate: certificate as string, key: key as string });
    serving = { host: '127.0.0.1', port: 0, tls, bases: [stage.base], log: node.log };
    ldaps = await serve({ scheme: 'ldaps' });
    ldap = await serve({ scheme: 'ldap' });
  });
  afterAll(async () => {
    for (const one of open) await one.close();
    await other.close();
    await node.close();
    await stage.close();
  });
  async function serve(
    more: Partial<LdapServing> & Pick<LdapServing, 'scheme'>,
    by = node,
  ): Promise<LdapListener> {
    const listener = await serveLdap(by.service.ldap, { ...serving, ...more });
    open.push(listener);
    return listener;
  }

  let number = 0;
  async function person(more: Record<string, string> = {}) {
    number += 1;
    const username = `l${number}-${engine.toLowerCase()}`;
    const dn = await stage.person(people, username, { userpassword: password, ...more });
    const code = String(await stage.manager.Otp.Emerg_Register({ dn, expires: 86_400, maxuse: 1 }));
    return { username, dn, code, secret: password + code };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  /** Runs a program of OpenLDAP. @returns its output and its exit code */
  async function ask(program: string, args: readonly string[], url = ldaps.url, input = '') {
    const env = { ...process.env, LDAPTLS_CACERT: ca };
    const asking = run(program, ['-x', '-H', url, ...args], { env });
    asking.child.stdin?.end(input);
    return asking.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => ({ code: error.code as number, stdout: String(error.stdout), stderr: String(error.stderr) }),
    );
  }
  const as = ({ dn, secret }: Pick<Person, 'dn' | 'secret'>) => ['-D', dn, '-w', secret];

  /** @param localAddress where it comes from */
  async function client(
    who?: Pick<Person, 'dn' | 'secret'>,
    url = ldaps.url,
    localAddress = '127.0.0.1',
  ): Promise<Client> {
    const tlsOptions = { ca: authority, localAddress };
    const one = new Client({ url, ...(url.startsWith('ldaps') && { tlsOptions }) });
    onTestFinished(() => one.unbind().catch(() => undefined));
    if (who) await one.bind(who.dn, who.secret);
    return one;
  }

  it('logs in with the password and the code in one, once', async () => {
    const alice = await person();
    const result = await ask('ldapwhoami', as(alice));
    expect(result.stdout).toBe(`dn:${alice.dn}\n`);
    expect(await ask('ldapwhoami', as(alice))).toMatchObject({ code: 49 });
    const [granted, refused] = node.events().slice(-2);
    expect(granted).toMatchObject({
      application: 'Otp',
      dn: alice.dn,
      text: expect.stringMatching(/: granted by password and EMERGENCY$/),
    });
    expect(refused).toMatchObject({ dn: alice.dn, text: expect.stringMatching(/: refused: /) });
  });

  it('takes a login name for a DN, and StartTLS for ldaps', async () => {
    const { username, dn, secret } = await person();
    const named = ['-ZZ', '-D', `Default\\${username}`, '-w', secret];
    expect((await ask('ldapwhoami', named, ldap.url)).stdout).toBe(`dn:${dn}\n`);
  });

  it.each([
    ['a wrong password', { secret: 'wrong' }, 49],
    ['a wrong code', { secret: `${password}00000000` }, 49],
    ['the password alone', { secret: password }, 49],
    ['nobody', { dn: 'uid=nobody,ou=people,dc=example,dc=org' }, 49],
    ['an entry outside of every domain', { dn: 'uid=alice,dc=elsewhere' }, 49],
    ['no DN', { dn: 'uid' }, 49],
    ['a malformed DN', { dn: 'uid=alice,=' }, 34],
    ['no password', { secret: '' }, 53],
  ])('refuses %s', async (_, wrong, code) => {
    const alice = await person();
    expect(await ask('ldapwhoami', as({ ...alice, ...wrong }))).toMatchObject({ code });
    expect((await ask('ldapwhoami', as(alice))).stdout).toBe(`dn:${alice.dn}\n`);
  });

  it('answers a bind without a name, or with one that no login could have, as a wrong password', async () => {
    for (const name of ['', 'x'.repeat(5000), 'no=dn,,'])
      expect(await ask('ldapwhoami', ['-D', name, '-w', 'something'])).toMatchObject({
        code: name.includes('=') ? 34 : 49,
      });
    expect(await ask('ldapwhoami', [])).toMatchObject({ code: 0, stdout: 'anonymous\n' });
  });

  it('sends no code, and begins no challenge', async () => {
    const { dn } = await person();
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.ChallengeMode': 'Yes' } });
    expect(await ask('ldapwhoami', as({ dn, secret: password }))).toMatchObject({ code: 49 });
    expect(node.events().at(-1)).toMatchObject({
      dn,
      text: expect.stringContaining('nobody is to be asked for it'),
    });
  });

  it('logs in under the policy of its listener', async () => {
    const [lookups, staff] = [
      await serve({ scheme: 'ldaps', policy: 'lookups' }),
      await serve({ scheme: 'ldaps', policy: 'staff' }),
    ];
    const alice = await person();
    expect(await ask('ldapwhoami', as({ ...alice, secret: password }), lookups.url)).toMatchObject({
      code: 0,
    });
    expect(await ask('ldapwhoami', as(alice), staff.url)).toMatchObject({ code: 49 });
  });

  it('refuses a user for whom too much was wrong, in words, on every door', async () => {
    const alice = await person();
    for (let wrong = 0; wrong < 5; wrong += 1) await ask('ldapwhoami', as({ ...alice, secret: `x${wrong}` }));
    const result = await ask('ldapwhoami', as({ ...alice, secret: password }));
    expect(result).toMatchObject({ code: 49, stderr: expect.stringContaining('Too many') });
  });

  it('reads what the directory lets the user read, and spells it as it was asked for', async () => {
    const alice = await person({ mail: 'ada@example.com' });
    const args = [
      ...as(alice),
      '-LLL',
      '-o',
      'ldif-wrap=no',
      '-b',
      people,
      `(cn=${alice.username})`,
      'objectClass',
      'MAIL',
    ];
    const { stdout } = await ask('ldapsearch', args);
    expect(stdout).toContain(`dn: ${alice.dn}\n`);
    expect(stdout).toContain('MAIL: ada@example.com\n');
    expect(stdout).toContain(`objectClass: ${engine === 'AD' ? 'user' : 'inetOrgPerson'}\n`);
    expect(stdout).not.toContain('sn:');
  });

  it('shows nobody a secret, and tells nothing of one by a filter', async () => {
    const alice = await person();
    await stage.manager.Set_User_Settings({ dn: alice.dn, settings: { 'Otp.LoginMode': 'LDAPOTP' } });
    const one = await client(alice);
    const asked = ['*', 'userPassword', '2.5.4.35', 'webadmData', 'webadmSettings', 'cn'];
    const { searchEntries } = await one.search(alice.dn, { scope: 'base', attributes: asked });
    const result = Object.entries(searchEntries[0] ?? {}).filter(([, values]) => values.length > 0);
    const names = result.map(([name]) => name.toLowerCase()).sort();
    // Active Directory tells much more of a user that is no secret.
    if (engine === 'AD')
      expect(names.filter((name) => /^webadm|pwd$|^userpassword|^2\.5/.test(name))).toEqual([]);
    else expect(names).toEqual(['cn', 'dn', 'objectclass', 'sn', 'uid']);
    const filters = [
      '(userPassword=*)',
      '(!(userPassword=*))',
      '(2.5.4.35=*)',
      '(|(cn=*)(webadmData=*))',
      '(webadmSettings=*LDAP*)',
      '(:caseExactMatch:=LDAPOTP)',
      '(userPassword;x-a=*)',
    ];
    for (const filter of filters) {
      const bob = await person();
      expect(await ask('ldapsearch', [...as(bob), '-b', alice.dn, filter]), filter).toMatchObject({
        code: 50,
      });
    }
    await expect(one.compare(alice.dn, 'userPassword', password)).rejects.toMatchObject({ code: 50 });
  });

  it('compares', async () => {
    const alice = await person();
    const one = await client(alice);
    expect(await one.compare(alice.dn, 'sn', 'Person')).toBe(true);
    expect(await one.compare(alice.dn, 'sn', 'Lovelace')).toBe(false);
    await expect(one.compare(alice.dn, 'mail', 'x')).rejects.toMatchObject({ code: 16 });
    await expect(one.compare(`cn=none,${people}`, 'sn', 'x')).rejects.toMatchObject({ code: 32 });
  });

  it('keeps to the limit of a client, and says that there is more', async () => {
    const alice = await person();
    const result = await ask('ldapsearch', [...as(alice), '-LLL', '-z', '2', '-b', stage.base, '1.1']);
    expect(result.code).toBe(4);
    expect(result.stdout.match(/^dn:/gm)).toHaveLength(2);
  });

  it('answers names without values where only those are wanted, and pages that are not critical', async () => {
    const alice = await person();
    const args = ['-LLL', '-A', '-E', 'pr=10/noprompt', '-b', alice.dn, '-s', 'base', 'cn'];
    const result = await ask('ldapsearch', [...as(alice), ...args]);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('cn:\n') });
  });

  it('refuses what is critical and not understood', async () => {
    const alice = await person();
    const result = await ask('ldapsearch', [...as(alice), '-E', '!pr=10/noprompt', '-b', alice.dn]);
    expect(result.code).toBe(12);
  });

  it('lets nobody read who has not bound, but what it says of itself', async () => {
    expect((await ask('ldapsearch', ['-b', stage.base])).code).toBe(50);
    const root = await ask('ldapsearch', [
      '-LLL',
      '-b',
      '',
      '-s',
      'base',
      'namingContexts',
      'supportedExtension',
    ]);
    expect(root.stdout).toContain(`namingContexts: ${stage.base}\n`);
    expect((await ask('ldapwhoami', [])).stdout).toBe('anonymous\n');
  });

  it('reads nothing for a login without the password of the directory', async () => {
    const alice = await person();
    await stage.manager.Set_User_Settings({ dn: alice.dn, settings: { 'Otp.LoginMode': 'OTP' } });
    const result = await ask('ldapsearch', ['-D', alice.dn, '-w', alice.code, '-b', alice.dn]);
    expect(result).toMatchObject({
      code: 50,
      stdout: expect.stringContaining('no password of the directory'),
    });
  });

  it('writes nothing', async () => {
    const alice = await person();
    const one = await client(alice);
    const change = new Change({
      operation: 'replace',
      modification: new Attribute({ type: 'sn', values: ['x'] }),
    });
    const writes = [
      () => one.modify(alice.dn, change),
      () => one.add(`cn=new,${people}`, { objectclass: 'person', sn: 'x' }),
      () => one.del(alice.dn),
      () => one.modifyDN(alice.dn, `uid=other,${people}`),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 53 });
    expect((await ask('ldappasswd', ['-s', 'new', ...as(await person())])).code).not.toBe(0);
    const { searchEntries } = await one.search(alice.dn, { scope: 'base' });
    expect(searchEntries[0]).toMatchObject({ sn: 'Person' });
  });

  it('ends what was granted when the user is deactivated, blocked, or gets another password', async () => {
    const [alice, bob, eve] = [await person(), await person(), await person()];
    const [hers, his, eves] = [await client(alice), await client(bob), await client(eve)];
    expect((await eves.search(eve.dn)).searchEntries).toHaveLength(1);
    expect((await hers.search(alice.dn)).searchEntries).toHaveLength(1);
    await stage.manager.Deactivate_LDAP_Object({ dn: alice.dn });
    await stage.manager.Otp.Block_Start({ dn: eve.dn });
    await stage.manager.Set_User_Password({ dn: bob.dn, password: 'Another-Horse-8' });
    for (const [one, dn] of [
      [hers, alice.dn],
      [his, bob.dn],
      [eves, eve.dn],
    ] as const)
      await expect(one.search(dn)).rejects.toMatchObject({
        code: 50,
        message: expect.stringContaining('bind again'),
      });
  });

  it('is nobody any more after a bind that failed', async () => {
    const alice = await person();
    const one = await client(alice);
    await expect(one.bind(alice.dn, 'wrong')).rejects.toMatchObject({ code: 49 });
    await expect(one.search(alice.dn)).rejects.toMatchObject({ code: 50 });
  });

  it.skipIf(isActiveDirectory)(
    'takes a code once, of many binds and logins at the same time on two nodes',
    async () => {
      const second = await serve({ scheme: 'ldaps' }, other);
      const alice = await person();
      const binding = async (url: string) => {
        const one = await client(undefined, url);
        return one.bind(alice.dn, alice.secret).then(
          () => true,
          () => false,
        );
      };
      const { username } = alice;
      const login = async (by: Fixture) =>
        (await by.service.web.otp.simpleLogin({ username, anyPassword: alice.secret })).code === 1;
      const rounds = Array.from({ length: 5 }, () => [
        ...[binding(ldaps.url), binding(second.url), binding(ldaps.url), binding(second.url)],
        ...[login(node), login(other)],
      ]);
      const granted = (await Promise.all(rounds.flat())).filter(Boolean);
      expect(granted).toHaveLength(1);
    },
  );

  it.skipIf(isActiveDirectory)(
    'judges many at the same time, each for itself, beside those who read',
    async () => {
      const crowd = await Promise.all(Array.from({ length: 40 }, () => person()));
      const [reader] = crowd.splice(0, 1) as [Person];
      const reading = await client(reader);
      let isOver = false;
      let reads = 0;
      const reader_ = (async () => {
        for (; !isOver; reads += 1) expect((await reading.search(reader.dn)).searchEntries).toHaveLength(1);
      })();
      const verdicts = await Promise.all(
        crowd.flatMap((one, index) => {
          const other_ = crowd[(index + 1) % crowd.length] as Person;
          return [
            client(one).then(
              () => 'right',
              () => 'refused',
            ),
            // Elsewhere: twenty failures would close the place to those who are right.
            client({ dn: one.dn, secret: other_.secret }, ldaps.url, `127.0.1.${index + 1}`).then(
              () => 'WRONG',
              () => 'refused',
            ),
          ];
        }),
      );
      isOver = true;
      await reader_;
      expect(verdicts.filter((verdict) => verdict === 'right')).toHaveLength(crowd.length);
      expect(verdicts).not.toContain('WRONG');
      expect(reads).toBeGreaterThan(0);
    },
  );
});

describe('reads', () => {
  it('are those of the user, by the rules of the directory', async () => {
    const stage = await openStage('OpenLDAP', {
      access: [
        'access to attrs=userPassword by dn.exact="cn=admin,dc=example,dc=org" write by anonymous auth by * none',
        'access to attrs=mail by dn.exact="cn=admin,dc=example,dc=org" write by self read by * none',
        'access to * by dn.exact="cn=admin,dc=example,dc=org" write by users read by * none',
      ].join('\n'),
    });
    onTestFinished(() => stage.close());
    const people = await stage.container();
    const of = (uid: string) =>
      stage.person(people, uid, { userpassword: password, mail: `${uid}@example.com`, sn: uid });
    const [ada, bob] = [await of('ada'), await of('bob')];
    await stage.manager.Set_User_Settings({ dn: ada, settings: { 'Otp.LoginMode': 'LDAP' } });
    const client = { address: '192.0.2.1', port: 4000, signal: new AbortController().signal };
    const bound = await stage.fixture.service.ldap.bind({ name: ada, password }, client);
    if ('code' in bound) throw new Error(bound.message);
    const mails = async (dn: string) => {
      const asked = { scope: 'base', attributes: ['mail', 'sn'], sizeLimit: 0 } as const;
      const found = await bound.search({ ...asked, base: Dn.parse(dn), filter: matchAll });
      return found.entries.map(({ attributes }) => [...attributes.keys()].sort());
    };
    expect(await mails(ada)).toEqual([['mail', 'sn']]);
    expect(await mails(bob)).toEqual([['sn']]);
    await bound.close();
  });
});
