/** Claims of codes: of a verification server, of an entry that refuses changes, and of each kind of authenticator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DataChanges, swapData } from '../directory/data/data.ts';
import { findEntryRef } from '../directory/data/user-data.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { Dn } from '../foundation/text/dn.ts';
import type { YubicoVerification } from '../ports/sending/yubico-verification.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { readOnlyService } from '../testing/read-only.ts';
import type {
  EmergencyAuthenticator,
  ListAuthenticator,
  RightCode,
  TokenAuthenticator,
} from './authenticator.ts';
import { claimAtHand, noteDrift, prepareClaim } from './code-claim.ts';
import type { FidoDevice } from './device.ts';
import { keepState } from './entry-state.ts';
import { emergencyChanges, emergencyOf, listChanges } from './lists.ts';
import {
  dataOf,
  hotpToken,
  type OwnerOptions,
  ocraToken,
  secret,
  step,
  totpToken,
  userOf,
} from './testing/owner.ts';
import type { HotpState, Token } from './token.ts';
import { tokenChanges } from './token-data.ts';

let node: Fixture;
let readOnly: Fixture;
beforeAll(async () => {
  node = await openFixture();
  await node.call('Activate_LDAP_Object', { dn: node.users.alice.dn });
  readOnly = await node.another({ ports: ({ directory }) => ({ directory: readOnlyService(directory) }) });
});
afterAll(async () => {
  await readOnly.close();
  await node.close();
});
beforeEach(() => {
  for (const { log } of [node, readOnly]) log.lines.length = 0;
});

describe('a code of a Yubikey', () => {
  const user = userOf({ tokens: [{ ...hotpToken, type: 'YUBICLOUD', id: 'dteffuje' }] });
  const right: RightCode = {
    kind: 'cloud',
    of: user.authenticators[0] as TokenAuthenticator,
    otp: 'dteffuje',
  };
  const use = async (verify: YubicoVerification['verify'] | undefined) => {
    const yubico = verify && { verify, close: () => undefined };
    return prepareClaim(right, user, { ...node.core, yubico });
  };

  it.each([
    ['good', { claim: { value: 0 } }],
    ['wrong', 'wrong'],
    ['replayed', 'taken'],
  ] as const)('takes the answer %s of the server as %j', async (verdict, result) => {
    const used = await use(async () => verdict);
    if (typeof result === 'string') expect(used).toBe(result);
    else expect(used).toMatchObject(result);
  });

  it('leaves a code unverified when no server answers, and logs it', async () => {
    const unavailable = new ServiceError('unavailable', { detail: 'no server answers' });
    expect(await use(() => Promise.reject(unavailable))).toBe('unverified');
    expect(JSON.stringify(node.log.lines)).toContain('A code of a Yubikey could not be verified');
  });

  it('leaves a code unverified when the configuration names no server', async () => {
    expect(await use(undefined)).toBe('unverified');
  });

  it('throws any other error', async () => {
    await expect(use(() => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault');
  });
});

describe('a state', () => {
  const owner = () => findEntryRef(Dn.parse(node.users.alice.dn), node.core);
  const change = new Map([['Otp.Note', Buffer.from('1')]]);

  it('is ours when it was written, and taken where nothing is left to write', async () => {
    expect(await keepState(await owner(), () => change, node.core)).toBe('ours');
    const next = (stored: { get(key: string): unknown }) => (stored.get('Otp.Note') ? new Map() : change);
    expect(await keepState(await owner(), next, node.core)).toBe('taken');
  });

  it('reports an unsaved state when the directory refuses it, and logs the cure', async () => {
    expect(await keepState(await owner(), () => change, readOnly.core)).toBe('unkept');
    expect(JSON.stringify(readOnly.log.lines)).toMatch(/could not be written.*"cure":"give /);
  });

  it('reports an unsaved state for any other reason, without the cure for missing rights', async () => {
    const fail = () => {
      throw new ServiceError('unavailable', { detail: 'the directory is gone' });
    };
    expect(await keepState(await owner(), fail, node.core)).toBe('unkept');
    const log = JSON.stringify(node.log.lines);
    expect([log.includes('could not be written'), log.includes('"cure"')]).toEqual([true, false]);
  });

  it('throws any other error, and logs nothing', async () => {
    const fail = () => {
      throw new TypeError('a fault');
    };
    await expect(keepState(await owner(), fail, node.core)).rejects.toThrow('a fault');
    expect(node.log.lines).toEqual([]);
  });
});

describe('a use', () => {
  const judged = (state: HotpState, claim: number) => ({ type: 'HOTP', state, claim }) as const;
  const byTime = (drift: number) => ({ type: 'TOTP', state: { step, drift }, claim: step }) as const;
  const list = { secret, digits: 6, size: 3, used: new Set<number>() };
  const emergencyWith = (uses: number) => {
    const start = Math.floor(node.clock.now() / 1000) * 1000;
    return emergencyOf('help me', { start, end: start + 60_000, uses });
  };
  const stateOf = ({ type, secret, state }: Pick<Token, 'type' | 'secret' | 'state'>) =>
    tokenChanges(1, { type, secret, state });
  /** Alice, whose entry has these data, and her first authenticator. */
  async function alice(data: DataChanges, options: OwnerOptions = {}) {
    const { dn, id } = await findEntryRef(Dn.parse(node.users.alice.dn), node.core);
    await swapData({ dn, id }, () => data, node.core);
    const user = userOf({ data: dataOf(data), ...options, dn, id });
    const stored = async () => {
      const { result } = await node.call('Get_User_Data', { dn: dn.format() });
      return result as Readonly<Record<string, string>>;
    };
    return { user, of: user.authenticators[0] as TokenAuthenticator, stored };
  }
  const text = (value: string | undefined) => value && Buffer.from(value, 'base64').toString();

  it('writes the state of a counter to the entry, once', async () => {
    const { user, of, stored } = await alice(stateOf(hotpToken), { tokens: [hotpToken] });
    const right: RightCode = { kind: 'token', of, code: '', verdict: judged({ counter: 6 }, 5) };
    const claim = { key: of.claims, value: 5 };
    expect(await prepareClaim(right, user, node.core)).toMatchObject({ claim, values: new Map() });
    expect(text((await stored())['Otp.TokenState'])).toBe('6');
    expect(await prepareClaim(right, user, node.core)).toBe('taken');
    expect(noteDrift(right, user, node.core)).toBeUndefined();
    const next: RightCode = { ...right, verdict: judged({ counter: 7 }, 6) };
    expect(await prepareClaim(next, user, readOnly.core)).toBe('unkept');
  });

  it('claims a time step only, and writes the drift after the login', async () => {
    const { user, of, stored } = await alice(stateOf(totpToken), { tokens: [totpToken] });
    const right = (drift: number): RightCode => ({ kind: 'token', of, code: '', verdict: byTime(drift) });
    const before = await stored();
    const claim = { key: of.claims, value: step };
    expect(await prepareClaim(right(3), user, node.core)).toMatchObject({ claim, values: new Map() });
    expect(noteDrift(right(0), user, node.core)).toBeUndefined();
    expect(await stored()).toEqual(before);
    await noteDrift(right(3), user, node.core);
    expect(text((await stored())['Otp.TokenState'])).toBe(`${step}:3`);
  });

  it('writes a time step to the entry when stores are separate', async () => {
    const { user, of, stored } = await alice(stateOf(totpToken), { tokens: [totpToken] });
    const right: RightCode = { kind: 'token', of, code: '', verdict: byTime(0) };
    const separate = { ...node.core, config: { ...node.core.config, stores: 'separate' as const } };
    expect(await prepareClaim(right, user, separate)).toMatchObject({ claim: { value: step } });
    expect(text((await stored())['Otp.TokenState'])).toBe(`${step}:0`);
    expect(await prepareClaim(right, user, separate)).toBe('taken');
  });

  it('of a time is at hand, and of a counter has to be prepared', async () => {
    const { user, of } = await alice(stateOf(totpToken), { tokens: [totpToken] });
    const right: RightCode = { kind: 'token', of, code: '', verdict: byTime(0) };
    expect(claimAtHand(right, user, node.core)).toEqual(await prepareClaim(right, user, node.core));
    const counting = await alice(stateOf(hotpToken), { tokens: [hotpToken] });
    const counted: RightCode = { ...right, of: counting.of, verdict: judged({ counter: 6 }, 5) };
    expect(claimAtHand(counted, counting.user, node.core)).toBeUndefined();
  });

  it('claims a question when the suite has a counter', async () => {
    const { user, of } = await alice(stateOf(ocraToken), { tokens: [ocraToken] });
    const answered = (claim: number | undefined): RightCode => {
      const state = { counter: 1, drift: 0 };
      return { kind: 'ocra', of, verdict: { type: 'OCRA', state, claim } };
    };
    expect(await prepareClaim(answered(undefined), user, node.core)).toMatchObject({ claim: undefined });
    const claim = { key: of.claims, value: 0 };
    expect(await prepareClaim(answered(0), user, node.core)).toMatchObject({ claim });
    expect(await prepareClaim(answered(0), user, node.core)).toBe('taken');
  });

  it('claims an assertion when the device counts', async () => {
    const of = { kind: 'FIDO2', key: 'device:1', name: 'device 1', device: {} as FidoDevice } as const;
    const claimOf = (counter: number) => prepareClaim({ kind: 'device', of, counter }, userOf(), node.core);
    expect(await claimOf(0)).toMatchObject({ claim: undefined });
    expect(await claimOf(5)).toMatchObject({ claim: { key: 'device:1', value: 5 } });
  });

  it('writes the state of a list to the entry, once', async () => {
    const { user } = await alice(listChanges(list), { settings: { OTPType: 'LIST' } });
    const of = user.authenticators[0] as ListAuthenticator;
    const right: RightCode = { kind: 'list', of, position: 1 };
    const use = () => prepareClaim(right, user, node.core);
    expect(await use()).toMatchObject({ claim: { value: 0 } });
    expect(await use()).toBe('taken');
    expect(noteDrift(right, user, node.core)).toBeUndefined();
  });

  it('counts the uses of an emergency password', async () => {
    const usesOf = async (uses: number) => {
      const emergency = emergencyWith(uses);
      const { user } = await alice(emergencyChanges(emergency));
      const of = user.authenticators[0] as EmergencyAuthenticator;
      return () => prepareClaim({ kind: 'emergency', of }, user, node.core);
    };
    const free = await usesOf(0);
    expect(await free()).toMatchObject({ claim: undefined });
    const counted = await usesOf(1);
    expect(await counted()).toMatchObject({
      claim: { value: 0 },
      isOneOfMany: true,
      raised: { value: 0xffff },
    });
    expect(await counted()).toBe('taken');
  });
});
