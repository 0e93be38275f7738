/** A directory for tests, in a folder of its own, and people for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import type { Attributes, AttributeValue } from '../../../core/src/foundation/text/value.ts';
import type { Clock } from '../../../core/src/ports/clock.ts';
import type { Directory, PasswordPolicy } from '../../../core/src/ports/directory/directory.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { type EmbeddedDirectory, type Environment, openDirectory, openEnvironment } from '../index.ts';

export const base = Dn.parse('dc=example,dc=org');
export const administrators = Dn.parse('cn=administrators,dc=example,dc=org');

export interface TestDirectory {
  readonly folder: string;
  readonly environment: Environment;
  readonly directory: EmbeddedDirectory;
  dispose(): Promise<void>;
}

const anyPassword: PasswordPolicy = { minLength: 1, refusesCommon: false };

/**
 * Opens an empty directory whose writers are the members of `cn=administrators`.
 * @param options.folder a folder of a closed directory; optional, default: a new one, which `dispose` removes
 * @param options.passwordPolicy optional; default: any password is accepted
 */
export async function openTestDirectory({
  clock = systemClock,
  passwordPolicy = anyPassword,
  ...options
}: {
  readonly clock?: Clock;
  readonly folder?: string;
  readonly passwordPolicy?: PasswordPolicy;
} = {}): Promise<TestDirectory> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'watchword-embedded-')));
  const environment = await openEnvironment(folder);
  const ports = { clock, random: systemRandom };
  const directory = await openDirectory(environment, { base, passwordPolicy }, ports);
  directory.setWriters([administrators]);
  return {
    folder,
    environment,
    directory,
    async dispose() {
      await environment.close();
      if (!options.folder) await rm(folder, { recursive: true });
    },
  };
}

export function attributes(record: Record<string, readonly AttributeValue[]>): Attributes {
  return new Map(Object.entries(record));
}

export function person(more: Record<string, readonly AttributeValue[]> = {}): Attributes {
  return attributes({ objectclass: ['inetOrgPerson'], sn: ['Person'], ...more });
}

const [one, many] = [10, 1000];

/** Adds members to `cn=everybody`: ten, each alone, and then a thousand at once. @returns their names */
export async function addMembers(service: Directory, of: string): Promise<readonly string[]> {
  const members = Array.from({ length: one + many }, (_, n) => named(`${of} ${n}`).toString());
  const add = (values: readonly string[]) =>
    service.modify(named('everybody'), [{ operation: 'add', attribute: 'member', values }]);
  for (const member of members.slice(0, one)) await add([member]);
  await add(members.slice(one));
  return members;
}

export const named = (name: string, above: Dn = base): Dn => above.child([{ type: 'cn', value: name }]);
export const unit = (name: string, above: Dn = base): Dn => above.child([{ type: 'ou', value: name }]);

export async function collect(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
