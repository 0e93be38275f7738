/** The gateways that a configuration names, ready to be asked; none is asked before the first message. */

import type { ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import type { Mail, Push, Sender, Senders, Sms, YubicoVerification } from '@watchword/core/ports';
import { openMailFolder, openPushFolder, openSmsFolder, systemClock, systemRandom } from '@watchword/node';
import { readNamed } from './secrets/pair-file.ts';

type GatewayConfig = Pick<ServerConfig, 'mail' | 'sms' | 'push' | 'messages'>;

/** Warns of message folders, which are for trials. @returns whole sentences */
export function folderWarnings({ mail, sms, push }: GatewayConfig): readonly string[] {
  const folders = Object.entries({ mail, sms, push }).filter(([, gateway]) => gateway?.type === 'folder');
  if (folders.length === 0) return [];
  const names = folders.map(([way]) => `${way}.type`).join(' and ');
  return [`${names} is folder: messages reach nobody, and codes stand in files; name a gateway.`];
}

/** Loads the packages of the gateways, and opens nothing. */
export async function loadSenders({ mail, sms, push }: GatewayConfig): Promise<void> {
  if (mail?.type === 'smtp') await import('@watchword/gateways/smtp');
  if (sms?.type === 'smpp') await import('@watchword/gateways/smpp');
  if (push?.type === 'web') await import('@watchword/gateways/web-push');
  if (sms?.type === 'http' || push?.type === 'http') await import('@watchword/gateways/http');
}

export async function openSenders({ mail, sms, push, messages }: GatewayConfig): Promise<Senders> {
  return {
    ...(mail && { mail: await openMail(mail, messages) }),
    ...(sms && { sms: await openSms(sms) }),
    ...(push && { push: await openPush(push) }),
  };
}

async function openMail(
  mail: NonNullable<GatewayConfig['mail']>,
  { deadline_s }: GatewayConfig['messages'],
): Promise<Sender<Mail>> {
  if (mail.type === 'folder') return openMailFolder(mail.folder, systemClock);
  const { openSmtp } = await import('@watchword/gateways/smtp');
  const { encryptFor } = await import('@watchword/pki');
  const { host, port, security, user, password, from, timeout_s, rsa_padding } = mail;
  const timeout_ms = Math.min(timeout_s, deadline_s) * 1000;
  const options = { host, port, security, user, password, from, timeout_ms, ...authorities(mail) };
  const encrypt = (certificate: Uint8Array, content: Uint8Array) =>
    encryptFor(certificate, content, rsa_padding);
  return openSmtp(options, { clock: systemClock, encrypt });
}

async function openSms(sms: NonNullable<GatewayConfig['sms']>): Promise<Sender<Sms>> {
  if (sms.type === 'folder') return openSmsFolder(sms.folder, systemClock);
  if (sms.type === 'smpp') return openSmsCentre(sms);
  const { openSmsGateway } = await import('@watchword/gateways/http');
  const { type: _, allow_plain: __, secret_file: ___, ca: ____, ...template } = sms;
  return openSmsGateway({ ...template, ...authorities(sms) });
}

async function openSmsCentre(
  sms: Extract<NonNullable<GatewayConfig['sms']>, { readonly type: 'smpp' }>,
): Promise<Sender<Sms>> {
  const { openSmpp } = await import('@watchword/gateways/smpp');
  const { host, port, security, system_id, password = '', system_type, sender, timeout_s } = sms;
  const login = { system_id, password, system_type };
  const timeout_ms = timeout_s * 1000;
  return openSmpp({ host, port, security, ...login, sender, timeout_ms, ...authorities(sms) });
}

async function openPush(push: NonNullable<GatewayConfig['push']>): Promise<Sender<Push>> {
  if (push.type === 'folder') return openPushFolder(push.folder, systemClock);
  if (push.type === 'web') return openBrowsers(push);
  const { openPushGateway } = await import('@watchword/gateways/http');
  const { type: _, allow_plain: __, secret_file: ___, ca: ____, ...template } = push;
  return openPushGateway({ ...template, ...authorities(push) });
}

async function openBrowsers(
  push: Extract<NonNullable<GatewayConfig['push']>, { readonly type: 'web' }>,
): Promise<Sender<Push>> {
  const { openWebPush } = await import('@watchword/gateways/web-push');
  const { subject, key = '', hosts } = push;
  try {
    return openWebPush({ subject, key, hosts, ...authorities(push) });
  } catch (cause) {
    throw new StartError(
      'push.key_file holds no private key on P-256: make one with "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256".',
      { cause },
    );
  }
}

/** Those that judge codes of Yubikeys; undefined: the configuration names none. */
export async function openYubico({
  yubico,
}: Pick<ServerConfig, 'yubico'>): Promise<YubicoVerification | undefined> {
  if (!yubico) return undefined;
  const { openYubicoServers } = await import('@watchword/gateways/http');
  const { urls, client_id, key = '', timeout_s } = yubico;
  return openYubicoServers({ urls, client_id, key, timeout_s, ...authorities(yubico) }, systemRandom);
}

const authorities = ({ ca }: { readonly ca?: string | undefined }) =>
  ca === undefined ? {} : { ca: readNamed(ca) };
