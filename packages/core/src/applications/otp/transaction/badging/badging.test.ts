/** Badging on the phone, over the embedded directory and slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance } from '../../../../administration/badging/place.ts';
import { openPhoneStage, type PhoneStage } from '../../../../testing/bed/phones/phone-stage.ts';
import { engines } from '../../../../testing/bed/stage.ts';

const done = { code: 1, error: '', message: 'Authentication success' };
const failed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };
const berlin = '52.520008,13.404954';
const nearby = '52.5205,13.4049';
const paris = '48.8566,2.3522';

describe.each(engines)('badging: %s', (engine) => {
  let phones: PhoneStage;
  let web: PhoneStage['node']['service']['web']['otp'];
  beforeAll(async () => {
    phones = await openPhoneStage(engine);
    web = phones.node.service.web.otp;
  });
  afterAll(() => phones.close());

  const person = (settings?: Record<string, string>) => phones.person(settings);
  type User = Awaited<ReturnType<typeof person>>;
  async function badge({ username, phone }: User, location = '', more: object = {}) {
    const asking = web.startBadging({ username, ...more });
    const session = await phones.nextPushed();
    const seen = await phone.look(session);
    const said = await phone.say('confirm', session, seen, location === '' ? {} : { location });
    return { asking, session, seen, said };
  }
  const since = (dn: string) => phones.stage.manager.Check_User_Badging({ dn });

  it('is asked on the phone, in and out, and told', async () => {
    const user = await person();
    expect(await web.checkBadging({ username: user.username })).toEqual(failed);
    expect(await since(user.dn)).toBe(false);
    const first = await badge(user, berlin);
    expect(first.seen).toMatchObject({ kind: 'badge', data: 'Confirm badging in?' });
    const where = { location: berlin, source: '198.51.100.7', address: '', country: '' };
    expect(await first.asking).toEqual({ ...done, ...where });
    expect(await since(user.dn)).toBe(Math.floor(phones.stage.fixture.clock.now() / 1000));
    expect(await web.checkBadging({ username: user.username })).toEqual({ ...done, ...where });
    expect(await phones.other.service.web.otp.checkBadging({ username: user.username })).toMatchObject(done);
    const second = await badge(user);
    expect(second.seen).toMatchObject({ data: 'Confirm badging out?' });
    expect(await second.asking).toMatchObject({ ...done, location: '' });
    expect(await since(user.dn)).toBe(false);
    expect(phones.stage.fixture.events().map(({ text }) => text)).toContainEqual(
      `Badging of ${JSON.stringify(`Default\\${user.username}`)}: confirmed on the phone`,
    );
  });

  it('ends by itself after a day', async () => {
    const user = await person();
    await (await badge(user)).asking;
    expect(await since(user.dn)).not.toBe(false);
    phones.stage.fixture.clock.advance(86_400_000);
    expect(await since(user.dn)).toBe(false);
  });

  it('begins anew, where the mode says so', async () => {
    const user = await person({ 'Otp.BadgingMode': 'In', 'Otp.BadgingData': 'At <b>work</b>?' });
    await (await badge(user)).asking;
    const before = await since(user.dn);
    phones.stage.fixture.clock.advance(60_000);
    const again = await badge(user);
    expect(again.seen).toMatchObject({ data: 'At <b>work</b>?' });
    await again.asking;
    expect(await since(user.dn)).toBe(Number(before) + 60);
  });

  it('is possible within an area only, and names the office', async () => {
    const user = await person({
      'Otp.BadgingArea': `${paris},500;${berlin},1000`,
      'Otp.BadgingLocations': `Home=${paris},5; Alexanderplatz=${berlin},200`,
    });
    const first = await badge(user, '52.6,13.4');
    expect(first.said).toEqual({ code: 0, message: 'You cannot badge where you are' });
    expect(await user.phone.say('confirm', first.session)).toMatchObject({ code: 0 });
    expect(await user.phone.say('confirm', first.session, undefined, { location: 'home' })).toMatchObject({
      code: 0,
    });
    // What the phone says of its place is part of the proof.
    const seen = await user.phone.look(first.session);
    expect(await user.phone.say('confirm', first.session, seen, { location: nearby })).toMatchObject({
      code: 1,
    });
    expect(await first.asking).toMatchObject({ ...done, location: nearby, address: 'Alexanderplatz' });
    expect(await web.checkBadging({ username: user.username, office: true })).toMatchObject(done);
    const away = await person();
    await (await badge(away, paris)).asking;
    expect(await web.checkBadging({ username: away.username })).toMatchObject(done);
    expect(await web.checkBadging({ username: away.username, office: true })).toEqual(failed);
  });

  it('of a hundred answers at once, one counts', async () => {
    const { dn, username, phone, elsewhere } = await person();
    const asking = web.startBadging({ username });
    const session = await phones.nextPushed();
    const seen = await phone.look(session);
    const said = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 ? phone : elsewhere).say('confirm', session, seen)),
    );
    expect(said.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(await asking).toMatchObject(done);
    expect(await since(dn)).not.toBe(false);
  });

  it('is refused by the user, by the settings, and of nobody', async () => {
    const { dn, username, phone } = await person();
    const asking = web.startBadging({ username });
    await phone.say('refuse', await phones.nextPushed());
    expect(await asking).toEqual(failed);
    expect(await since(dn)).toBe(false);
    const closed = await person({ 'Otp.EnableConfirm': 'No' });
    expect(await web.startBadging({ username: closed.username })).toEqual(failed);
    expect(await web.startBadging({ username: 'nobody' })).toEqual(failed);
    expect(await web.checkBadging({ username: 'nobody' })).toEqual(failed);
    expect(await web.startBadging({ username, source: 'here' })).toMatchObject({ error: 'ServerError' });
    for (const nobody of ['', 'x', `uid=nobody,${dn}`, dn.replace('uid=', 'uid=x')])
      expect(await since(nobody)).toBe(false);
    expect(
      (await phones.ask('POST', '/otp/json/otpStartBadging/', JSON.stringify({ username }))).status,
    ).toBe(401);
  });

  it('is needed over SSH where the settings say so, and ends sessions', async () => {
    const user = await person({ 'SshKey.SessionBadgeOut': 'Yes' });
    const { username } = user;
    await phones.stage.manager.SshKey.Key_Register({ dn: user.dn, type: 'ED25519' });
    const ssh = phones.node.service.web.sshkey;
    expect(await ssh.authorizedKeys({ username })).toMatchObject({ publicKeys: '' });
    expect(await ssh.sessionStart({ username })).toMatchObject({ code: 0 });
    await (await badge(user)).asking;
    expect(await ssh.authorizedKeys({ username })).toMatchObject({
      publicKeys: expect.stringContaining('ssh-ed25519'),
    });
    const started = await ssh.sessionStart({ username });
    const session = 'session' in started ? started.session : '';
    expect(await ssh.sessionUpdate({ session })).toMatchObject({ code: 1 });
    await (await badge(user)).asking;
    expect(await ssh.sessionUpdate({ session })).toMatchObject({ code: 0, error: 'NoSession' });
  });

  it.each([
    ['Otp.BadgingArea', '52.5'],
    ['Otp.BadgingArea', '91,0,100'],
    ['Otp.BadgingLocations', `${berlin},100`],
    ['Otp.BadgingMode', 'Sometimes'],
  ])('takes no %s of %s', async (name, value) => {
    const { dn } = await person();
    await expect(
      phones.stage.manager.Set_User_Settings({ dn, settings: { [name]: value } }),
    ).rejects.toMatchObject({
      reason: 'invalid_params',
    });
  });
});

it('places are as far from each other as they are', () => {
  const [from, to] = [
    { latitude: 52.520008, longitude: 13.404954 },
    { latitude: 48.8566, longitude: 2.3522 },
  ];
  expect(distance(from, to) / 1000).toBeCloseTo(877.5, 0);
  expect(distance(from, from)).toBe(0);
  expect(distance({ latitude: 0, longitude: 179.9995 }, { latitude: 0, longitude: -179.9995 })).toBeCloseTo(
    111.2,
    0,
  );
});
