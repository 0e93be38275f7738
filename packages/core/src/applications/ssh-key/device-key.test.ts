/** SSH keys on FIDO2 devices, registered in a browser, over the embedded directory and slapd; OpenSSH reads what sshd gets. */
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecurityKey, type Twist } from '../../testing/bed/engines/security-key.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { run, scratchFolder } from '../../testing/bed/scratch.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';
import { wireString } from './wire.ts';

const party = { id: 'example.com', name: 'Example' };
const origin = 'https://login.example.com';

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('device-keys');
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(engines)('SSH keys on FIDO2 devices: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let manager: Stage['manager'];
  let dn: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    const options = { config: { relying_party: party } };
    node = await stage.fixture.another({ ...options, ports: () => stage.ports });
    manager = await stage.enter(options);
    dn = await stage.person(await stage.container(), 'frida');
  });
  afterAll(async () => {
    await node.close();
    await stage.close();
  });

  const challenge = async () => {
    const random = randomBytes(32).toString('base64url');
    const asked = JSON.parse(
      await manager.SshKey.FIDO_Challenge({ username: 'frida', domain: 'Default', random }),
    );
    expect(asked.challenge).toBe(random);
    return { random, asked };
  };
  const newKey = (kind: 'ES256' | 'EdDSA' | 'RS256') => new SecurityKey({ rpId: party.id, origin, kind });
  async function register(key: SecurityKey, twist: Twist = {}) {
    const { random } = await challenge();
    const response = Buffer.from(key.register(random, twist)).toString('base64url');
    return manager.SshKey.FIDO_Register({ dn, response, random });
  }
  const line = async (settings: Record<string, string | null> = {}) => {
    await manager.Set_User_Settings({ dn, settings });
    const answer = await node.service.web.sshkey.authorizedKeys({ username: 'frida' });
    return 'publicKeys' in answer ? (answer.publicKeys ?? '') : '';
  };
  /** Returns bits and kind of each key that OpenSSH can read in a file of them. */
  const readByOpenSsh = async (text: string) => {
    const path = join(folder, `authorized-keys-${engine}`);
    await writeFile(path, `${text}\n`);
    return (await run('ssh-keygen', ['-l', '-f', path])).stdout.trim();
  };

  it('are asked of browsers that make what OpenSSH has', async () => {
    const { asked } = await challenge();
    expect(asked.rp.id).toBe('example.com');
    expect(asked.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7]);
  });

  it.each([
    ['ES256', 'sk-ecdsa-sha2-nistp256@openssh.com', '(ECDSA-SK)'],
    ['EdDSA', 'sk-ssh-ed25519@openssh.com', '(ED25519-SK)'],
  ] as const)('of %s are read by OpenSSH', async (kind, type, word) => {
    await register(newKey(kind));
    const text = await line();
    expect(text).toContain(` ${type} `);
    const blob = Buffer.from(text.split(`${type} `)[1]?.split(' ')[0] ?? '', 'base64');
    expect(blob.subarray(-'example.com'.length).toString()).toBe('example.com');
    const read = await readByOpenSsh(text);
    expect(read).toMatch(/^256 SHA256:\S+ frida@Default /);
    expect(read).toContain(word);
    const { 'SshKey.KeyType': stored } = await manager.Get_User_Data({ dn, data: ['SshKey.KeyType'] });
    expect(Buffer.from(String(stored), 'base64').toString()).toBe(type);
  });

  it('that ssh-keygen has made are imported, and written as they were', async () => {
    await register(newKey('EdDSA'));
    const [, ours = ''] = (await line()).match(/ (sk-ssh-ed25519@openssh\.com \S+) /) ?? [];
    const [type = '', base64 = ''] = ours.split(' ');
    const theirs = Buffer.concat([Buffer.from(base64, 'base64').subarray(0, -15), wireString('ssh:')]);
    const pubkey = `${type} ${theirs.toString('base64')}`;
    await manager.SshKey.Key_Import({ dn, pubkey: `${pubkey} frida@laptop` });
    expect(await line()).toContain(` ${pubkey} frida@Default`);
    const cut = `${type} ${theirs.subarray(0, -8).toString('base64')}`;
    await expect(manager.SshKey.Key_Import({ dn, pubkey: cut })).rejects.toMatchObject({
      reason: 'invalid_params',
    });
  });

  it('take the place of other keys, and leave it to them', async () => {
    await register(newKey('EdDSA'));
    await manager.SshKey.Key_Register({ dn, type: 'ED25519' });
    expect(await line()).toContain(' ssh-ed25519 ');
    await register(newKey('EdDSA'));
    expect(await line()).toContain(' sk-ssh-ed25519@openssh.com ');
    await manager.SshKey.Key_Unregister({ dn });
    expect(await line()).toBe('');
    const left = Object.keys(await manager.Get_User_Data({ dn })).filter((name) =>
      name.startsWith('SshKey.'),
    );
    expect(left).toEqual([]);
  });

  it.each<[string, Twist]>([
    ['of another page', { origin: 'https://evil.test' }],
    ['of another relying party', { rpId: 'evil.test' }],
  ])('%s are refused', async (_, twist) => {
    await expect(register(newKey('ES256'), twist)).rejects.toMatchObject({ reason: 'invalid_params' });
  });

  it('of RSA are refused', async () => {
    await expect(register(newKey('RS256'))).rejects.toMatchObject({ reason: 'invalid_params' });
  });

  it('are restricted by the settings of the user, in words of sshd', async () => {
    await register(newKey('EdDSA'));
    const settings = {
      'SshKey.AddressFilter': '192.0.2.0/24, !192.0.2.7',
      'SshKey.ForwardFilter': 'db.example.org:5432,[2001:db8::1]:22',
      'SshKey.RemoteCommand': '/usr/bin/id -u',
      'SshKey.AgentForwarding': 'No',
      'SshKey.PortForwarding': 'No',
      'SshKey.X11Forwarding': 'No',
      'SshKey.PTYAllocation': 'No',
    };
    const text = await line(settings);
    expect(text).toContain(
      ',from="192.0.2.0/24,!192.0.2.7",command="/usr/bin/id -u",permitopen="db.example.org:5432",permitopen="[2001:db8::1]:22",no-agent-forwarding,no-port-forwarding,no-X11-forwarding,no-pty sk-ssh-ed25519',
    );
    expect(await readByOpenSsh(text)).toContain('(ED25519-SK)');
    const none = Object.fromEntries(Object.keys(settings).map((name) => [name, null]));
    expect(await line(none)).toMatch(
      /^environment="SSHKEY_USERNAME=frida",environment="SSHKEY_DOMAIN=Default" sk-/,
    );
  });

  it.each([
    ['SshKey.AddressFilter', '1.2.3.4" ,no-pty'],
    ['SshKey.ForwardFilter', 'db.example.org'],
    ['SshKey.RemoteCommand', 'echo "x"'],
    ['SshKey.AllowKeyFiles', 'Yes'],
    ['SshKey.AllowedTags', 'web'],
    ['SshKey.GuestAccount', 'guest'],
  ])('take no %s that would not act', async (name, value) => {
    await expect(manager.Set_User_Settings({ dn, settings: { [name]: value } })).rejects.toMatchObject({
      reason: 'invalid_params',
      detail: expect.stringContaining(name),
    });
  });
});
