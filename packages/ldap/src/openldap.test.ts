/** The directory contract on a real slapd, with both kinds of encryption. */

import { expect, it, onTestFinished } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { startSlapd } from '../../core/src/testing/bed/engines/slapd.ts';
import {
  type DirectoryFixture,
  directoryContract,
} from '../../core/src/testing/contracts/directory-contract.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock } from '../../node/src/machine/clock.ts';
import { openLdapDirectory } from './index.ts';

async function open(encryption: 'ldaps' | 'StartTLS'): Promise<DirectoryFixture> {
  const slapd = await startSlapd({ lockSeconds: 60 });
  const way = encryption === 'ldaps' ? { urls: [slapd.ldapsUrl] } : { urls: [slapd.url], start_tls: true };
  const server = openLdapDirectory(
    { ...way, ca: slapd.ca, bind_dn: slapd.readerDn, bind_password: slapd.readerPassword, timeout_ms: 5_000 },
    { clock: systemClock, log: new KeptLog() },
  );
  return {
    server,
    base: Dn.parse(slapd.people),
    admin: { dn: Dn.parse(slapd.adminDn), password: slapd.adminPassword },
    reader: { dn: Dn.parse(slapd.readerDn), password: slapd.readerPassword },
    dispose: async () => {
      await server.close();
      await slapd.stop();
    },
  };
}

for (const encryption of ['ldaps', 'StartTLS'] as const) {
  directoryContract(`OpenLDAP over ${encryption}`, () => open(encryption), {
    refusedPassword: 'abc',
    lockAfter: 5,
  });
}

it('does not take the right to write the description for the right to set a password', async () => {
  const access = `access to attrs=userPassword
  by anonymous auth
access to *
  by users write`;
  const slapd = await startSlapd({ users: 1, access });
  onTestFinished(() => slapd.stop());
  const service = { bind_dn: slapd.readerDn, bind_password: slapd.readerPassword };
  const options = { urls: [slapd.ldapsUrl], ca: slapd.ca, ...service };
  const server = openLdapDirectory(options, { clock: systemClock, log: new KeptLog() });
  onTestFinished(() => server.close());
  const user = Dn.parse(`uid=user0,${slapd.people}`);
  await server.service.assertWritable(user, 'description');
  for (const name of ['userPassword', 'unicodePwd', '2.5.4.35'])
    await expect(server.service.assertWritable(user, name)).rejects.toMatchObject({
      reason: 'permission_denied',
    });
});
