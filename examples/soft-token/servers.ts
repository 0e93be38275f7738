/** Both bundled servers as an operator runs them: two processes over one data folder, on free ports, over HTTPS. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManager, createWebServices, type Manager, type WebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { Dn, readConfig } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { freePorts, startSlapd } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { type Program, start } from '../../packages/quickstart/test/program.ts';

export interface Servers {
  readonly manager: Manager;
  readonly web: WebServices;
  /** Everything that the servers keep is in here. */
  readonly folder: string;
  /** The file of the CA that both show certificates of. */
  readonly ca: string;
  /** DN of a container for people. */
  readonly people: string;
  close(): Promise<void>;
}

/** What a configuration says of its directory, and who may administer it. */
interface Ground {
  readonly directory: object;
  readonly base: string;
  readonly people: string;
  readonly admin: { readonly dn: string; readonly password: string };
  /** Fills the directory, which the servers have not opened yet. */
  prepare(config: object): Promise<void>;
  close(): Promise<void>;
}

const base = 'dc=example,dc=org';

const admin = { dn: `uid=admin,${base}`, password: 'adm1n-Pa55word' };

async function addAdmin(config: object): Promise<void> {
  const engines = await openEngines(readConfig(config), new KeptLog());
  const attributes = { objectclass: ['inetOrgPerson'], cn: ['A'], sn: ['A'], userpassword: [admin.password] };
  await engines.directory.service.add(Dn.parse(admin.dn), new Map(Object.entries(attributes)));
  await engines.close();
}

export const grounds: Readonly<Record<string, (folder: string) => Promise<Ground>>> = {
  'an embedded directory': async () => ({
    directory: { type: 'embedded', base },
    base,
    people: base,
    admin,
    prepare: addAdmin,
    close: async () => {},
  }),

  OpenLDAP: async (folder) => {
    const slapd = await startSlapd();
    const ca = join(folder, 'ldap-ca.pem');
    await writeFile(ca, slapd.ca);
    const service = { bind_dn: slapd.adminDn, bind_password: slapd.adminPassword };
    return {
      directory: { type: 'ldap', urls: [slapd.ldapsUrl], ca, ...service, base: slapd.base },
      base: slapd.base,
      people: slapd.people,
      admin: { dn: slapd.adminDn, password: slapd.adminPassword },
      prepare: async () => {},
      close: () => slapd.stop(),
    };
  },
};

/** @param settings beside the necessary ones, as they stand in the configuration */
export async function runServers(ground: keyof typeof grounds, settings: object): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-soft-token-'));
  const place = await (grounds[ground] as (typeof grounds)[string])(folder);
  const [managerPort = 0, wsPort = 0] = await freePorts(2);
  const ports = { manager: managerPort, ws: wsPort };
  const config = { ...configuration(place, folder), ...settings };
  await place.prepare(config);
  const programs = await startPrograms(config, folder, ports);
  const ca = join(config.data, 'ca.pem');
  const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
  const admin = { username: place.admin.dn, password: place.admin.password };
  return {
    manager: createManager({ url: `https://localhost:${ports.manager}/manag/`, ...admin, fetch }),
    web: createWebServices({ url: `https://localhost:${ports.ws}/`, fetch }),
    ...{ folder, ca, people: place.people },
    close: async () => {
      await close();
      await Promise.all(programs.map((program) => program.interrupt()));
      await place.close();
      await rm(folder, { recursive: true });
    },
  };
}

const configuration = ({ directory, base, admin }: Ground, folder: string) => ({
  data: join(folder, 'data'),
  directory,
  domains: { Default: { base } },
  manager_auth: 'DN',
  super_admins: [admin.dn],
});

type Ports = Readonly<Record<'manager' | 'ws', number>>;

async function startPrograms(
  config: ReturnType<typeof configuration>,
  folder: string,
  { manager, ws }: Ports,
): Promise<Program[]> {
  const file = join(folder, 'watchword.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  const environment = { WATCHWORD_MANAGER__PORT: String(manager), WATCHWORD_WS__PORT: String(ws) };
  const programs: Program[] = [];
  for (const name of ['manager', 'ws']) {
    const script = `packages/server-${name}/dist/main.js`;
    const program = start({ data: config.data, script, args: ['--config', file], environment });
    await program.prints('listens on');
    programs.push(program);
  }
  return programs;
}
