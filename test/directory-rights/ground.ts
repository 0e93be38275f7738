/** A service as the bundled servers open it, from a configuration of the guide, on a directory that was started. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '@watchword/cli';
import { createService, type ManagerCalls, type Service, serviceSettings } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { openEngines } from '@watchword/engines';

/** What stands behind the names that the guide uses. */
export interface Place {
  /** The configuration as the guide has it. */
  readonly yaml: string;
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Of the service. */
  readonly password: string;
  readonly administrator: { readonly username: string; readonly password: string };
  /** Below which people stand. */
  readonly people: string;
  readonly groups: string;
  /** Attributes of somebody new. */
  person(username: string, password: string): Record<string, string | string[]>;
  /** The object class of a group with `member`. */
  readonly groupClass: string;
  stop(): Promise<void>;
}

export interface Person {
  readonly username: string;
  readonly dn: string;
  readonly password: string;
}

export interface Ground {
  readonly service: Service;
  readonly manager: ManagerCalls;
  readonly log: KeptLog;
  readonly place: Place;
  /** Path of the configuration. */
  readonly file: string;
  /** A new user, activated, with settings. */
  person(settings: Readonly<Record<string, string>>): Promise<Person>;
  /** The same service bound as somebody else, whose rights are more. */
  reopen(service: { readonly dn: string; readonly password: string }): Promise<void>;
  close(): Promise<void>;
}

export async function openGround(place: Place): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-rights-'));
  const file = await configure(place, folder);
  let open = await openService(file, place);
  let people = 0;
  return {
    place,
    file,
    get service() {
      return open.service;
    },
    get manager() {
      return open.manager;
    },
    get log() {
      return open.log;
    },
    person: async (settings) => {
      people += 1;
      const [username, password] = [`person${people}`, 'Pa55-w0rd of a person'];
      const dn = `cn=${username},${place.people}`;
      await open.manager.Create_LDAP_Object({ dn, attrs: place.person(username, password) });
      await open.manager.Activate_LDAP_Object({ dn });
      await open.manager.Set_User_Settings({ dn, settings });
      return { username, dn, password };
    },
    reopen: async ({ dn, password }) => {
      await open.close();
      await writeFile(join(folder, 'bind-password'), password, { mode: 0o600 });
      open = await openService(file, place, { WATCHWORD_DIRECTORY__BIND_DN: dn });
    },
    close: async () => {
      await open.close();
      await place.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The guide's text, with what only we know in the place of its examples. */
async function configure({ yaml, url, ca, password }: Place, folder: string): Promise<string> {
  const at = (name: string) => join(folder, name);
  await writeFile(at('ca.pem'), ca);
  await writeFile(at('bind-password'), password, { mode: 0o600 });
  const text = yaml
    .replace(/urls: .+/, `urls: [${url}]`)
    .replace(/ca: .+/, 'ca: ca.pem')
    .replace(/bind_password_file: .+/, 'bind_password_file: bind-password')
    .replace(/manager_clients: .+/, '');
  const ours = `
data: data
log: {level: error}
limits: {login_failure_delay_ms: 0}
clients: {portal: {allowed_groups: ["${groupOfClient(yaml)}"]}}
`;
  await writeFile(at('watchword.yaml'), text + ours, { mode: 0o600 });
  return at('watchword.yaml');
}

/** Beside the group of the administrators. */
export function groupOfClient(yaml: string): string {
  const [, parent = ''] = /super_admins:\s+- [^,]+,(.+)/.exec(yaml) ?? [];
  return `cn=portal,${parent}`;
}

async function openService(file: string, { administrator }: Place, environment = {}) {
  const { config } = readConfiguration(file, environment);
  const log = new KeptLog();
  const engines = await openEngines(config, log);
  const service = createService(serviceSettings(config), engines);
  const { manager, close: leave } = await service.manager.login(administrator);
  const close = async () => {
    await leave();
    await service.close();
    await engines.close();
  };
  return { service, manager, log, close };
}
