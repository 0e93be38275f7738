/** Methods that the Admin Portal calls, on a Samba Active Directory. */
import { openLdapDirectory } from '../../../../../ldap/src/index.ts';
import { systemClock } from '../../../../../node/src/machine/index.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { startSamba } from '../../../testing/bed/engines/samba.ts';
import { openFixture } from '../../../testing/bed/fixture.ts';
import { portalMethodsContract, userPassword } from '../../../testing/bed/portal-methods-contract.ts';
import { KeptLog } from '../../../testing/kept-log.ts';

portalMethodsContract(async () => {
  const samba = await startSamba();
  const credentials = { username: samba.adminDn, password: samba.adminPassword };
  const bind = { bind_dn: samba.adminDn, bind_password: samba.adminPassword };
  const directory = openLdapDirectory(
    { urls: [samba.ldapsUrl], ca: samba.ca, ...bind },
    { clock: systemClock, log: new KeptLog() },
  );
  const domains = { Default: { base: samba.base } };
  const config = { manager_auth: 'DN' as const, super_admins: [samba.adminDn], domains };
  const fixture = await openFixture({ config, ports: () => ({ directory }) });
  const { manager, close } = await fixture.service.manager.login(credentials);
  const container = `OU=portal,${samba.base}`;
  await manager.Create_LDAP_Object({ dn: container, attrs: { objectclass: 'organizationalUnit' } });
  return {
    ...{ fixture, manager, credentials, container },
    person: async (above, name, more = {}) => {
      const dn = Dn.parse(above)
        .child([{ type: 'CN', value: name }])
        .format();
      const sam = { samaccountname: name.replace(/[^a-z]/g, '') };
      const attrs = { objectclass: ['user', 'webadmAccount'], ...sam, userpassword: userPassword, ...more };
      await manager.Create_LDAP_Object({ dn, attrs });
      return dn;
    },
    personClass: ['person', 'cn'],
    close: async () => {
      await close();
      await fixture.close();
      await samba.stop();
    },
  };
});
