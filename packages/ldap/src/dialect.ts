/** What kinds of directory servers do differently, as data. */

export interface Dialect {
  readonly vendor: 'openldap' | 'active-directory' | 'other';
  /** Attributes that entries are put into the order of their creation by, the first one first. */
  readonly order: readonly string[];
  /** Whether they are among the attributes that a search gives unasked. */
  readonly orderUnasked: boolean;
  /** Certificates travel as `userCertificate;binary`, RFC 4523 §2; Active Directory has no such option. */
  readonly binaryOption: boolean;
  /** Attributes that together change whenever the entry does; the first one is always there. */
  readonly revision: readonly string[];
  /** Attribute that identifies an entry for ever. */
  readonly identifier: string;
  /** Attribute that is `TRUE` while a password must be changed at the next login; none: a bind always tells. */
  readonly mark: string | undefined;
}

const openldap: Dialect = {
  vendor: 'openldap',
  // A time stamp of whole seconds; OpenLDAP's UUIDs tell the time to 100 ns.
  order: ['createtimestamp', 'entryuuid'],
  orderUnasked: false,
  binaryOption: true,
  // ppolicy writes locks without a new entryCSN.
  revision: ['entrycsn', 'pwdaccountlockedtime', 'pwdreset'],
  identifier: 'entryuuid',
  mark: 'pwdreset',
};

export const dialects = {
  openldap,
  other: { ...openldap, vendor: 'other' },
  'active-directory': {
    vendor: 'active-directory',
    order: ['usncreated'],
    orderUnasked: true,
    binaryOption: false,
    revision: ['usnchanged', 'lockouttime', 'useraccountcontrol'],
    identifier: 'objectguid',
    mark: undefined,
  },
} as const satisfies Record<string, Dialect>;
