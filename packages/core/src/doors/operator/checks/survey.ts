/**
 * Inspects the directories, domains and administrators that a configuration names, without changing anything; `--check` and the start of a
 * server use it.
 */

import { WebApplicationPolicies } from '../../../administration/policy/self/web-applications.ts';
import type { ServerConfig } from '../../../config/config.ts';
import { Domains } from '../../../directory/domain.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Store } from '../../../ports/store/store.ts';
import { Names } from '../../../table/dialect.ts';
import { administratorFindings } from './administrators.ts';
import { bindingFindings } from './bindings.ts';
import { directoriesOf, directoryFindings } from './directories.ts';
import { domainFindings } from './domains.ts';
import type { Finding } from './finding.ts';
import { groupFindings } from './groups.ts';

export interface InspectedInstallation {
  readonly config: ServerConfig;
  readonly server: 'manager' | 'ws';
  readonly directory: DirectoryServer;
  readonly init: string;
  readonly clock: Clock;
  /** Undefined: the first start makes it. */
  readonly store: Pick<Store, 'get' | 'claimed'> | undefined;
  /** Bases of directories that are not there yet. */
  readonly absent?: readonly Dn[];
  /** Tells how many users there are: it costs the directory more than all the rest. */
  readonly counts?: boolean;
}

export async function inspectInstallation({
  config,
  server,
  directory,
  init,
  clock,
  store,
  absent = [],
  counts = false,
}: InspectedInstallation): Promise<readonly Finding[]> {
  const all = directoriesOf(config);
  const looked = all.filter(({ base }) => !absent.some((other) => other.equals(base)));
  const directories = await Promise.all(looked.map((one) => directoryFindings(one, directory)));
  const isAnswering = (n: number) => directories[n]?.every(({ level }) => level !== 'error') === true;
  const answering = looked.filter((_, n) => isAnswering(n)).map(({ base }) => base);
  const bases = all.map(({ base }) => base);
  // An entry below no base is asked of the first directory.
  const isInReach = (dn: Dn): boolean => {
    const base = bases.find((one) => dn.isWithin(one)) ?? bases[0] ?? Dn.root;
    return answering.some((one) => one.equals(base));
  };
  const every = new Domains(config);
  const domains = every.all.filter(({ base }) => isInReach(base));
  const names = new Names(config.names);
  const isOn = new WebApplicationPolicies({ config, names }).find('pwreset').enabled;
  const resets = isOn ? names.theirs('pwreset') : undefined;
  const view = { schema: config.schema, directory, bases, counts, resets };
  const people = await Promise.all(domains.map((domain) => domainFindings(domain, view)));
  const groups = await groupFindings(domains, { config, directory, domains: every });
  const bindings = await Promise.all(
    every.bases.filter(isInReach).map((base) => bindingFindings(base, { config, directory, store, clock })),
  );
  const administrators = await administratorFindings({
    ...{ config, server, directory, domains: every, init, isInReach },
  });
  return [...directories.flat(), ...people.flat(), ...groups, ...bindings.flat(), ...administrators];
}
