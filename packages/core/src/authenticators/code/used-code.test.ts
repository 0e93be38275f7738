/** Uses of codes: those of a verification server, and those whose entry takes no change. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findHolder } from '../../directory/data/user-data.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { YubicoVerification } from '../../ports/sending/yubico-verification.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { readOnlyService } from '../../testing/read-only.ts';
import { hotpToken, userOf } from '../testing/holder.ts';
import type { RightCode, TokenAuthenticator } from './authenticator.ts';
import { keepState } from './kept-state.ts';
import { prepareUse } from './used-code.ts';

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
    return prepareUse(right, user, { ...node.core, yubico });
  };

  it.each([
    ['good', { claim: { value: 0 } }],
    ['wrong', 'wrong'],
    ['replayed', 'taken'],
  ] as const)('that the server calls %s ends as %j', async (verdict, result) => {
    const used = await use(async () => verdict);
    if (typeof result === 'string') expect(used).toBe(result);
    else expect(used).toMatchObject(result);
  });

  it('is unverified where no server answers, and the log says so', async () => {
    const unavailable = new ServiceError('unavailable', { detail: 'no server answers' });
    expect(await use(() => Promise.reject(unavailable))).toBe('unverified');
    expect(JSON.stringify(node.log.lines)).toContain('A code of a Yubikey could not be verified');
  });

  it('is unverified where the configuration names no server', async () => {
    expect(await use(undefined)).toBe('unverified');
  });

  it('throws any other error', async () => {
    await expect(use(() => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault');
  });
});

describe('a state', () => {
  const holder = () => findHolder(Dn.parse(node.users.alice.dn), node.core);
  const change = new Map([['Otp.Note', Buffer.from('1')]]);

  it('is ours where it was written, and taken where nothing is left to write', async () => {
    expect(await keepState(await holder(), () => change, node.core)).toBe('ours');
    const next = (stored: { get(key: string): unknown }) => (stored.get('Otp.Note') ? new Map() : change);
    expect(await keepState(await holder(), next, node.core)).toBe('taken');
  });

  it('is unkept where the directory refuses it, and the log has the cure', async () => {
    expect(await keepState(await holder(), () => change, readOnly.core)).toBe('unkept');
    expect(JSON.stringify(readOnly.log.lines)).toMatch(/could not be written.*"cure":"give /);
  });

  it('is unkept for any other reason, without the cure for missing rights', async () => {
    const fail = () => {
      throw new ServiceError('unavailable', { detail: 'the directory is gone' });
    };
    expect(await keepState(await holder(), fail, node.core)).toBe('unkept');
    const log = JSON.stringify(node.log.lines);
    expect([log.includes('could not be written'), log.includes('"cure"')]).toEqual([true, false]);
  });

  it('throws any other error, and logs nothing', async () => {
    const fail = () => {
      throw new TypeError('a fault');
    };
    await expect(keepState(await holder(), fail, node.core)).rejects.toThrow('a fault');
    expect(node.log.lines).toEqual([]);
  });
});
