/** The error of an order: what the ACME server or the network said, and the cure. */
import type { ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';

export type AcmeSettings = NonNullable<ServerConfig['acme']>;

/** The most characters of a server's words that go to the log. */
const longest = 300;

export class OrderError extends Error {
  override readonly name = 'OrderError';
  readonly cure: string;

  constructor(reason: string, cure: string, options?: ErrorOptions) {
    super(reason, options);
    this.cure = cure;
  }

  /** Words an error of the library, the network or the machine. */
  static of(error: unknown, settings: AcmeSettings): OrderError {
    if (error instanceof OrderError) return error;
    if (error instanceof StartError) {
      const [reason = '', cure = 'correct that'] = error.message.replace(/\.$/, '').split('; ', 2);
      return new OrderError(reason, cure, { cause: error });
    }
    const code = codeOf(error);
    const message = error instanceof Error && error.message !== '' ? error.message : code;
    return new OrderError(plain(message), cureOf(code, message, settings), { cause: error });
  }

  /** Words the error of a challenge that the ACME server has refused. */
  static ofChallenge(domain: string, challenge: object | undefined, settings: AcmeSettings): OrderError {
    const error: unknown = challenge && Reflect.get(challenge, 'error');
    const detail: unknown = typeof error === 'object' && error ? Reflect.get(error, 'detail') : undefined;
    const reason = typeof detail === 'string' ? detail : 'no reason given';
    return new OrderError(
      `it does not accept the answer for ${domain}: ${plain(reason)}`,
      reaching(settings),
    );
  }
}

const reaching = (settings: AcmeSettings): string =>
  settings.challenge === 'http-01'
    ? `let port 80 of each domain reach port ${settings.http_port} of this machine (acme.http_port)`
    : 'let port 443 of each domain reach a port of these servers, without a proxy that ends TLS';

/** Codes of Node for a certificate of the ACME server that is not trusted. */
const untrusted = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_)/;

function cureOf(code: string, message: string, settings: AcmeSettings): string {
  if (untrusted.test(code)) return 'name the authority of the ACME server in acme.ca';
  if (/^E[A-Z_]+$/.test(code) || code === 'ABORT_ERR')
    return `check acme.directory, and that this machine reaches ${new URL(settings.directory).host}`;
  if (/external ?account/i.test(message)) return 'correct acme.eab';
  return 'correct what the ACME server names';
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown reason';

/** Cuts a text of the server, and leaves out what could forge lines of the log. */
const plain = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').slice(0, longest);
