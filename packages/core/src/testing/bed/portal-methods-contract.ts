/** The contract of the methods that the Admin Portal needs, on any directory. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLdif } from '../../../../embedded/src/ldif/ldif.ts';
import type { ManagerCalls } from '../../doors/manager/methods.ts';
import { csrfToken } from '../../foundation/http/page-session.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { webRequest } from './children/echo.ts';
import type { Fixture } from './fixture.ts';
import { refusalOf } from './stage.ts';

export interface PortalBed {
  readonly fixture: Fixture;
  readonly manager: ManagerCalls;
  /** Credentials by DN. */
  readonly credentials: { readonly username: string; readonly password: string };
  /** A container that nobody else uses. */
  readonly container: string;
  /** A new activated user, who logs in with {@link userPassword}. @returns its DN */
  person(container: string, uid: string, more?: Record<string, string | string[]>): Promise<string>;
  /** The class of persons, and an attribute that it must have. */
  readonly personClass: readonly [name: string, must: string];
  close(): Promise<void>;
}

export const userPassword = 'C0rrect-Horse.42';

export function portalMethodsContract(open: () => Promise<PortalBed>): void {
  let bed: PortalBed;
  let manager: ManagerCalls;
  let zoe: string;
  let odd: string;
  beforeAll(async () => {
    bed = await open();
    ({ manager } = bed);
    const { container } = bed;
    zoe = await bed.person(container, 'yzoe', {
      ...{ mail: 'yz@example.org', displayName: 'Zoë 漢🦓', description: '< file:///etc/passwd' },
      jpegPhoto: Buffer.from([0xff, 0xd8, 0, 10, 13, 0xff]).toString('base64'),
    });
    odd = await bed.person(container, 'yodd, *(a) #1');
    await bed.person(container, 'yal');
  });
  afterAll(() => bed.close());

  const same = (one: string, other: string) => Dn.parse(one).equals(Dn.parse(other));

  it('Find_Users finds by what somebody types, which is never a filter', async () => {
    for (const text of ['yzoe', 'YZ@example', 'Zoë 漢']) {
      const found = await manager.Find_Users({ text });
      expect([text, found.map(({ dn }) => same(dn, zoe))]).toEqual([text, [true]]);
      expect(found[0]).toMatchObject({ name: 'Zoë 漢🦓', mail: ['yz@example.org'], active: true });
    }
    const [oddly] = await manager.Find_Users({ text: 'yodd, *(a)' });
    expect(same(oddly?.dn ?? '', odd)).toBe(true);
    for (const text of ['y*e', 'yzoe)(cn=*', '\\79zoe', 'yzoe\\', 'z'.repeat(20_000)])
      expect([text.slice(0, 20), await manager.Find_Users({ text })]).toEqual([text.slice(0, 20), []]);
    expect(await manager.Find_Users({ text: '', max: 2 })).toHaveLength(2);
  });

  it('List_LDAP_Children shows each once, a page at a time, and begins with no place that no page had', async () => {
    const { container } = bed;
    const all: string[] = [];
    let start: string | null | undefined;
    for (let pages = 0; start !== null && pages < 200; pages += 1) {
      const page = await manager.List_LDAP_Children({ container, max: 1, ...(start && { start }) });
      expect(page.entries.length).toBeLessThan(2);
      all.push(...page.entries.map(({ name }) => name));
      start = page.next;
    }
    expect(all.sort()).toEqual(['yal', 'yodd, *(a) #1', 'yzoe']);
    const { entries } = await manager.List_LDAP_Children({ container, filter: '(mail=yz*)' });
    expect(entries.map(({ kind, dn }) => [kind, same(dn, zoe)])).toEqual([['user', true]]);
    for (const forged of ['', '*', 'zzzz.0', 'x', 'z'.repeat(5000)])
      expect((await refusalOf(manager.List_LDAP_Children({ container, start: forged }))).reason).toBe(
        'invalid_params',
      );
  });

  it('Get_Directory_Schema says what an entry of a class must and may have', async () => {
    const { classes, attributes } = await manager.Get_Directory_Schema({ dn: zoe });
    const [name, must] = bed.personClass;
    const words = ({ must: musts }: { readonly must: readonly string[] }) =>
      musts.map((one) => one.toLowerCase());
    expect(words(classes.find((one) => one.name.toLowerCase() === name) ?? { must: [] })).toContain(must);
    expect(classes.find((one) => one.name === 'webadmAccount')).toMatchObject({ kind: 'auxiliary' });
    const of = (called: string) => attributes.find((one) => one.name.toLowerCase() === called);
    expect([of('mail')?.binary, of('jpegphoto')?.binary]).toEqual([false, true]);
  });

  it('Export_LDAP_Objects writes LDIF that is read back as it was, without passwords', async () => {
    const text = await manager.Export_LDAP_Objects({ basedn: bed.container });
    expect(text).not.toMatch(/userpassword|unicodepwd|supplementalcredentials|pwdhistory/i);
    expect(text.split('\n').every((line) => line.length <= 76 && /^[ -~]*$/.test(line))).toBe(true);
    const back = new Map<string, ReadonlyMap<string, unknown>>();
    for await (const { dn, attributes } of readLdif(text.replace('version: 1\n\n', '')))
      back.set(dn.key, attributes);
    expect([...back.keys()].sort()).toEqual(
      [bed.container, zoe, odd, ...[...back.keys()].filter((key) => /=yal,/.test(key))]
        .map((name) => Dn.parse(name).key)
        .sort(),
    );
    const own = back.get(Dn.parse(zoe).key);
    expect(own?.get('displayname')).toEqual(['Zoë 漢🦓']);
    expect(own?.get('description')).toEqual(['< file:///etc/passwd']);
    expect(own?.get('jpegphoto')).toMatchObject([Buffer.from([0xff, 0xd8, 0, 10, 13, 0xff])]);
  });

  it('Explain_User_Settings names the layer that a value comes from', async () => {
    const settings = ['Otp.LoginMode'] as const;
    const before = await manager.Explain_User_Settings({ dn: zoe, settings });
    expect(before).toMatchObject({
      'Otp.LoginMode': { layer: expect.stringMatching(/^(?:application|installation)$/) },
    });
    await manager.Set_User_Settings({ dn: zoe, settings: { 'Otp.LoginMode': 'LDAP' } });
    const after = await manager.Explain_User_Settings({ dn: zoe, settings });
    expect(after).toMatchObject({ 'Otp.LoginMode': { value: 'LDAP', layer: 'user', overridden: [{}] } });
  });

  it('User_Places and Search_Event_Logs tell of a login; Export_Event_Logs writes it', async () => {
    const { fixture } = bed;
    const body = JSON.stringify({ username: 'yzoe', ldapPassword: userPassword });
    const response = await fixture.service.web.answer(webRequest('/otp/json/otpNormalLogin/', { body }));
    expect(String(response.body)).toContain('"code":1');
    expect(await manager.User_Places({ dn: zoe })).toHaveLength(1);
    const { events } = await manager.Search_Event_Logs({ dn: zoe, application: 'Otp' });
    expect(events).toHaveLength(1);
    const written = await manager.Export_Event_Logs({ dn: zoe, application: 'Otp' });
    expect(JSON.parse(written)).toMatchObject({ application: 'Otp' });
    expect(await manager.List_Nodes()).toHaveLength(1);
  });

  it('Set_Role, List_Roles and Remove_Role: a role counts at the next login of its member', async () => {
    const { fixture, container } = bed;
    const row = { methods: ['*'], subtrees: [container], read: ['mail', 'cn'] };
    const enter = () => fixture.service.manager.login({ username: zoe, password: userPassword });
    expect((await refusalOf(enter())).reason).toBe('credentials_refused');
    await manager.Set_Role({ name: 'ydesk', members: [zoe], ...row });
    expect(await manager.List_Roles()).toMatchObject([{ name: 'ydesk', source: 'portal', read: row.read }]);
    const member = await enter();
    const text = await member.manager.Export_LDAP_Objects({ basedn: container });
    expect(text).toContain('mail: yz@example.org');
    expect(text).not.toMatch(/^(?:displayname|jpegphoto|description|webadm)/im);
    expect(await member.manager.Find_Users({ text: 'Zoë 漢' })).toEqual([]);
    const above = Dn.parse(container).parent?.format() ?? '';
    for (const refused of [
      member.manager.Export_LDAP_Objects({ basedn: container, filter: '(description=*)' }),
      member.manager.List_LDAP_Children({ container, filter: '(displayName=Z*)' }),
      member.manager.Get_Directory_Schema({ dn: above }),
      member.manager.Search_Event_Logs({}),
      member.manager.List_Roles(),
      member.manager.Set_Role({ name: 'more', members: [zoe], ...row }),
    ])
      expect((await refusalOf(refused)).reason).toBe('permission_denied');
    await member.close();
    const nobody = `CN=nobody,${container}`;
    const ghosts = manager.Set_Role({ name: 'ghosts', members: [nobody], ...row });
    expect((await refusalOf(ghosts)).reason).toBe('invalid_params');
    expect(await manager.Remove_Role({ name: 'YDESK' })).toBe(true);
    expect((await refusalOf(enter())).reason).toBe('credentials_refused');
  });

  it('Admin_Sessions lists who is signed in to the portal, whom End_Admin_Session signs out', async () => {
    const { portal } = bed.fixture.service;
    const request = (path: string, body: object, cookie?: string) => ({
      ...webRequest(path, { body: JSON.stringify(body) }),
      headers: new Headers({
        ...{ 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        ...(cookie !== undefined && { cookie: `SVCADMIN=${cookie}`, 'x-csrf-token': csrfToken(cookie) }),
      }),
    });
    const { cookies = [] } = await portal.answerSession(request('/admin/session', bed.credentials));
    const cookie = /^SVCADMIN=([0-9a-f]+);/.exec(cookies[0] ?? '')?.[1] ?? '';
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'List_LDAP_Children',
      params: { container: bed.container },
    };
    const status = async () => (await portal.answerCall(request('/admin/rpc', call, cookie))).status;
    expect(await status()).toBe(200);
    const sessions = await manager.Admin_Sessions();
    expect(sessions.map(({ administrator }) => same(administrator, bed.credentials.username))).toEqual([
      true,
    ]);
    await manager.End_Admin_Session({ id: sessions[0]?.id ?? '' });
    expect(await status()).toBe(401);
    expect(await manager.Admin_Sessions()).toEqual([]);
  });
}
