/** For the tests in this folder: a directory in a folder of its own, and people to put into it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dn } from '../../../text/dn.ts';
import type { Attributes, AttributeValue } from '../../../text/value.ts';
import { systemClock, systemRandom } from '../../system/index.ts';
import { type EmbeddedDirectory, type Environment, openDirectory, openEnvironment } from '../index.ts';

export const base = Dn.parse('dc=example,dc=org');
export const administrators = Dn.parse('cn=administrators,dc=example,dc=org');

export interface TestDirectory {
  readonly folder: string;
  readonly environment: Environment;
  readonly directory: EmbeddedDirectory;
  dispose(): Promise<void>;
}

/** An empty directory whose writers are the members of `cn=administrators`. */
export async function openTestDirectory(): Promise<TestDirectory> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-embedded-'));
  const environment = await openEnvironment(folder);
  const ports = { clock: systemClock, random: systemRandom };
  const directory = await openDirectory(environment, { base }, ports);
  directory.letWrite([administrators]);
  return {
    folder,
    environment,
    directory,
    async dispose() {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
}

export function attributes(record: Record<string, readonly AttributeValue[]>): Attributes {
  return new Map(Object.entries(record));
}

export function person(more: Record<string, readonly AttributeValue[]> = {}): Attributes {
  return attributes({ objectclass: ['inetOrgPerson'], sn: ['Person'], ...more });
}

export const named = (name: string, above: Dn = base): Dn => above.child([{ type: 'cn', value: name }]);
export const unit = (name: string, above: Dn = base): Dn => above.child([{ type: 'ou', value: name }]);

export async function collect(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
