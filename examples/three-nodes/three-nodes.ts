/**
 * Starts an installation of many machines on this one, with a user, and says how to log in. Ctrl-C ends all of it.
 * Needs the Debian packages nginx-light, postgresql, slapd, ldap-utils; and oathtool and curl for what it says.
 */
import { once } from 'node:events';
import { type Cluster, openCluster } from './cluster.ts';

const user = {
  name: 'alice',
  password: 'a long passw0rd of alice',
  key: Buffer.from('20 bytes for a token'),
};

/** Made by an administrator at one of the nodes. */
async function addUser({ open, base, admin }: Cluster): Promise<void> {
  const node = await open();
  const { manager, close } = await node.service.manager.login(admin);
  const { name, password, key } = user;
  const dn = `uid=${name},ou=people,${base}`;
  const attrs = {
    objectclass: ['inetOrgPerson', 'webadmAccount'],
    cn: name,
    sn: name,
    userpassword: password,
  };
  await manager.Create_LDAP_Object({ dn, attrs });
  await manager.Otp.TOTP_Register({ dn, key: key.toString('base64') });
  await close();
  await node.close();
}

const said = ({ url, caFile, nodes, slapds }: Cluster): string => `
Three nodes stand behind nginx at ${url}
They share PostgreSQL, and two slapds that replicate to each other.

Log in as often as you like, with a new code every 30 seconds:

  curl -sS --cacert ${caFile} ${url}otp/json/otpNormalLogin/ \\
    -d username=${user.name} --data-urlencode "ldapPassword=${user.password}" \\
    -d otpPassword=$(oathtool --totp ${user.key.toString('hex')})

Kill two nodes and a slapd, and log in again. No code is let in twice, whichever node is asked:

${[...nodes, ...slapds].map((part) => `  kill -9 ${part.pid()}    # ${part.name}`).join('\n')}

Ctrl-C ends all of it.
`;

process.stderr.write('Starting PostgreSQL, two slapds, three nodes and nginx …\n');
const cluster = await openCluster({ settings: { 'Otp.LoginMode': 'LDAPOTP' } });
try {
  await addUser(cluster);
  process.stdout.write(said(cluster));
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} finally {
  await cluster.close();
}
