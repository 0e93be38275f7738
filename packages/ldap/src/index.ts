/** The LDAP adapter of the directory port: OpenLDAP, Active Directory and servers like them. */

export type { LdapOptions } from './connection/options.ts';
export { type LdapPorts, openLdapDirectory } from './ldap-directory.ts';
export { type LdapListener, type LdapServerOptions, type LdapTimes, serveLdap } from './server/serve.ts';
