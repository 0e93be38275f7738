/** The guide of many machines, typed on one: a database, a directory, and what all machines have, until both programs say that all is good. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, startSlapd } from '@watchword/core/testing/bed';
import { openEnvironment, openStore } from '@watchword/embedded';
import { systemClock } from '@watchword/node';
import { expect } from 'vitest';
import { checkConfiguration, runGuide } from './guide.ts';
import { openRoom, type Room } from './reading-room.ts';

interface Machine extends Room {
  /** As a superuser of PostgreSQL. */
  superuser(sql: string): Promise<unknown>;
}

async function openMachine(): Promise<Machine> {
  const [room, postgres, slapd] = await Promise.all([openRoom(), startPostgres(), startSlapd()]);
  const files = {
    'database-ca.pem': postgres.ca,
    'database-password': 'the password of the servers\n',
    'owner-password': 'the password of the owner\n',
    'ldap-ca.pem': slapd.ca,
    'ldap-password': slapd.rootPassword,
  };
  const here = (text: string) =>
    text
      .replace('[db1.example.com, db2.example.com]', `["localhost:1", "localhost:${postgres.port}"]`)
      .replace('ldaps://ldap1.example.com', slapd.ldapsUrl)
      .replace('cn=watchword,dc=example,dc=org', slapd.rootDn);
  for (const [name, text] of Object.entries(files))
    await writeFile(join(room.folder, name), text, { mode: 0o600 });
  return {
    ...room,
    here,
    superuser: (sql) => postgres.query('postgres', sql),
    close: async () => {
      await room.close();
      await Promise.all([postgres.stop(), slapd.stop()]);
    },
  };
}

const ofOneMachine = (data: string) =>
  JSON.stringify({
    data,
    directory: { type: 'embedded', base: 'dc=example,dc=org' },
    domains: { Default: { base: 'dc=example,dc=org' } },
    super_admins: ['cn=administrators,ou=groups,dc=example,dc=org'],
  });

runGuide<Machine>('docs/guide/more-than-one-machine.md', {
  open: openMachine,
  runners: {
    sql: async ({ text }, { superuser }) => {
      for (const statement of text.split(';\n').filter((line) => line.trim() !== ''))
        await superuser(statement);
    },
    conf: async ({ text }, { superuser }) => {
      const lines = text.trim().split('\n');
      for (const line of lines) await superuser(`ALTER SYSTEM SET ${line}`);
      await superuser('ALTER SYSTEM RESET ALL');
      expect(lines).toHaveLength(2);
    },
    yaml: async (block, { here, folder }) => {
      checkConfiguration(block);
      await writeFile(join(folder, 'watchword.yaml'), here(block.text), { mode: 0o600 });
    },
    'Make the tables/sh': async ({ text }, { shell, here }) => {
      expect(await shell.run(here(text))).toMatch(/and are now those of version [0-9]+\./);
      expect(await shell.run('cat tables.sql')).toContain('CREATE TABLE watchword.kept');
    },
    'Move an installation of one machine/sh': async ({ text }, { shell, here, folder }) => {
      const old = join(folder, 'old');
      await writeFile(join(folder, 'old.yaml'), ofOneMachine(old), { mode: 0o600 });
      await shell.run(
        '(umask 077; echo "a password of some length" > first) && watchword-manager init --config old.yaml --password-file first',
      );
      const environment = await openEnvironment(old);
      await openStore(environment, systemClock).claim('token:a', 1, 1000);
      await environment.close();
      // Who moves makes no new ones.
      await shell.run('rm keys ca.pem ca-key.pem');
      await shell.run(here(text).replaceAll('/var/lib/watchword', old));
      const isSame = 'openssl pkey -in ca-key.pem -noout && cmp ca.pem old/ca.pem && echo same';
      expect(await shell.run(isSame)).toBe('same\n');
    },
    'Move an installation of one machine/sh/2': async ({ text }, { shell, here, folder }) => {
      const typed = here(text).replace('/var/lib/watchword', join(folder, 'old'));
      expect(await shell.run(typed)).toMatch(/kept: [0-9]+ values, .* [0-9]+ events/);
    },
    'Check, and start/sh': async ({ text }, { shell, here }) => {
      const printed = await shell.run(here(text));
      expect(printed.match(/The configuration is good/g)).toHaveLength(2);
    },
  },
});
