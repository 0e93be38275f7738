/** Text that would be markup if a page took it for that, wherever an administrator's or a stranger's text can come to be on one. */
import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { createManager, createWebServices, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { totp } from '@watchword/core/otp';
import { openOpenssl, readMessage } from '@watchword/core/testing/bed';
import type { Ground, Login } from '../ground.ts';

/** Ends what text stands in, in markup, in an attribute and in a script; an element that only it makes. */
export const planted = `"'></title></script><planted-tag></planted-tag><img src=planted onerror=alert(1)>`;

/** What of it is to be read on a page: whole names are cut. */
export const mark = 'planted-tag';

/** A common name has 64 characters at most (RFC 5280, ub-common-name). */
export const plantedName = `"'><${mark}><img src=planted onerror=alert(2)>`;

const secret = Buffer.from('a secret of 20 bytes');
const people = 'ou=people,dc=example,dc=org';
const rdn = `cn=${planted.replace(/["<>=]/g, '\\$&')}`;

/** Names of systems and texts of settings are the operator's. */
export const plantedSettings = {
  [`WATCHWORD_CLIENTS__${planted}__MODE`]: 'default',
  'WATCHWORD_SETTINGS__Otp.PasswordReset': 'Yes',
  'WATCHWORD_SETTINGS__Otp.SelfRegister': 'Yes',
  'WATCHWORD_SETTINGS__SshKey.SelfRegister': 'Yes',
  WATCHWORD_TRUSTED_CALLERS: '"127.0.0.1/32", "::1/128"',
};

export interface Planted {
  readonly manager: Manager;
  /** Somebody in whose entry all is planted, and who administers. */
  readonly mallory: Login & { code(): string };
  readonly group: string;
  /** Addresses of pages behind links. */
  readonly links: readonly string[];
}

export async function plantAll(ground: Ground): Promise<Planted> {
  const ca = await readFile(ground.ca, 'utf8');
  const { fetch } = nodeTransport({ ca });
  const { username, password } = ground.administrator;
  const manager = createManager({ url: ground.manager, username, password, fetch });
  const code = () => totp({ secret: createSecretKey(secret), digits: 6, period: 30 }, Date.now());
  const mallory = { dn: `${rdn},${people}`, username: 'mallory', password: 'Staple-Battery-9', code };
  const group = `${rdn},ou=groups,dc=example,dc=org`;
  await plantEntries(manager, { mallory, group });
  await plantCertificates(manager, mallory);
  const stranger = { ca, ground };
  await plantEvents(stranger);
  const web = createWebServices({ url: new URL('/', ground.self).href, fetch });
  await web.otp.externConfirm({
    ...{ recipient: 'zoe@example.net', file: Buffer.from('The contract.'), async: true },
    ...{ issuer: planted, client: planted },
  });
  const links = [
    String(await manager.PwReset.Send_Request({ username: 'mallory', method: 'NONE' })),
    String(await manager.SelfReg.Send_Request({ username: 'mallory', method: 'NONE' })),
    await readMessage(join(dirname(ground.ca), 'messages'), /https:\S+\/extern\?session=\w+/),
  ];
  return { manager, mallory, group, links };
}

async function plantEntries(manager: Manager, { mallory, group }: Pick<Planted, 'mallory' | 'group'>) {
  const { dn, username: uid, password: userpassword } = mallory;
  const named = { cn: planted, sn: planted, givenName: planted, displayName: planted };
  const more = { title: planted, description: planted, mail: `${planted}@example.org`, mobile: planted };
  await manager.Create_LDAP_Object({
    dn,
    attrs: { objectClass: ['inetOrgPerson', 'webadmAccount'], uid, userpassword, ...named, ...more },
  });
  await manager.Create_LDAP_Object({
    dn: group,
    attrs: { objectClass: ['groupOfNames'], description: planted, member: [dn] },
  });
  await manager.Set_Role({
    name: 'planted',
    members: [group],
    interfaces: ['Portal'],
    methods: ['*'],
    subtrees: [people],
  });
  const pubkey = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc ${planted}`;
  await manager.SshKey.Key_Import({ dn, pubkey });
  await manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
}

async function plantCertificates(manager: Manager, { dn }: Login): Promise<void> {
  const openssl = await openOpenssl();
  const subject = `/CN=${plantedName}/description=`;
  const { request: signed } = await openssl.request(`${subject}CLIENT`);
  await manager.Sign_certificate_Request({ request: signed });
  const { certificate } = await openssl.certify(`${subject}x`);
  const pem = certificate.replace(/-+(?:BEGIN|END) CERTIFICATE-+|\s/g, '');
  await manager.Set_User_Attrs({ dn, attrs: { userCertificate: [pem] } });
  await openssl.close();
}

/** Who never had a password: what they call themselves is in the event log all the same. */
async function plantEvents({ ca, ground }: { readonly ca: string; readonly ground: Ground }): Promise<void> {
  const send = async (url: string, fields: object, headers: Record<string, string> = {}) => {
    const all = { 'content-type': 'application/json', 'user-agent': planted, ...headers };
    const sent = request(url, { ca, method: 'POST', headers: all });
    sent.end(JSON.stringify(fields));
    const answer = await new Promise<Parameters<typeof readText>[0]>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    await readText(answer);
  };
  const shown = { username: planted, password: planted };
  await send(`${ground.admin}session`, shown);
  await send(`${ground.self}session`, shown);
  const basic = `Basic ${Buffer.from(`${planted}:x`).toString('base64')}`;
  await send(ground.manager, { jsonrpc: '2.0', id: 1, method: planted }, { authorization: basic });
  const login = { username: planted, domain: planted, ldapPassword: planted, client: planted };
  const otp = new URL('/otp/json/otpNormalLogin/', ground.self).href;
  await send(otp, login);
  await send(otp, { ...login, username: 'mallory', domain: 'Default' });
}
