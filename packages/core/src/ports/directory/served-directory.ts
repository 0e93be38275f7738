/**
 * The LDAP door as values, for an LDAP server that encodes them: the operations of RFC 4511 that are served.
 */
import type { Dn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import type { AttributeValue } from '../../foundation/text/value.ts';
import type { Entry, SearchScope } from './directory.ts';

/** The result codes in use (RFC 4511 §4.1.9, appendix A). */
export const resultCodes = {
  success: 0,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  compareFalse: 5,
  compareTrue: 6,
  authMethodNotSupported: 7,
  strongerAuthRequired: 8,
  unavailableCriticalExtension: 12,
  confidentialityRequired: 13,
  noSuchAttribute: 16,
  noSuchObject: 32,
  invalidDNSyntax: 34,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
  other: 80,
} as const;

export interface LdapResult {
  readonly code: keyof typeof resultCodes;
  /** A message for people. */
  readonly message?: string | undefined;
}

/** The client of a connection. */
export interface LdapClient {
  readonly address: string;
  readonly port: number;
  /** The client policy of its logins, where its address has none of its own. */
  readonly policy?: string | undefined;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

export interface SimpleBind {
  /** A DN, or a login name. */
  readonly name: string;
  readonly password: string;
}

export interface ServedSearch {
  readonly base: Dn;
  readonly scope: SearchScope;
  readonly filter: Filter;
  /** The requested attributes: an empty list or `*` for all user attributes, `1.1` for none. */
  readonly attributes: readonly string[];
  /** The most entries; 0 for no limit of the client. */
  readonly sizeLimit: number;
}

export interface ServedComparison {
  readonly dn: Dn;
  readonly attribute: string;
  readonly value: AttributeValue;
}

export interface FoundEntries {
  readonly entries: readonly Entry[];
  readonly result: LdapResult;
}

/** A connection bound as an identity, or anonymous. Its functions never throw. */
export interface LdapIdentity {
  /** The authorization identity (RFC 4513 §5.2.1.8): `dn:uid=alice,…`, or empty if anonymous. */
  readonly authzId: string;
  search(search: ServedSearch): Promise<FoundEntries>;
  compare(comparison: ServedComparison): Promise<LdapResult>;
  /** Releases the identity, when the connection ends or binds again. */
  close(): Promise<void>;
}

export interface LdapService {
  /** The anonymous identity. */
  readonly nobody: LdapIdentity;
  /** Binds; never throws. */
  bind(bind: SimpleBind, client: LdapClient): Promise<LdapIdentity | LdapResult>;
}
