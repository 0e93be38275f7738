/** The client of a real core: embedded directory, HTTPS, a private CA, client certificates, sessions. */

import type { DirectHandler } from '@watchword/core';
import { type Fixture, forgiving, openFixture } from '@watchword/core/testing/bed';
import type { CertifiedKey } from '@watchword/pki';
import { createManagerHandler } from '@watchword/server-manager';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createManager } from './manager.ts';
import { type NodeTransportOptions, nodeTransport } from './node.ts';
import type { ManagerOptions } from './options.ts';
import { certificateFrom, newAuthority, startHttps } from './testing/https-server.ts';

let fixture: Fixture;
let authority: CertifiedKey;

beforeAll(async () => {
  fixture = await openFixture({ config: { manager_session: 60 } });
  authority = await newAuthority('test CA');
});

afterAll(() => fixture.close());

/** The Manager on a port of its own, and what it sees. */
async function start(before: () => Promise<unknown> = async () => undefined) {
  const manager = createManagerHandler(fixture.service);
  const direct: DirectHandler = async (request) => {
    await before();
    return manager.direct(request);
  };
  const { url, seen } = await startHttps({ direct }, authority);
  return { url: `${url}manag/`, seen };
}

function connect(url: string, options: NodeTransportOptions = {}, more: Partial<ManagerOptions> = {}) {
  const transport = nodeTransport({ ca: authority.certificate, ...options });
  onTestFinished(() => transport.close());
  const { username, password } = fixture.admin;
  return createManager({ url, username, password, fetch: transport.fetch, ...more });
}

describe('the client and a real Manager', () => {
  it('administer a user', async () => {
    const manager = connect((await start()).url);
    const dn = `uid=jörg,ou=people,${fixture.base}`;
    const attrs = { objectclass: ['inetOrgPerson'], sn: 'Müller', cn: 'Jörg', mail: ['j@example.org'] };
    expect(await manager.Create_LDAP_Object({ dn, attrs })).toBe(1);
    expect(
      await forgiving(manager).Set_User_Attrs({ dn, attrs: { mail: { 0: 'k@example.org' } }, values: true }),
    ).toBe(1);
    expect(await manager.Get_User_Attrs({ dn, attrs: ['mail', 'sn'] })).toEqual({
      mail: ['j@example.org', 'k@example.org'],
      sn: ['Müller'],
    });
    expect(await manager.Get_User_DN({ username: 'jörg', domain: 'Default' })).toBe(dn);
    expect(await manager.Remove_LDAP_Object({ dn })).toBe(1);
    await expect(manager.Get_User_Attrs({ dn })).rejects.toMatchObject({
      name: 'CallError',
      reason: 'not_found',
      code: -32004,
      httpStatus: 200,
      method: 'Get_User_Attrs',
    });
  });

  it('do a batch in order, each call on what the one before it did', async () => {
    const manager = connect((await start()).url);
    const dn = `ou=batch,${fixture.base}`;
    const attrs = { objectclass: 'organizationalUnit' };
    const settled = await manager.batchSettled((m) => [
      m.Create_LDAP_Object({ dn, attrs }),
      m.Create_LDAP_Object({ dn, attrs }),
      m.Check_LDAP_Object({ dn }),
      m.Remove_LDAP_Object({ dn }),
    ]);
    expect(settled).toMatchObject([
      { ok: true, value: 1 },
      { ok: false, error: { reason: 'already_exists', method: 'Create_LDAP_Object' } },
      { ok: true, value: true },
      { ok: true, value: 1 },
    ]);
  });

  it('agree on who may', async () => {
    const { url } = await start();
    const wrong = connect(url, {}, { password: 'wrong' }).Count_Activated_Users();
    await expect(wrong).rejects.toMatchObject({ reason: 'credentials_refused', httpStatus: 401 });
    const alice = connect(url, {}, fixture.users.alice).Count_Activated_Users();
    await expect(alice).rejects.toMatchObject({ reason: 'credentials_refused' });
  });

  it('keep one session', async () => {
    const { url, seen } = await start();
    const manager = connect(url);
    for (let call = 0; call < 3; call += 1) await manager.Count_Activated_Users();
    const [first, ...others] = seen.map(({ cookie }) => cookie);
    expect(first).toBeNull();
    expect(others[0]).toMatch(/^SVCMANAG=\S{22,}$/);
    expect(new Set(others).size).toBe(1);
  });
});

describe('the transport', () => {
  it('trusts the authorities given, and no others', async () => {
    const { url, seen } = await start();
    const stranger = await newAuthority('another CA');
    for (const ca of [stranger.certificate, undefined]) {
      await expect(connect(url, { ca }).Count_Activated_Users()).rejects.toMatchObject({
        reason: 'network',
        message: expect.stringMatching(/certificate/),
      });
    }
    expect(seen).toEqual([]);
  });

  it('checks the name of the server', async () => {
    const { url } = await start();
    const misled = connect(url, { servername: 'other.example.org' }).Count_Activated_Users();
    await expect(misled).rejects.toMatchObject({ reason: 'network' });
  });

  it('presents a client certificate', async () => {
    const { url, seen } = await start();
    const own = await certificateFrom(authority);
    await connect(url, { cert: own.certificate, key: own.key }).Count_Activated_Users();
    expect(seen[0]?.peer.certificate?.pem.trim()).toBe(own.certificate.trim());
    await connect(url).Count_Activated_Users();
    expect(seen[1]?.peer.certificate).toBeUndefined();
  });

  it('tells of a key that cannot be used when it connects', async () => {
    const { url } = await start();
    const broken = connect(url, { cert: authority.certificate, key: 'no key' }).Count_Activated_Users();
    await expect(broken).rejects.toMatchObject({ reason: 'network' });
  });

  it('keeps its connections, and opens no more than it may', async () => {
    let together = 0;
    let most = 0;
    let allCame = () => {};
    const all = new Promise<void>((resolve) => {
      allCame = resolve;
    });
    const { url, seen } = await start(async () => {
      most = Math.max(most, ++together);
      // Nobody is answered before the third has come: however slow the machine, three have to be there together.
      if (together === 3) allCame();
      await all;
      await new Promise((done) => setTimeout(done, 20));
      together -= 1;
    });
    const manager = connect(url, { connections: 3 });
    await Promise.all(Array.from({ length: 12 }, () => manager.Count_Activated_Users()));
    expect(most).toBe(3);
    expect(seen).toHaveLength(12);
    expect(new Set(seen.map(({ peer }) => peer.port)).size).toBe(3);
  });
});
