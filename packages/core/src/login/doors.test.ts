/**
 * The policy at every door: each login mode, whatever is shown, through each door that logs people in. A door may demand more than
 * the policy, never less. A source file that judges logins and belongs to no door in the table fails the test.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openIdEngine } from '../../../openid/src/index.ts';
import { totp } from '../foundation/oath/totp.ts';
import { Dn } from '../foundation/text/dn.ts';
import { readSources } from '../testing/architecture/source-file.ts';
import { SecurityKey } from '../testing/bed/engines/security-key.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { type Door, doorsAt, type First, type Step } from './testing/doors.ts';

const modes = ['LDAP', 'OTP', 'LDAPOTP', 'LDAPU2F', 'LDAPMFA'] as const;
type Mode = (typeof modes)[number];
const password = 'Correct-Horse-7';
const origin = 'https://localhost:8443';

type Code = 'TOTP' | 'emergency' | 'wrong';

/** What a person does: what is sent first, and then if the door asks for more. */
interface Attempt {
  readonly password?: 'right' | 'wrong';
  readonly code?: Code;
  readonly next?: Code | 'device' | 'wrong device';
}

const attempts: Readonly<Record<string, Attempt>> = {
  'the password alone': { password: 'right' },
  'a TOTP alone': { code: 'TOTP' },
  'an emergency code alone': { code: 'emergency' },
  'the password and a TOTP': { password: 'right', code: 'TOTP' },
  'the password and an emergency code': { password: 'right', code: 'emergency' },
  'the password and a wrong code': { password: 'right', code: 'wrong' },
  'a wrong password and a TOTP': { password: 'wrong', code: 'TOTP' },
  'the password, then a TOTP': { password: 'right', next: 'TOTP' },
  'the password, then an emergency code': { password: 'right', next: 'emergency' },
  'the password, then a device': { password: 'right', next: 'device' },
  'the password, then the device of somebody else': { password: 'right', next: 'wrong device' },
  'the password and a TOTP, then a device': { password: 'right', code: 'TOTP', next: 'device' },
  'nothing, then a TOTP': { next: 'TOTP' },
  'nothing, then a device': { next: 'device' },
};

const wantedBy: Readonly<Record<Mode, { password: boolean; second: 'none' | 'code' | 'device' | 'either' }>> =
  {
    LDAP: { password: true, second: 'none' },
    OTP: { password: false, second: 'code' },
    LDAPOTP: { password: true, second: 'code' },
    LDAPU2F: { password: true, second: 'device' },
    LDAPMFA: { password: true, second: 'either' },
  };

/** Returns whether an attempt is to be granted, by the login mode and the demand of the door. */
function isGood(policy: Mode, door: Door, { password: shown, code, next }: Attempt): boolean {
  const demanded = door.demands?.({ code });
  const { password: wantsPassword, second } = wantedBy[demanded && policy !== 'LDAPU2F' ? demanded : policy];
  const takesCode = second === 'code' || second === 'either';
  // Whatever stands in one text is the password where no code is wanted, and the code where no password is.
  if (door.isConcatenated && code && !takesCode) return false;
  if (door.isConcatenated && shown && !wantsPassword) return false;
  if (wantsPassword && !door.isLink && shown !== 'right') return false;
  if (second === 'none') return true;
  if (code && takesCode) return code !== 'wrong';
  if (door.asksNothing || next === undefined) return false;
  return next === 'device' ? second !== 'code' : takesCode && next !== 'wrong' && next !== 'wrong device';
}

const party = { id: 'localhost', origins: [origin] };

/** The doors on data of their own. @param clients policies @param use what is done there */
async function withDoors(
  clients: Clients,
  use: (doors: readonly Door[], fixture: Fixture, node: Fixture) => Promise<void>,
): Promise<void> {
  const fixture = await openFixture();
  const nodes: Fixture[] = [];
  const at = async (admin_auth: 'OTP' | 'U2F' | 'MFA') => {
    const node = await fixture.another({
      config: {
        ...{ admin_auth, clients, relying_party: party, settings: { 'Otp.PasswordReset': 'Yes' } },
        ...{ request_settings: ['198.51.100.0/24'], manager_clients: ['192.0.2.0/24'] },
        openid_clients: { wiki: { redirect_uris: ['https://wiki.example.com/'] } },
      },
      ports: () => ({ openid: openIdEngine }),
    });
    nodes.push(node);
    return node;
  };
  try {
    const [OTP, U2F, MFA] = [await at('OTP'), await at('U2F'), await at('MFA')];
    await use(doorsAt(OTP, { OTP, U2F, MFA }), fixture, OTP);
  } finally {
    for (const node of nodes) await node.close();
    await fixture.close();
  }
}

type Clients = NonNullable<NonNullable<Parameters<Fixture['another']>[0]>['config']>['clients'];

const clientsOf = (policy: NonNullable<Clients>[string]): Clients =>
  Object.fromEntries(
    ['app', 'SelfDesk', 'PwReset', 'AdminPortal', 'wiki', 'ldap'].map((name) => [name, policy]),
  );

const inMode = (mode: string) => clientsOf({ settings: { 'Otp.LoginMode': mode } });

/** What of all attempts at all doors is granted to people of one login mode, and what of it is to be. */
async function tryAll(
  [doors, fixture, node]: readonly [readonly Door[], Fixture, Fixture],
  mode: string,
  isToBe: (door: Door, attempt: Attempt) => boolean,
) {
  const [granted, wanted]: [string[], string[]] = [[], []];
  for (const door of doors) {
    const person = await hire(fixture, node, mode);
    for (const [name, attempt] of Object.entries(attempts)) {
      fixture.clock.advance(3 * 3_600_000);
      if ((await person.goes(door, attempt)) === 'granted') granted.push(`${door.name}: ${name}`);
      if (isToBe(door, attempt)) wanted.push(`${door.name}: ${name}`);
    }
  }
  return { granted, wanted };
}

describe.each(modes)('mode %s', (mode) => {
  it.each(['user', 'client'])(
    'is what every door grants by, and nothing less, by a policy of the %s',
    (layer) =>
      withDoors(layer === 'user' ? {} : inMode(mode), async (...stage) => {
        const own = layer === 'user' ? mode : 'LDAP';
        const { granted, wanted } = await tryAll(stage, own, (door, attempt) => isGood(mode, door, attempt));
        expect(granted).toEqual(wanted);
        expect(granted.length).toBeGreaterThan(0);
      }),
  );
});

it('closes every door where the policy of its client does, whatever the door demands', () =>
  withDoors(clientsOf({ mode: 'no_access' }), async (...stage) => {
    expect((await tryAll(stage, 'LDAP', () => false)).granted).toEqual([]);
  }));

it('lowers no demand of a door by the mode of its client', () =>
  withDoors(clientsOf({ mode: 'step_down' }), async (...stage) => {
    const { granted, wanted } = await tryAll(stage, 'LDAPOTP', (door, attempt) =>
      isGood('LDAP', door, attempt),
    );
    expect(granted).toEqual(wanted);
  }));

let hired = 0;

/** A super administrator, so that the portal admits the person too, with a TOTP token and a device. */
async function hire(fixture: Fixture, node: Fixture, mode: string) {
  hired += 1;
  const username = `door${hired}`;
  const dn = `uid=${username},ou=people,${fixture.base}`;
  const { service } = fixture.ports.directory;
  const entry = {
    objectclass: ['inetOrgPerson', 'webadmaccount'],
    ...{ cn: [username], sn: [username], userpassword: [password] },
  };
  await service.add(Dn.parse(dn), new Map(Object.entries(entry)));
  await service.modify(Dn.parse(fixture.administrators), [
    { operation: 'add', attribute: 'member', values: [dn] },
  ]);
  const call = async (method: string, params: object) => {
    const { result, error } = await node.call(method, { dn, ...params });
    if (error) throw new Error(`${method}: ${error.reason}: ${error.data}`);
    return result;
  };
  const secret = randomBytes(20);
  await call('Set_User_Settings', { settings: { 'Otp.LoginMode': mode } });
  await call('Otp.TOTP_Register', { key: secret.toString('base64') });
  const [device, another] = [newDevice(), newDevice()];
  const random = randomBytes(32).toString('base64url');
  await call('Otp.FIDO_Register', {
    response: Buffer.from(device.register(random)).toString('base64url'),
    random,
  });
  const codes: Readonly<Record<Code, () => Promise<string> | string>> = {
    TOTP: () => totp({ secret: createSecretKey(secret), digits: 6, period: 30 }, fixture.clock.now()),
    emergency: async () => String(await call('Otp.Emerg_Register', { expires: 3600 })),
    wrong: () => '00000000',
  };
  const goes = async (door: Door, { password: shown, code, next }: Attempt): Promise<Step> => {
    const first: First = {
      password: shown && (shown === 'right' ? password : 'Wrong-Horse-7'),
      code: code && (await codes[code]()),
    };
    const later = next && next in codes ? await codes[next as Code]() : undefined;
    const step = await door.begin(username, first);
    if (typeof step === 'string' || next === undefined) return step;
    if (later !== undefined) return step.answer({ code: later });
    if (step.devices === undefined) return 'refused';
    return step.answer({ signed: (next === 'device' ? device : another).sign(step.devices) });
  };
  return { goes };
}

const newDevice = () => new SecurityKey({ rpId: party.id, origin, hasCounter: true });

describe('the doors', () => {
  const product = readSources((path) => !/\.test(?:-d)?\.tsx?$|\/testing\//.test(path));
  const below = (path: string) => path.replace('packages/core/src/', '');

  it('are all in the table', () => {
    const judges = [
      'login',
      'loginAs',
      'isGranted',
      'answerChallenge',
      'loginWithCertificate',
      'loginAtPage',
    ];
    const judging = product
      .filter(({ imports }) =>
        imports.some(
          ({ file = '', names }) =>
            /core\/src\/login\/login\.ts$/.test(file) && names.some((name) => judges.includes(name)),
        ),
      )
      .map(({ path }) => below(path));
    const inTable = doorsAt({ service: { web: { otp: {} } } } as Fixture, {} as never);
    // What goes on in a session that an OCRA answer or an SSH key has begun: its own tests are beside it.
    const inSession = ['applications/qrauth/operations.ts', 'applications/ssh-key/operations.ts'];
    const known = [...inTable.flatMap(({ files }) => files), ...inSession];
    expect(judging.toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it('choose no policy and send no settings', () => {
    const choosing = product.filter(({ words }) => words.has('choosesPolicy')).map(({ path }) => below(path));
    expect(choosing.toSorted()).toEqual([
      'administration/policy/caller.ts',
      'administration/policy/callers.ts',
      'administration/policy/client-policies.ts',
      'doors/ldap/door.ts',
      'doors/web/door.ts',
    ]);
  });
});
