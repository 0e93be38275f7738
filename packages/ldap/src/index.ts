/** The LDAP adapter of the directory port: OpenLDAP, Active Directory and servers like them. */

export type { LdapOptions } from './connection/options.ts';
export { type LdapListener, type LdapServing, type LdapTimes, serveLdap } from './door/serve.ts';
export { type LdapPorts, openLdapDirectory } from './ldap-directory.ts';
