/**
 * Commands of the guides that no test types, because they change the machine or take the product from where it is
 * not yet: the whole list. They are parsed as bash parses them, and the words that they give to our programs are looked for
 * in what these programs say of themselves.
 */
import { expect } from 'vitest';
import type { Block } from './blocks.ts';
import type { Ground } from './guide.ts';

const registry = 'the packages are in no registry yet; their tarballs are installed by another test';
const server = 'a server that runs on; the tests of the packages start it';
const check = 'a part of npm test, or all of it';

/** `page: place` → why nobody types it here. */
export const reasons: Readonly<Record<string, string>> = {
  'docs/guide/embedding.md: Install it/sh': registry,
  'docs/guide/embedding.md: Install it/sh/2': registry,
  'docs/guide/administering.md: Have a verification server judge it/sh':
    'Yubico’s cloud, and a Yubikey that it knows; tests register with a server of its protocol',
  'docs/guide/directories.md: In front of OpenLDAP or Active Directory/sh': server,
  'docs/guide/directories.md: Load the schema/sh':
    'the machine’s own slapd; the schema is loaded by every test with one',
  'docs/guide/directories.md: Give the service its rights in Active Directory/bat':
    'Windows; what follows it gives the same rights on Samba',
  'docs/guide/directories.md: Give the service its rights in Active Directory/sh':
    'npm run test:ad types it on Samba',
  'docs/guide/directories.md: Active Directory/sh': 'Windows; npm run test:ad loads the schema into Samba',
  'docs/guide/getting-started.md: Start it/sh': server,
  'docs/guide/ssh.md: Have sshd ask/sh':
    'an SSH server of the reader’s; the blocks behind it are run with a real sshd',
  'README.md: Watchword/sh': server,
  'CONTRIBUTING.md: Checks/sh': check,
  'CONTRIBUTING.md: Set up/sh': check,
  'packages/client/README.md: @watchword/client/sh': registry,
  'packages/core/README.md: @watchword/core/sh': registry,
  'packages/embedded/README.md: @watchword/embedded/sh': registry,
  'packages/engines/README.md: @watchword/engines/sh': registry,
  'packages/gateways/README.md: @watchword/gateways/sh': registry,
  'packages/ldap/README.md: @watchword/ldap/sh': registry,
  'packages/node/README.md: @watchword/node/sh': registry,
  'packages/openid/README.md: @watchword/openid/sh': registry,
  'packages/pki/README.md: @watchword/pki/sh': registry,
  'packages/postgres/README.md: @watchword/postgres/sh': registry,
  'packages/server-manager/README.md: @watchword/server-manager/sh': registry,
  'packages/server-manager/README.md: @watchword/server-manager/sh/2': server,
  'packages/server-ws/README.md: @watchword/server-ws/sh': registry,
  'packages/server-ws/README.md: @watchword/server-ws/sh/2': server,
};

export const isUnrunnable = ({ page, id }: Block): boolean => Object.hasOwn(reasons, `${page}: ${id}`);

export async function parseBlock({ text, line, page }: Block, { shell }: Ground): Promise<void> {
  await shell.run(`bash -n <<'END-OF-BLOCK'\n${text}END-OF-BLOCK`);
  for (const [, program = '', command = '', words = ''] of text.matchAll(ours)) {
    const help = await shell.run(`${program} ${command} --help`);
    const options = words.split(/[ =]/).filter((word) => word.startsWith('-'));
    expect([page, line, options.filter((option) => !help.includes(option))]).toEqual([page, line, []]);
  }
}

/** A command of ours: the program, what it is to do if that is no server, options and their values. */
const ours = /\b(watchword-(?:manager|ws))((?: [a-z][a-z-]+)?)((?: +[^\s#<>|]+)*)/g;
