/** LDAP by OpenLDAP's own commands: a bind with password and code, a search as the user, a refusal, and a code that was used. */
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import type { Conversation, Stand } from './stand.ts';

interface Ran {
  readonly code: number;
  readonly output: string;
}

function runLdap(
  stand: Stand,
  command: string,
  name: string,
  secret: string,
  rest: string[] = [],
): Promise<Ran> {
  const connect = ['-x', '-H', stand.addresses.ldap, '-D', name, '-w', secret];
  const env = { ...process.env, LDAPTLS_CACERT: stand.caFile };
  return new Promise((resolve) => {
    const child = execFile(command, [...connect, ...rest], { env }, (_, output, errors) =>
      resolve({ code: child.exitCode ?? -1, output: `${output}${errors}` }),
    );
  });
}

export const ldap: Conversation = {
  about: [],
  tests: (stand) => {
    it('binds a user with password and code, lets the user search, and refuses the same code again', async () => {
      const { dn, password, ...person } = await stand().person('ldap');
      const secret = `${password}${person.nextCode()}`;
      expect(await runLdap(stand(), 'ldapwhoami', dn, secret)).toEqual({ code: 0, output: `dn:${dn}\n` });
      const invalidCredentials = 49;
      expect((await runLdap(stand(), 'ldapwhoami', dn, secret)).code).toBe(invalidCredentials);
      expect((await runLdap(stand(), 'ldapwhoami', dn, password)).code).toBe(invalidCredentials);
      const search = ['-LLL', '-b', 'dc=example,dc=com', '(uid=ldap)', 'uid', 'userPassword', 'webadmData'];
      const found = await runLdap(stand(), 'ldapsearch', 'ldap', `${password}${person.nextCode()}`, search);
      expect(found).toEqual({ code: 0, output: `dn: ${dn}\nuid: ldap\n\n` });
    });
  },
};
