/** The calling system of a request: an API key, else a client certificate, else its address. */
import { isIP } from 'node:net';
import { ServiceError } from '../../foundation/errors/errors.ts';

/** The system that asks: a VPN server, a portal. Not the user who logs in. */
export interface Caller {
  /** Its IP address, or `in-process`. */
  readonly address: string;
  /** The id of the API key that it has shown; undefined: none. */
  readonly apiKey?: string;
  /**
   * The identity of the presented certificate, which a renewed one keeps: `own:` and the client for which our authority signed it, or
   * `other:` and a digest of another authority's name for it; undefined: none.
   */
  readonly certificate?: string;
  /**
   * The caller has presented an API key or a certificate, is listed in `trusted_callers`, or is this program itself: it passes on
   * requests of its users, and its reports about them are believed.
   */
  readonly trusted?: true;
  /**
   * Requests of the caller choose their policy, by `client` and `settings`: it is listed in `request_settings`, or is this program
   * itself.
   */
  readonly choosesPolicy?: true;
  /** The client that it is by its API key, certificate or address, whatever `client` a request names. */
  readonly client?: string;
}

/** The field `source` of a request: the address of the end user of the calling system. @throws ServiceError `invalid_source` */
export function assertSource(source: string | undefined): void {
  // A zone (RFC 4007 §11) may be any text: one address would be many.
  if (source !== undefined && (isIP(source) === 0 || source.includes('%')))
    throw new ServiceError('invalid_source', { detail: 'Parameter source is no IP address' });
}
