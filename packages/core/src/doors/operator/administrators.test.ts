/** Warnings of a server where nobody could log in to the Manager, at its start and with `--check`. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInstallation } from '../../../../cli/src/findings/check.ts';
import { readConfiguration } from '../../../../cli/src/index.ts';
import { openDirectory } from '../../../../engines/src/engines.ts';
import { createLog } from '../../../../node/src/machine/index.ts';
import type { ServerConfig } from '../../config/config.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { administratorWarning } from './administrators.ts';

const base = 'dc=example,dc=com';
const admin = `uid=admin,${base}`;
const group = `cn=admins,${base}`;
const command = 'watchword-manager init --config FILE';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-administrators-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function configured(superAdmins: readonly string[]) {
  const text = `data: data\ndirectory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}\nsuper_admins: ${JSON.stringify(superAdmins)}\n`;
  await writeFile(join(folder, 'watchword.yaml'), text, { mode: 0o600 });
  return readConfiguration(join(folder, 'watchword.yaml'), {}).config;
}

/** Both ways of asking, which have to agree. @param entries attributes by DN */
async function warned(
  superAdmins: readonly string[],
  entries: Readonly<Record<string, Record<string, string[]>>>,
): Promise<string | undefined> {
  const config = await configured(superAdmins);
  const engines = await openEngines(config, createLog(config.log, { write: () => {} }));
  for (const [dn, attributes] of Object.entries(entries))
    await engines.directory.service.add(Dn.parse(dn), new Map(Object.entries(attributes)));
  const atStart = await administratorWarning({ config, command }, engines.directory.service);
  await engines.close();
  expect(await checked(config)).toBe(atStart);
  return atStart;
}

/** Returns the finding of `--check`. */
async function checked(config: ServerConfig): Promise<string | undefined> {
  const log = createLog(config.log, { write: () => {} });
  const findings = await checkInstallation({ config, server: 'manager', init: command, log, openDirectory });
  return findings.find(({ text }) => text.startsWith('There is no administrator yet'))?.text;
}

const person = { objectclass: ['inetOrgPerson'], cn: ['admin'], sn: ['admin'] };
const withPassword = { ...person, userpassword: ['correct horse battery'] };
const none = `There is no administrator yet, so nobody can use the Manager; make one: ${command}`;

describe('a server without an administrator says so', () => {
  it.each([
    ['nobody is there', [admin], {}],
    ['the entry has no password', [admin], { [admin]: person }],
    ['the group is missing', [group], { [admin]: withPassword }],
    ['the group is empty', [group], { [group]: { objectclass: ['groupOfNames'], member: [''] } }],
    ['its members are gone', [group], { [group]: { objectclass: ['groupOfNames'], member: [admin] } }],
  ])('where %s', async (_, superAdmins, entries) => {
    expect(await warned(superAdmins, entries)).toBe(none);
  });

  it.each([
    ['one is named', [admin], { [admin]: withPassword }],
    [
      'a member is one',
      [group],
      { [admin]: withPassword, [group]: { objectclass: ['groupOfNames'], member: [admin] } },
    ],
  ])('but not where %s', async (_, superAdmins, entries) => {
    expect(await warned(superAdmins, entries)).toBeUndefined();
  });

  it('and a check of an empty folder makes nothing', async () => {
    expect(await checked(await configured([admin]))).toBe(none);
    expect(await readdir(folder)).toEqual(['watchword.yaml']);
  });
});
