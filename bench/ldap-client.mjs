/** The direct way: an ldapts client, connected and bound, that does the same search as the Manager. */
import { Client } from 'ldapts';
import { mailOf, userAt } from './operations.mjs';

/** @param tls over `ldaps://` or in clear; `client` is the number of this one among its like */
export async function openLdapClient(slapd, operation, { tls, users, client }) {
  const ldap = new Client(tls ? { url: slapd.ldapsUrl, tlsOptions: { ca: slapd.ca } } : { url: slapd.url });
  await ldap.bind(slapd.adminDn, slapd.adminPassword);
  let turn = 0;
  return {
    call: async () => {
      const user = userAt(turn++, { users, client });
      const { searchEntries } = await ldap.search(...operation.search(user));
      if (searchEntries[0]?.mail !== mailOf(user)) throw new Error(`ldapts found another user than ${user}`);
    },
    close: () => ldap.unbind(),
  };
}
