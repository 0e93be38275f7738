/** The LDAP adapter of the directory port: OpenLDAP, Active Directory and servers like them. */
export { createLdapDirectory, type LdapPorts } from './ldap-directory.ts';
export type { LdapOptions } from './options.ts';
