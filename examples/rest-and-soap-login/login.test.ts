import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServers, startServers } from '@watchword/cli';
import { Dn, readConfig } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { openEngines } from '@watchword/engines';
import { webServiceCommand } from '@watchword/server-ws';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, overRest, overSoap, type Send } from './login.ts';

const base = 'dc=example,dc=org';
const alice = { username: 'alice', password: 'alice-Pa55word' };
const secret = Buffer.from('a secret of 20 bytes');

let data: string;
let servers: RunningServers;
let dispatcher: Agent;
let doors: Readonly<Record<string, Send>>;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'watchword-login-'));
  const config = readConfig({
    data,
    directory: { type: 'embedded', base },
    domains: { Default: { base } },
    manager_auth: 'UID',
    super_admins: [`uid=admin,${base}`],
    ws: { port: 0 },
  });
  const engines = await openEngines(config, new KeptLog());
  await addPerson(engines, 'admin', 'adm1n-Pa55word');
  const dn = await addPerson(engines, alice.username, alice.password);
  servers = await startServers([webServiceCommand], config, engines);
  const credentials = { username: 'admin', password: 'adm1n-Pa55word' };
  const { manager, close } = await servers.service.manager.login(credentials);
  await manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
  await close();
  const ca = await readFile(join(data, 'ca.pem'), 'utf8');
  const url = servers.listeners[0]?.url ?? '';
  dispatcher = new Agent({ connect: { ca } });
  doors = {
    REST: overRest(url, (address, request) => fetch(address, { ...request, dispatcher })),
    SOAP: await overSoap(url, ca),
  };
});
afterAll(async () => {
  await dispatcher.close();
  await servers.close();
  await rm(data, { recursive: true });
});

async function addPerson(
  { directory }: Awaited<ReturnType<typeof openEngines>>,
  name: string,
  password: string,
): Promise<string> {
  const dn = `uid=${name},${base}`;
  const attributes = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: [name], sn: [name] };
  await directory.service.add(
    Dn.parse(dn),
    new Map(Object.entries({ ...attributes, userpassword: [password] })),
  );
  return dn;
}

/** What an authenticator app shows at a moment, in the words of date(1). */
const codeAt = (moment: string) =>
  execFileSync('oathtool', ['--totp', `--now=${moment}`, secret.toString('hex')])
    .toString()
    .trim();

it.each([
  ['REST', 'now'],
  ['SOAP', '30 seconds'],
])('logs alice in over %s with the code that she is asked for, once', async (door, moment) => {
  const send = doors[door] as Send;
  const asked: string[] = [];
  const code = codeAt(moment); // read once: the step may end before the second login
  const askCode = async (message: string) => {
    asked.push(message);
    return code;
  };
  expect(await logIn(send, alice, askCode)).toBe(true);
  expect(await logIn(send, alice, askCode)).toBe(false);
  expect(asked).toEqual(['Enter your TOKEN password', 'Enter your TOKEN password']);
});

it.each(['REST', 'SOAP'])('asks for no code over %s where the password is wrong', async (door) => {
  const askCode = () => Promise.reject(new Error('asked'));
  expect(await logIn(doors[door] as Send, { ...alice, password: 'wrong' }, askCode)).toBe(false);
});

it.each(['REST', 'SOAP'])('says over %s that there is no such operation', async (door) => {
  await expect((doors[door] as Send)('otpFly', {})).rejects.toThrow(/HTTP 404|no operation otpFly/);
});
