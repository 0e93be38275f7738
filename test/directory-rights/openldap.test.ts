/** OpenLDAP with exactly the access rules of docs/guide/directories.md. */
import { type Slapd, startSlapd } from '@watchword/core/testing/bed';
import { describeRights } from './factors.ts';
import type { Place } from './ground.ts';
import { blockUnder } from './guide.ts';

const base = 'dc=example,dc=com';
const heading = 'Give the service its rights in OpenLDAP';
const access = blockUnder(heading, 'conf');
const password = 'of the service';
const administrator = { username: 'admin', password: 'Adm1n-of-all' };

/** Whom the guide speaks of. */
const ldif = `dn: ${base}
objectClass: organization
objectClass: dcObject
o: Example
dc: example

${['people', 'groups', 'services'].map((ou) => `dn: ou=${ou},${base}\nobjectClass: organizationalUnit\nou: ${ou}\n`).join('\n')}
dn: cn=watchword,ou=services,${base}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: watchword
userPassword: ${password}

dn: uid=admin,ou=people,${base}
objectClass: inetOrgPerson
uid: admin
cn: admin
sn: admin
userPassword: ${administrator.password}

dn: cn=admins,ou=groups,${base}
objectClass: groupOfNames
cn: admins
member: uid=admin,ou=people,${base}
`;

const placeOf = (slapd: Slapd): Place => ({
  yaml: blockUnder('OpenLDAP', 'yaml'),
  url: slapd.ldapsUrl,
  ca: slapd.ca,
  ...{ password, administrator },
  people: `ou=people,${base}`,
  groups: `ou=groups,${base}`,
  groupClass: 'groupOfNames',
  person: (username, userpassword) => ({
    objectclass: ['inetOrgPerson'],
    ...{ uid: username, cn: username, sn: username, userpassword },
  }),
  stop: () => slapd.stop(),
});

describeRights('OpenLDAP', {
  guided: async () => placeOf(await startSlapd({ base, ldif, access })),
  letsUsers: false,
  readOnly: async () => {
    const lesser = access
      .replace(/(by dn\.exact="cn=watchword,[^"]+") write/, '$1 read')
      .replace(/ {2}by dn\.exact="cn=watchword,[^"]+" =w\n/, '')
      .replace(/ {2}by self =xw\n/, '');
    const slapd = await startSlapd({ base, ldif, access: lesser });
    return { ...placeOf(slapd), mighty: { dn: slapd.rootDn, password: slapd.rootPassword } };
  },
});
