/** The directory contract on a Samba domain controller, and behaviour of Active Directory only. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { matchAll } from '../../core/src/foundation/text/filter.ts';
import type { Attributes, AttributeValue } from '../../core/src/foundation/text/value.ts';
import type { Directory, DirectoryServer } from '../../core/src/ports/directory/directory.ts';
import { type Samba, startSamba } from '../../core/src/testing/bed/engines/samba.ts';
import { directoryContract } from '../../core/src/testing/contracts/directory-contract.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock } from '../../node/src/machine/clock.ts';
import type { LdapOptions } from './connection/options.ts';
import { openLdapDirectory } from './index.ts';

const password = 'C0rrect-Horse.42';

function connect(samba: Samba, options: Partial<LdapOptions> = {}): DirectoryServer {
  return openLdapDirectory(
    {
      urls: [samba.ldapsUrl],
      ca: samba.ca,
      bind_dn: samba.readerDn,
      bind_password: samba.readerPassword,
      ...options,
    },
    { clock: systemClock, log: new KeptLog() },
  );
}

directoryContract(
  'Samba Active Directory over ldaps',
  async () => {
    const samba = await startSamba();
    const server = connect(samba);
    return {
      server,
      base: Dn.parse(samba.base),
      admin: { dn: Dn.parse(samba.adminDn), password: samba.adminPassword },
      reader: { dn: Dn.parse(samba.readerDn), password: samba.readerPassword },
      dispose: async () => {
        await server.close();
        await samba.stop();
      },
    };
  },
  {
    hashedPasswords: false,
    matchingRules: false,
    surnameRequired: false,
    groupClass: 'group',
    // NORMAL_ACCOUNT | PASSWD_NOTREQD: enabled before it has a password.
    account: { useraccountcontrol: ['544'] },
    refusedPassword: 'abc',
    lockAfter: 5,
  },
);

describe('Active Directory', () => {
  let samba: Samba;
  let server: DirectoryServer;
  let admin: Directory;

  beforeAll(async () => {
    samba = await startSamba();
    server = connect(samba, { start_tls: true, urls: [samba.url] });
    const bound = await server.bind(Dn.parse(samba.adminDn), samba.adminPassword);
    if (!bound.granted) throw new Error(bound.refusal);
    admin = bound.directory;
    return async () => {
      await admin.close();
      await server.close();
      await samba.stop();
    };
  });

  const dnOf = (name: string): Dn => Dn.parse(`CN=${name},${samba.users}`);
  const user = async (name: string, more: Record<string, AttributeValue[]> = {}): Promise<Dn> => {
    const attributes: Attributes = new Map(
      Object.entries({ objectclass: ['user'], samaccountname: [name], userpassword: [password], ...more }),
    );
    await admin.add(dnOf(name), attributes);
    return dnOf(name);
  };
  const set = (dn: Dn, attribute: string, ...values: string[]): Promise<void> =>
    admin.modify(dn, [{ operation: 'replace', attribute, values }]);

  it('is recognized', async () => {
    expect(await server.capabilities(Dn.root)).toEqual({
      vendor: 'active-directory',
      accountSchema: true,
      identifier: 'objectguid',
      service: Dn.parse(samba.readerDn),
      base: Dn.parse(samba.base),
    });
  });

  it('enables a new account with a password, unless userAccountControl is given', async () => {
    const enabled = await admin.read(await user('enabled'), ['useraccountcontrol']);
    expect(enabled?.attributes.get('useraccountcontrol')).toEqual(['512']);
    const disabled = await user('disabled', { useraccountcontrol: ['514'] });
    expect(await server.authenticate(disabled, password)).toEqual({
      granted: false,
      refusal: 'account_disabled',
    });
  });

  it('returns the reason of a refused login', async () => {
    const expired = await user('expired');
    await set(expired, 'accountExpires', '116444736000000000');
    expect(await server.authenticate(expired, password)).toEqual({
      granted: false,
      refusal: 'account_expired',
    });
    const mustChange = await user('must-change');
    await admin.setPassword(mustChange, password, { mustChange: true });
    expect(await server.authenticate(mustChange, password)).toEqual({ granted: true, mustChange: true });
    expect(await server.authenticate(mustChange, 'wrong')).toEqual({
      granted: false,
      refusal: 'wrong_password',
    });
    expect(await server.bind(mustChange, password)).toEqual({ granted: false, refusal: 'password_expired' });
  });

  it('refuses a password for one login when the password never expires', async () => {
    const dn = await user('for ever', { useraccountcontrol: ['66048'] });
    const refused = admin.setPassword(dn, 'An0ther-Secret!', { mustChange: true });
    await expect(refused).rejects.toMatchObject({
      reason: 'schema_refused',
      detail: expect.stringContaining('never expires'),
    });
    expect(await server.authenticate(dn, password)).toEqual({ granted: true, mustChange: false });
    await set(dn, 'userAccountControl', '512');
    await admin.setPassword(dn, 'An0ther-Secret!', { mustChange: true });
    expect(await server.authenticate(dn, 'An0ther-Secret!')).toEqual({ granted: true, mustChange: true });
  });

  it('refuses a password with a readable detail', async () => {
    const dn = await user('simple');
    await expect(admin.setPassword(dn, 'abc', { mustChange: false })).rejects.toMatchObject({
      reason: 'password_refused',
      detail: expect.not.stringMatching(/^[0-9A-F]{8}/),
    });
  });

  it('accepts no passwords over unencrypted connections', async () => {
    const plain = connect(samba, {
      urls: [samba.url],
      allow_plain: true,
      bind_dn: samba.adminDn,
      bind_password: samba.adminPassword,
    });
    const refused = plain.service.setPassword(dnOf('enabled'), password, { mustChange: false });
    await expect(refused).rejects.toMatchObject({ reason: 'permission_denied' });
    await plain.close();
  });

  it('lets users change their own password', async () => {
    const dn = await user('own');
    const bound = await server.bind(dn, password);
    if (!bound.granted) throw new Error(bound.refusal);
    await bound.directory.modify(dn, [
      { operation: 'delete', attribute: 'userPassword', values: [password] },
      { operation: 'add', attribute: 'userPassword', values: ['An0ther-Secret!'] },
    ]);
    await bound.directory.close();
    expect((await server.authenticate(dn, 'An0ther-Secret!')).granted).toBe(true);
  });

  it('returns all values of an attribute that comes in ranges', async () => {
    const count = 1_650;
    const container = Dn.parse(`OU=many,${samba.base}`);
    await admin.add(container, new Map([['objectclass', ['organizationalUnit']]]));
    const people = Array.from({ length: count }, (_, n) => container.child([{ type: 'CN', value: `m${n}` }]));
    for (let n = 0; n < count; n += 50) {
      await Promise.all(
        people.slice(n, n + 50).map((dn) => admin.add(dn, new Map([['objectclass', ['contact']]]))),
      );
    }
    const group = dnOf('crowd');
    await admin.add(
      group,
      new Map([
        ['objectclass', ['group']],
        ['member', people.map(String)],
      ]),
    );
    expect((await admin.read(group))?.attributes.get('member')).toHaveLength(count);
    expect((await admin.read(group, ['member']))?.attributes.get('member')).toHaveLength(count);
    const found = await admin.search({
      base: container,
      scope: 'one',
      filter: matchAll,
      attributes: ['cn'],
    });
    expect(found.map(({ attributes }) => attributes.get('cn')?.[0])).toHaveLength(count);
  });

  it('is searched from its root without referrals', async () => {
    const search = { base: Dn.root, scope: 'sub', filter: matchAll, attributes: [] } as const;
    const found = await server.service.search(search);
    expect(found[0]?.dn).toBe(samba.base);
    expect(found.length).toBeGreaterThan(200);
  });

  it('distinguishes present and missing members in errors', async () => {
    const group = dnOf('club');
    await admin.add(
      group,
      new Map([
        ['objectclass', ['group']],
        ['member', [dnOf('own').toString()]],
      ]),
    );
    const member = (operation: 'add' | 'delete', name: string): Promise<void> =>
      admin.modify(group, [{ operation, attribute: 'member', values: [dnOf(name).toString()] }]);
    await expect(member('add', 'own')).rejects.toMatchObject({ reason: 'value_exists' });
    await expect(member('delete', 'simple')).rejects.toMatchObject({ reason: 'value_missing' });
  });
});
