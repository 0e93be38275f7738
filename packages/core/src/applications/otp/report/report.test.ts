/** Reports on a user and on a domain, over the embedded directory and slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { engines, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';
const secret = Buffer.from('12345678901234567890');
const all = { token: true, u2f: true, block: true, expire: true } as const;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe.each(engines)('reports: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let [alice, bob, idle]: string[] = [];
  beforeAll(async () => {
    stage = await openStage(engine);
    node = await stage.fixture.another({ ports: () => stage.ports });
    const people = await stage.container();
    alice = await stage.person(people, 'report-alice', { userpassword: password });
    bob = await stage.person(people, 'report-bob', { userpassword: password });
    idle = await stage.person(people, 'report-idle', { objectclass: ['inetOrgPerson'] });
    const key = secret.toString('base64');
    await stage.manager.Otp.HOTP_Register({ dn: alice, key, id: 2 });
  });
  afterAll(async () => {
    await node.close();
    await stage.close();
  });

  const report = (dn = '', wanted: object = {}) => stage.manager.Otp.User_Report({ dn, ...wanted });
  const inDomain = async (wanted: object = {}) =>
    Object(await stage.manager.Otp.Domain_Report({ domain: 'Default', filter: '(uid=report-*)', ...wanted }));

  it('tell what a user logs in with, and when it did', async () => {
    expect(await report(alice)).toEqual({ methods: ['TOKEN'] });
    // RFC 4226 appendix D.
    const login = { username: 'report-alice', ldapPassword: password, otpPassword: '755224' };
    expect(await node.service.web.otp.normalLogin(login)).toMatchObject({ code: 1 });
    expect(await report(alice)).toEqual({ methods: ['TOKEN'], lastlogin: moment });
  });

  it('have the parts that are wanted', async () => {
    expect(await report(bob, all)).toEqual({
      ...{ methods: [], token: [], u2f: [], expire: expect.objectContaining({ mustchange: false }) },
      block: { blocked: false, seconds: 0, passwords: 0, codes: 0 },
    });
    await stage.manager.Otp.Block_Start({ dn: bob ?? '', expires: 60 });
    expect(await report(bob, { block: 'True' })).toMatchObject({ block: { blocked: true, seconds: 60 } });
    expect(await report(alice, { token: true })).toMatchObject({ token: [{ id: 2, type: 'HOTP' }] });
  });

  it('tell when the password was set, and that it has to be changed', async () => {
    await stage.manager.Set_User_Password({ dn: bob ?? '', password: 'An0ther-pass', change: true });
    expect(await report(bob, { expire: true })).toMatchObject({
      expire: { changed: moment, mustchange: true },
    });
  });

  it('are of all activated users of a domain, or of those that are named', async () => {
    expect(Object.keys(await inDomain()).sort()).toEqual([alice, bob]);
    expect(Object.keys(await inDomain({ filter: '(uid=report-alice)' }))).toEqual([alice]);
    expect(await inDomain({ filter: '(uid=nobody)' })).toEqual({});
    const whole = Object(await stage.manager.Otp.Domain_Report({ domain: 'Default' }));
    expect([alice, bob, idle].map((dn = '') => dn in whole)).toEqual([true, true, false]);
  });

  it('have settings in force', async () => {
    await stage.manager.Set_User_Settings({ dn: alice ?? '', settings: { 'Otp.LoginMode': 'OTP' } });
    const found = await inDomain({ settings: ['Otp.LoginMode'], token: true });
    expect(found[alice ?? '']).toMatchObject({ settings: { 'Otp.LoginMode': 'OTP' }, token: [{ id: 2 }] });
    expect(found[bob ?? ''].settings).toEqual({ 'Otp.LoginMode': 'LDAPOTP' });
  });

  it('are none of what is not there', async () => {
    expect(await stage.manager.Otp.Domain_Report({ domain: 'Nowhere' })).toBe(false);
    expect((await refusalOf(report(`uid=nobody,${stage.base}`))).reason).toBe('not_found');
    expect((await refusalOf(report(idle))).detail).toContain('is not an activated user or group');
  });

  it('set nothing back', async () => {
    for (const asking of [report(alice, { reset: true }), inDomain({ reset: true })])
      expect((await refusalOf(asking)).detail).toContain('Parameter reset');
  });

  it('are of no more users than a search may find', async () => {
    const few = await stage.enter({ config: { limits: { search_entries: 1 } } });
    const asking = few.Otp.Domain_Report({ domain: 'Default', filter: '(uid=report-*)' });
    expect((await refusalOf(asking)).reason).toBe('too_large');
  });
});
