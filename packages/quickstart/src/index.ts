/** `npm start`: both servers in one process on an embedded directory, with an administrator and demo users. */
import { join } from 'node:path';
import { judgeFiles, type RunningServers, readConfiguration, startConfigured } from '@watchword/cli';
import type { ServerConfig } from '@watchword/core';
import { bundled, noteFolder } from '@watchword/core/operator';
import type { Engines } from '@watchword/engines';
import { openEngines } from '@watchword/engines/installation';
import { createLog, type LeveledLog, LogFile } from '@watchword/node';
import { managerCommand } from '@watchword/server-manager';
import { webServiceCommand } from '@watchword/server-ws';
import { type AdminCertificate, adminCertificate } from './admin-certificate.ts';
import { ensureConfig } from './config.ts';
import { type MessagesPage, openMessagesPage } from './messages-page.ts';
import {
  type Ensured,
  ensurePeople,
  type NewPerson,
  type People,
  type Person,
  type QuickStart,
  writeQuickStart,
} from './people.ts';
import { makeToken, type NewToken } from './token.ts';

export type { DemoToken } from './demo-token.ts';
export { describeJson, describeText } from './describe.ts';
export type { DemoUser, Person, QuickStart } from './people.ts';

export interface QuickStartOptions {
  /** The data folder, absolute. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reports progress, a line at a time. */
  readonly progress: (line: string) => void;
  /** Reports warnings: whole sentences. */
  readonly warn: (line: string) => void;
  readonly logTo: { write(line: string): unknown };
}

export interface Running {
  readonly facts: QuickStart;
  /** Paths of the administrator's certificate and key; undefined: the Manager wants none (mode PKI does). */
  readonly certificate: AdminCertificate | undefined;
  /** The sign-in mode of the Admin Portal. */
  readonly portalAuth: ServerConfig['admin_auth'];
  readonly servers: RunningServers;
  /** The page that shows sent messages; undefined: they go to a gateway, or nowhere. */
  readonly messages: string | undefined;
  /** Addresses that accept LDAP binds; none: no LDAP door. */
  readonly ldap: readonly string[];
  /** The URI of the token that this start has made, for authenticator apps; undefined: it existed. */
  readonly uri: string | undefined;
}

/** Starts everything, making on the first start what is not there. @throws StartError, ConfigError */
export async function quickStart({
  data,
  environment,
  progress,
  warn,
  logTo,
}: QuickStartOptions): Promise<Running> {
  const path = await ensureConfig(data, progress);
  const read = async () => readConfiguration(path, environment);
  const loaded = await read();
  const { config, warnings } = loaded;
  for (const warning of [...warnings, ...(await judgeFiles(config))]) warn(warning);
  const { log, begin } = laterInfo(
    createLog(config.log, config.log.file === undefined ? logTo : new LogFile(config.log.file, logTo)),
  );
  // What is there to be tried out may be copied; what becomes of it in production is to be known as a copy.
  const engines = await openEngines(config, log, { older: true, applications: bundled });
  const sign = await closingOnError(engines, () => noteFolder(engines.folder, engines.random));
  if (sign !== undefined)
    warn(`${sign}. To close what was used since, type: watchword-manager restored --config ${path}`);
  const ensured = await closingOnError(engines, () => ensurePeople({ config, engines, progress }));
  const { running: servers } = await startConfigured([managerCommand, webServiceCommand], engines, {
    ...{ log, program: 'npm start', applications: bundled, loaded, read },
  });
  return closingOnError(servers, async () => {
    const { service } = servers;
    const make = (user: Person, admin: NewPerson) => makeToken(user, { service, config, engines, admin });
    const certificate = config.manager_auth === 'PKI' ? adminCertificate(config.data) : undefined;
    // A new administrator has no certificate yet, and cannot register a token without.
    const { people, uri } = certificate ? { ...ensured, uri: undefined } : await withToken(ensured, make);
    const facts = { ...placesOf(servers, config.data), ...people };
    writeQuickStart(config.data, facts);
    const page = await messagesOf(config, engines);
    begin();
    const ldap = servers.doors.map(({ url }) => url);
    const { admin_auth: portalAuth } = config;
    const summary = { facts, certificate, portalAuth, messages: page?.url, ldap, uri };
    return { ...summary, servers: closingToo(servers, page) };
  });
}

/** Serves a page with the messages, where the configuration writes them into a folder. */
async function messagesOf(
  { mail, sms }: ServerConfig,
  { random }: Engines,
): Promise<MessagesPage | undefined> {
  const folder = [sms, mail].find((gateway) => gateway?.type === 'folder');
  return folder?.type === 'folder' ? openMessagesPage(folder.folder, random) : undefined;
}

const closingToo = (servers: RunningServers, page: MessagesPage | undefined): RunningServers => ({
  ...servers,
  get service() {
    return servers.service;
  },
  get config() {
    return servers.config;
  },
  close: async () => {
    await page?.close();
    await servers.close();
  },
});

/** Holds lines of information back until everything runs: the start is described in words. */
function laterInfo(log: LeveledLog): { readonly log: LeveledLog; readonly begin: () => void } {
  let hasBegun = false;
  return {
    begin: () => {
      hasBegun = true;
    },
    log: { ...log, info: (message, fields) => hasBegun && log.info(message, fields) },
  };
}

function placesOf(
  { listeners: [manager, ws] }: RunningServers,
  data: string,
): Omit<QuickStart, keyof People> {
  return {
    // The name that the certificate and its readers know; whichever address the servers listen on, it is one.
    manager_url: `https://localhost:${manager?.port}/manag/`,
    portal_url: `https://localhost:${manager?.port}/admin/`,
    ws_url: `https://localhost:${ws?.port}/`,
    ca: join(data, 'ca.pem'),
  };
}

/** The first of new demo users gets a token. Users who were there are left as they are, with one or without. */
async function withToken(
  { people, isNew }: Ensured,
  make: (user: Person, admin: NewPerson) => Promise<NewToken>,
): Promise<{ people: People; uri: string | undefined }> {
  const [first, ...others] = people.users;
  if (!isNew || !first) return { people, uri: undefined };
  const { token, uri } = await make(first, people.admin);
  return { people: { ...people, users: [{ ...first, token }, ...others] }, uri };
}

async function closingOnError<T>(open: { close(): Promise<void> }, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await open.close();
    throw error;
  }
}
