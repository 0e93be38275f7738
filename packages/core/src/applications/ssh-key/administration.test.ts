/** Key_Register, Key_Import, Key_Restrict and Key_Unregister, over the embedded directory and slapd. */
import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';
import { generatePrivateKey } from './administration/private-key.ts';
import { publicKeyOf, sshLine } from './public-key.ts';

describe.each(engines)('SSH keys: %s', (engine) => {
  let stage: Stage;
  let dn: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    dn = await stage.person(await stage.container(), 'alice');
  });
  afterAll(() => stage.close());

  const stored = async () => {
    const data = await stage.manager.Get_User_Data({ dn });
    return Object.fromEntries(
      Object.entries(data)
        .filter(([name]) => name.startsWith('SshKey.'))
        .map(([name, base64]) => [name.slice('SshKey.'.length), Buffer.from(String(base64), 'base64')]),
    );
  };
  const terms = async () => {
    const { KeyExpires, KeySessions } = await stored();
    return [KeyExpires && Number(KeyExpires.toString()), KeySessions && Number(KeySessions.toString())];
  };

  it('are made, and answered once', async () => {
    const pem = await stage.manager.SshKey.Key_Register({ dn, type: 'ECC', size: 384 });
    const { PublicKey, KeyType, ...rest } = await stored();
    expect(KeyType?.toString()).toBe('ecdsa-sha2-nistp384');
    expect(PublicKey).toEqual(publicKeyOf(createPublicKey(createPrivateKey(pem))).spki);
    expect(rest).toEqual({});
    const { lines } = stage.fixture.log;
    expect(JSON.stringify([stage.fixture.events(), lines])).not.toContain(pem.split('\n')[1]);
  });

  it('are imported, restricted for days and sessions, and removed', async () => {
    const pair = await stage.manager.SshKey.Key_Register({ dn, type: 'RSA', size: 2048 });
    const line = sshLine(publicKeyOf(createPublicKey(createPrivateKey(pair))).spki);
    await stage.manager.SshKey.Key_Unregister({ dn });
    expect(await stored()).toEqual({});
    expect(await stage.manager.SshKey.Key_Unregister({ dn })).toBe(false);
    await expect(stage.manager.SshKey.Key_Restrict({ dn, expires: 1 })).rejects.toMatchObject({
      reason: 'not_found',
    });
    await stage.manager.SshKey.Key_Import({ dn, pubkey: `${line} alice@laptop`, expires: 3 });
    const now = Math.floor(stage.fixture.clock.now() / 1000);
    expect(await terms()).toEqual([now + 3 * 86_400, undefined]);
    await stage.manager.SshKey.Key_Restrict({ dn, maxuse: 5 });
    expect(await terms()).toEqual([now + 3 * 86_400, 5]);
    await stage.manager.SshKey.Key_Restrict({ dn, expires: 0 });
    expect(await terms()).toEqual([undefined, 5]);
  });

  it('are good as long and as often as the settings of the user say', async () => {
    await stage.manager.Set_User_Settings({
      dn,
      settings: { 'SshKey.KeyExpire': '7', 'SshKey.KeyMaxUse': '9' },
    });
    await stage.manager.SshKey.Key_Register({ dn, type: 'ED25519' });
    const now = Math.floor(stage.fixture.clock.now() / 1000);
    expect(await terms()).toEqual([now + 7 * 86_400, 9]);
  });

  it.each([
    { type: 'RSA', size: 3072 },
    { type: 'ECC', size: 521 },
    { type: 'ED25519', size: 256 },
  ] as const)('$type are told as ssh-keygen tells them', async (kind) => {
    const line = `${sshLine(publicKeyOf(createPublicKey(await generatePrivateKey(kind))).spki)}`;
    await stage.manager.SshKey.Key_Import({
      dn,
      pubkey: `${line} alice at  her laptop`,
      expires: 0,
      maxuse: 4,
    });
    const result = await stage.manager.SshKey.User_Key({ dn });
    const [bits, fingerprint] = execFileSync('ssh-keygen', ['-lf', '-'], { input: line })
      .toString()
      .split(' ');
    expect(result).toEqual({
      ...{ type: line.split(' ')[0], bits: Number(bits), fingerprint, pubkey: line },
      ...{ comment: 'alice at  her laptop', sessions: 4 },
    });
    await stage.manager.SshKey.Key_Import({ dn, pubkey: `${line} \u001b[31mred`, expires: 2, maxuse: 0 });
    expect(await stage.manager.SshKey.User_Key({ dn })).toEqual({
      ...{ type: line.split(' ')[0], bits: Number(bits), fingerprint, pubkey: line },
      expires: expect.stringMatching(/^\d{4}-/),
    });
    await stage.manager.SshKey.Key_Unregister({ dn });
    expect(await stage.manager.SshKey.User_Key({ dn })).toBe(false);
  });

  it.each([
    [{ type: 'DSA' as const }, 'Parameter type cannot be DSA'],
    [{ type: 'RSA' as const, size: 1024 }, 'Parameter size is not one of 2048, 3072, 4096 for RSA'],
    [{ type: 'ECC' as const, size: 512 }, 'Parameter size is not one of 256, 384, 521 for ECC'],
  ])('are not made of %j', async (kind, detail) => {
    await expect(stage.manager.SshKey.Key_Register({ dn, ...kind })).rejects.toMatchObject({
      reason: 'invalid_params',
      detail: expect.stringContaining(detail),
    });
  });
});
