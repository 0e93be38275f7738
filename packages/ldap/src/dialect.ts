/** Differences between directory servers, as data. */

export interface Dialect {
  readonly vendor: 'openldap' | 'active-directory' | 'other';
  /** Attributes by which entries are sorted by creation, in order of precedence. */
  readonly creationOrder: readonly string[];
  /** A search without names returns these attributes. */
  readonly returnsCreationOrder: boolean;
  /** The server needs `userCertificate;binary`, RFC 4523 §2; Active Directory does not know the option. */
  readonly binaryOption: boolean;
  /** Attributes of which one changes with every change of the entry; the first always exists. */
  readonly revision: readonly string[];
  /** The attribute that identifies an entry permanently. */
  readonly identifier: string;
  /** The attribute that is `TRUE` while a password must be changed; undefined: the result of a bind says so. */
  readonly resetFlag: string | undefined;
}

const openldap: Dialect = {
  vendor: 'openldap',
  // The timestamp has whole seconds; OpenLDAP's UUIDs have 100 ns.
  creationOrder: ['createtimestamp', 'entryuuid'],
  returnsCreationOrder: false,
  binaryOption: true,
  // ppolicy writes locks without a new entryCSN.
  revision: ['entrycsn', 'pwdaccountlockedtime', 'pwdreset'],
  identifier: 'entryuuid',
  resetFlag: 'pwdreset',
};

export const dialects = {
  openldap,
  other: { ...openldap, vendor: 'other' },
  'active-directory': {
    vendor: 'active-directory',
    creationOrder: ['usncreated'],
    returnsCreationOrder: true,
    binaryOption: false,
    revision: ['usnchanged', 'lockouttime', 'useraccountcontrol'],
    identifier: 'objectguid',
    resetFlag: undefined,
  },
} as const satisfies Record<string, Dialect>;
