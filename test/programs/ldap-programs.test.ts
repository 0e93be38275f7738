/** Programs that log people in by an LDAP bind, against the LDAP door of a real server: Dovecot, and PostgreSQL by pg_hba.conf. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  boundToUs,
  freePorts,
  type PostgresServer,
  scratchFolder,
  startPostgres,
} from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LdapDoor, openLdapDoor, password } from '../../examples/nslcd/ldap-door.ts';

const lookups = 'uid=lookups,ou=systems,dc=example,dc=com';

let door: LdapDoor;
/** All may read it: each program runs as a user of its own. */
let folder: string;
let ca: string;
beforeAll(async () => {
  door = await openLdapDoor();
  folder = await scratchFolder('programs');
  await chmod(folder, 0o755);
  ca = join(folder, 'ca.pem');
  await copyFile(door.ca, ca);
  await chmod(ca, 0o644);
});
afterAll(async () => {
  await door?.close();
  await rm(folder, { recursive: true, force: true });
});

const refusals = [
  ['a wrong password', 'alice', async () => `wrong${await door.newCode()}`],
  ['a password without a code', 'alice', async () => password],
  ['no password', 'alice', async () => ''],
  ['nobody', 'nobody-here', async () => password + (await door.newCode())],
] as const;

describe('Dovecot', () => {
  let port: number;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    const place = join(folder, 'dovecot');
    await mkdir(join(place, 'mail'), { recursive: true });
    await chmod(join(place, 'mail'), 0o777);
    await writeFile(join(place, 'ldap.conf'), ldapOfDovecot(), { mode: 0o600 });
    await writeFile(join(place, 'dovecot.conf'), dovecot(place, port));
    const [command, ...args] = boundToUs(['/usr/sbin/dovecot', '-F', '-c', join(place, 'dovecot.conf')]);
    const child = spawn(command, args, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    for (let tries = 0; !(await answer('nobody', 'wrong').catch(() => '')); tries += 1) {
      if (child.exitCode !== null || tries > 200) throw new Error('Dovecot does not run');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  afterAll(() => stop?.());

  const ldapOfDovecot = () => `
uris = ${door.named('ldaps://login.example.com')}
tls_ca_cert_file = ${ca}
tls_require_cert = hard
auth_bind = yes
dn = ${lookups}
dnpass = ${password}
base = dc=example,dc=com
pass_filter = (&(objectClass=person)(uid=%u))
`;

  /** An IMAP LOGIN. @returns `OK` or `NO` */
  async function answer(username: string, typed: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    try {
      let said = '';
      const until = async (mark: RegExp) => {
        for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
          said += String(chunk);
          if (mark.test(said)) return;
        }
        throw new Error(`Dovecot closed the connection: ${said}`);
      };
      await once(socket, 'connect');
      await until(/^\* OK/m);
      socket.write(`a LOGIN "${username}" "${typed}"\r\n`);
      await until(/^a (?:OK|NO|BAD).*\r\n/m);
      return /^a (\w+)/m.exec(said)?.[1] ?? '';
    } finally {
      socket.destroy();
    }
  }

  it('lets a user in by password and code, once', async () => {
    for (let times = 0; times < 2; times += 1) {
      const typed = password + (await door.newCode());
      expect(await answer('alice', typed)).toBe('OK');
      expect(await answer('alice', typed)).toBe('NO');
    }
  });

  it.each(refusals)('refuses %s', async (_, username, typed) => {
    expect(await answer(username, await typed())).toBe('NO');
  });
});

const dovecot = (place: string, port: number): string => `
base_dir = ${place}/run
state_dir = ${place}/state
log_path = ${place}/dovecot.log
protocols = imap
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
auth_failure_delay = 0
listen = 127.0.0.1
mail_location = mbox:${place}/mail/%u
first_valid_uid = 1
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
passdb {
  driver = ldap
  args = ${place}/ldap.conf
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${place}/mail/%u
}
`;

describe('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    const { hostname, port } = new URL(door.named('ldaps://login.example.com'));
    const search = `ldapbasedn="dc=example,dc=com" ldapbinddn="${lookups}" ldapbindpasswd="${password}" ldapsearchattribute=uid`;
    server = await startPostgres({
      hba: [
        'host all owner 127.0.0.1/32 scram-sha-256',
        `host all all 127.0.0.1/32 ldap ldapscheme=ldaps ldapserver=${hostname} ldapport=${port} ${search}`,
      ],
      env: { LDAPTLS_CACERT: ca },
    });
    for (const name of ['alice', '"nobody-here"'])
      await server.query('postgres', `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  });
  afterAll(() => server?.stop());

  /** @returns what psql prints */
  async function logIn(user: string, typed: string): Promise<string> {
    const asked = ['-w', '-h', '127.0.0.1', '-p', String(server.port), '-d', 'postgres', '-U', user];
    const env = { ...process.env, PGPASSWORD: typed, PGSSLMODE: 'require' };
    const child = spawn('/usr/bin/psql', [...asked, '-Atc', 'SELECT current_user'], { env });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(String(bytes)));
    await once(child, 'close');
    return said.join('');
  }

  it('lets a user in by password and code, once', async () => {
    const typed = password + (await door.newCode());
    expect(await logIn('alice', typed)).toBe('alice\n');
    expect(await logIn('alice', typed)).toContain('LDAP authentication failed');
  });

  it.each(refusals)('refuses %s', async (_, username, typed) => {
    expect(await logIn(username, await typed())).toMatch(/LDAP authentication failed|no password supplied/);
  });
});
