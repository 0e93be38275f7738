/** Both servers, as `npm start` runs them, on an embedded directory of their own; and a browser that takes their certificates. */
import { createSecretKey } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration, startServers } from '@watchword/cli';
import { fromBase32, totp } from '@watchword/core/otp';
import { freePorts, scratchFolder } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { createLog } from '@watchword/node';
import { quickStart } from '@watchword/quickstart';
import { managerCommand } from '@watchword/server-manager';
import { type Browser, launchBrowser, type Page } from '../../core/src/testing/bed/engines/browser.ts';

type WindowOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** What there is on any directory. */
export interface Portal {
  readonly browser: Browser;
  /** Where the sites stand: `https://localhost:4443/admin/`. */
  readonly admin: string;
  readonly self: string;
  readonly manager: string;
  /** The certificate of the authority of both servers: a path. */
  readonly ca: string;
  readonly administrator: Login;
  readonly bob: Login;
  readonly carol: Login;
  /** A new window of nobody who is signed in. */
  open(options?: WindowOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface Ground extends Portal {
  readonly alice: Login & { code(): string };
  /** One more server of the Manager on the same data: another node. */
  startNode(environment?: Readonly<Record<string, string>>): Promise<Node>;
}

export interface Node {
  /** Where its Admin Portal stands: `https://localhost:4444/admin/`. */
  readonly admin: string;
  close(): Promise<void>;
}

export interface Login {
  readonly dn: string;
  readonly username: string;
  readonly password: string;
}

const nothing = () => undefined;

/** @param program the browser, if it is not the usual one */
export async function openGround(
  environment: Readonly<Record<string, string>> = {},
  program?: string,
): Promise<Ground> {
  const data = await scratchFolder('portal');
  const [manager, ws] = await freePorts(2);
  const ports = { WATCHWORD_MANAGER__PORT: `${manager}`, WATCHWORD_WS__PORT: `${ws}` };
  const { facts, servers } = await quickStart({
    ...{ data: join(data, 'data'), environment: { ...ports, ...environment } },
    ...{ progress: nothing, warn: nothing, logTo: { write: nothing } },
  });
  const browser = await launchBrowser(program);
  const [alice, bob, carol] = facts.users;
  if (!alice?.token || !bob || !carol) throw new Error('The demo users are not as expected');
  const { secret, digits, period } = alice.token;
  const source = { secret: createSecretKey(fromBase32(secret) ?? new Uint8Array()), digits, period };
  return {
    browser,
    admin: new URL('/admin/', facts.manager_url).href,
    self: new URL('/self/', facts.ws_url).href,
    manager: facts.manager_url,
    ca: facts.ca,
    administrator: loginOf(facts.admin),
    alice: { ...loginOf(alice), code: () => totp(source, Date.now()) },
    bob: loginOf(bob),
    carol: loginOf(carol),
    startNode: (more = {}) => startNode(join(data, 'data'), { ...environment, ...more }),
    open: async (options = {}) =>
      (await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', ...options })).newPage(),
    close: async () => {
      await browser.close();
      await servers.close();
      await rm(data, { recursive: true });
    },
  };
}

async function startNode(data: string, environment: Readonly<Record<string, string>>): Promise<Node> {
  const [port] = await freePorts(1);
  const own = { ...environment, WATCHWORD_MANAGER__PORT: `${port}` };
  const { config } = readConfiguration(join(data, 'watchword.yaml'), own);
  const engines = await openEngines(config, createLog(config.log, { write: nothing }));
  const { close } = await startServers([managerCommand], config, engines);
  return { admin: `https://localhost:${port}/admin/`, close };
}

/** Of a first start: nobody has changed the password. */
const loginOf = ({
  dn,
  username,
  password = '',
}: Omit<Login, 'password'> & { password?: string }): Login => ({
  dn,
  username,
  password,
});
