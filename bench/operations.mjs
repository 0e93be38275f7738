/**
 * The operations that are measured, each in two forms: a Manager call, and the LDAP search that does the same.
 * Users are those of the throwaway slapd: `uid=user<n>,ou=people` with the mail address `user<n>@example.org`.
 */
const people = 'ou=people,dc=example,dc=org';
const attributes = ['cn', 'sn', 'mail', 'mobile'];

const dnOf = (user) => `uid=user${user},${people}`;
const filterOf = (user) => `(uid=user${user})`;

export const operations = [
  {
    method: 'Get_User_Attrs',
    params: (user) => ({ dn: dnOf(user), attrs: attributes }),
    search: (user) => [dnOf(user), { scope: 'base', attributes }],
  },
  {
    method: 'Search_LDAP_Objects',
    params: (user) => ({ basedn: people, filter: filterOf(user), attrs: attributes }),
    search: (user) => [people, { scope: 'sub', filter: filterOf(user), attributes }],
  },
];

/** What stands in the answer for this user and in no other. */
export const mailOf = (user) => `user${user}@example.org`;

/** Users in an order that is the same in every run, and scattered: 7919 is prime to every size. */
export function userAt(turn, { users, client }) {
  return (turn * 7919 + client * 104_729) % users;
}
