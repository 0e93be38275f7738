/** Files that gateways name: their paths, contents, and which of them hold secrets. */
import type { ServerConfig } from '@watchword/core';
import type { NamedFiles } from './named-files.ts';

type Gateways = Pick<ServerConfig, 'mail' | 'sms' | 'push' | 'yubico'>;

/** Replaces files with secrets by their contents. */
export function gatewaysWithFiles({ mail, sms, push, yubico }: Gateways, files: NamedFiles): Gateways {
  return {
    ...(mail && { mail: mail.type === 'smtp' ? passwordWithFiles('mail', mail, files) : mail }),
    ...(sms && { sms: smsWithFiles(sms, files) }),
    ...(push && { push: pushWithFiles(push, files) }),
    ...(yubico && { yubico: yubicoWithFiles(yubico, files) }),
  };
}

function smsWithFiles(sms: NonNullable<Gateways['sms']>, files: NamedFiles): NonNullable<Gateways['sms']> {
  if (sms.type === 'smpp') return passwordWithFiles('sms', sms, files);
  return sms.type === 'http' ? httpWithFiles('sms', sms, files) : sms;
}

function pushWithFiles(
  push: NonNullable<Gateways['push']>,
  files: NamedFiles,
): NonNullable<Gateways['push']> {
  if (push.type === 'folder') return push;
  if (push.type === 'http') return httpWithFiles('push', push, files);
  const { key_file, ...rest } = push;
  files.read(['push', 'ca'], rest.ca);
  const key = files.read(['push', 'key_file'], key_file);
  return { ...rest, ...(key !== undefined && { key }) };
}

function yubicoWithFiles({ key_file, ...rest }: NonNullable<Gateways['yubico']>, files: NamedFiles) {
  files.read(['yubico', 'ca'], rest.ca);
  const key = files.readSecret(['yubico', 'key_file'], key_file);
  return { ...rest, ...(key !== undefined && { key }) };
}

function passwordWithFiles<T extends { ca?: string | undefined; password_file?: string | undefined }>(
  way: 'mail' | 'sms',
  { password_file, ...rest }: T,
  files: NamedFiles,
) {
  files.read([way, 'ca'], rest.ca);
  const password = files.readSecret([way, 'password_file'], password_file);
  return { ...rest, ...(password !== undefined && { password }) };
}

function httpWithFiles<T extends { ca?: string | undefined; secret_file?: string | undefined }>(
  way: 'sms' | 'push',
  { secret_file, ...rest }: T,
  files: NamedFiles,
) {
  files.read([way, 'ca'], rest.ca);
  const secret = files.readSecret([way, 'secret_file'], secret_file);
  return { ...rest, ...(secret !== undefined && { secret }) };
}

/** Some settings with these of their files as absolute paths. */
type Absolute = <T extends object>(settings: T, ...keys: readonly (keyof T)[]) => T;

export const absoluteGateways = ({ mail, sms, push, yubico }: Gateways, absolute: Absolute): Gateways => ({
  ...(mail && { mail: absoluteMail(mail, absolute) }),
  ...(sms && { sms: absoluteSms(sms, absolute) }),
  ...(push && { push: absolutePush(push, absolute) }),
  ...(yubico && { yubico: absolute(yubico, 'ca', 'key_file') }),
});

const absoluteMail = (mail: NonNullable<Gateways['mail']>, absolute: Absolute) =>
  mail.type === 'smtp' ? absolute(mail, 'ca', 'password_file') : absolute(mail, 'folder');

function absoluteSms(sms: NonNullable<Gateways['sms']>, absolute: Absolute): NonNullable<Gateways['sms']> {
  if (sms.type === 'smpp') return absolute(sms, 'ca', 'password_file');
  return sms.type === 'http' ? absolute(sms, 'ca', 'secret_file') : absolute(sms, 'folder');
}

function absolutePush(
  push: NonNullable<Gateways['push']>,
  absolute: Absolute,
): NonNullable<Gateways['push']> {
  if (push.type === 'web') return absolute(push, 'ca', 'key_file');
  return push.type === 'http' ? absolute(push, 'ca', 'secret_file') : absolute(push, 'folder');
}

/** Returns the named files with secrets. */
export const secretFilesOf = ({ mail, sms, push, yubico }: Gateways): readonly (string | undefined)[] => [
  mail?.type === 'smtp' ? mail.password_file : undefined,
  sms?.type === 'http' ? sms.secret_file : undefined,
  sms?.type === 'smpp' ? sms.password_file : undefined,
  push?.type === 'http' ? push.secret_file : undefined,
  push?.type === 'web' ? push.key_file : undefined,
  yubico?.key_file,
];
