/** The data folder of an earlier version, unpacked for the servers of today, and logins of its users. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWebServices } from '@watchword/client';
import { Agent, fetch } from 'undici';
import { expect } from 'vitest';
import type { Ended, Installation } from '../installation.ts';
import facts from './facts.json' with { type: 'json' };

export const { admin, apiKey, certificates, list, moment, used } = facts;
/** The secrets of the tokens. */
export const secrets = {
  alice: Buffer.from(facts.secrets.alice, 'hex'),
  harry: Buffer.from(facts.secrets.harry, 'hex'),
};
export const base = 'dc=example,dc=com';
export const dnOf = (username: string): string => `uid=${username},ou=people,${base}`;

export interface EarlierFolder {
  readonly configuration: string;
  /** The certificate of the authority, as it was unpacked. */
  readonly ca: string;
  /** Runs a command of the Manager on the folder. */
  command(...words: readonly string[]): Promise<Ended>;
  /** Reads a file as it is now. */
  read(name: string): Promise<string>;
}

/**
 * Unpacks the folder, and types what an operator types who has moved it: its database is in another file than the one that the servers
 * have worked in. An upgrade in place needs no command.
 */
export async function unpackEarlier(installation: Installation, name: string): Promise<EarlierFolder> {
  const archive = fileURLToPath(new URL('folder.tar.gz', import.meta.url));
  await installation.unpack(archive, name);
  const configuration = `${name}/watchword.yaml`;
  const read = (file: string) => readFile(join(installation.folder, name, file), 'utf8');
  const command = (...words: readonly string[]) =>
    installation.run('watchword-manager', ...words, '--config', configuration);
  expect(await command('--check')).toMatchObject({ code: 1, errors: expect.stringContaining('--moved') });
  expect(await command('restored', '--moved', '--yes')).toMatchObject({ code: 0, errors: '' });
  return { configuration, ca: await read('data/ca.pem'), command, read };
}

/** Answers the code of a login with the right password, and with this one-time password and client. */
export type Login = (username: string, otpPassword?: string, client?: string) => Promise<number>;

export interface Doors {
  readonly login: Login;
  /** The same with the API key of the client `kiosk`. */
  readonly loginAtKiosk: Login;
  get(path: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** @param ca PEM; left out: any certificate of the server is trusted, also one that has ended */
export function openDoors(url: string, ca?: string): Doors {
  const dispatcher = new Agent({ connect: ca === undefined ? { rejectUnauthorized: false } : { ca } });
  const loginBy = (settings: { readonly apiKey?: string }): Login => {
    const { otp } = createWebServices({
      ...{ ...settings, url },
      fetch: (address, request) => fetch(address, { ...request, dispatcher }),
    });
    return async (username, otpPassword, client) => {
      const ldapPassword = `${username}-Pa55word-of-mine`;
      return (await otp.normalLogin({ username, ldapPassword, otpPassword, client })).code;
    };
  };
  return {
    login: loginBy({}),
    loginAtKiosk: loginBy({ apiKey }),
    get: async (path) => Buffer.from(await (await fetch(new URL(path, url), { dispatcher })).arrayBuffer()),
    close: () => dispatcher.close(),
  };
}

/** Logs a user in with one code after another. @returns the answers */
export async function inTurn(
  login: Login,
  username: string,
  codes: readonly string[],
): Promise<readonly number[]> {
  const answers: number[] = [];
  for (const code of codes) answers.push(await login(username, code));
  return answers;
}

/** A module that sets the clock of a process to the moment at which the folder was left. */
export const clockOfThen = `
  const { now } = Date, ago = now() - ${moment};
  globalThis.Date = class extends Date {
    constructor(...parts) { parts.length === 0 ? super(now() - ago) : super(...parts); }
    static now() { return now() - ago; }
  };`;
