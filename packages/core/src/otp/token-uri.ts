/** URIs of new tokens for administrators: written, remembered by the mobile session, and shortened (manager.md §4). */
import type { Core } from '../core.ts';
import { ServiceError } from '../errors.ts';
import { findOpenSession, offerToken } from './mobile-session.ts';
import { checkSecret } from './registration.ts';
import type { TypeAndState } from './token.ts';
import { presetRules } from './token-holder.ts';
import { formatUri } from './uri.ts';

export interface UriRequest {
  readonly name: string;
  readonly key: Uint8Array;
  readonly userid: string;
  readonly domain: string;
  readonly digits: number | undefined;
  /** Seconds of a time step, where the token has them. */
  readonly period?: number | undefined;
  readonly session: string | undefined;
  /** A short address that answers with the URI, for a small QR code. */
  readonly short: boolean;
}

/** In characters; what they become in a QR code at their longest still fits into one. */
const longest = { name: 128, userid: 128, domain: 64, session: 64 };

/** False for a short address without a session that is open. @throws ServiceError `invalid_params` */
export async function tokenUri(
  token: TypeAndState,
  request: UriRequest,
  core: Core,
): Promise<string | false> {
  checkRequest(request);
  const { session, short } = request;
  const shape = shapeOf(request, core);
  const uri = writeUri(token, { ...request, ...shape }, core);
  const open = session === undefined ? undefined : await findOpenSession(session, core);
  if (short && !open) return false;
  const key = Buffer.from(request.key).toString('base64');
  if (open) await offerToken(open, { ...token, shape, key, uri, short });
  return short && session !== undefined ? shortAddress(session, core) : uri;
}

function checkRequest(request: UriRequest): void {
  checkSecret(request.key);
  for (const [name, most] of Object.entries(longest)) {
    const text = request[name as keyof typeof longest] ?? '';
    if (text.length > most) throw wrong(`Parameter ${name} is longer than ${most} characters`);
  }
  if (request.digits !== undefined && ![6, 8, 10].includes(request.digits))
    throw wrong('Parameter digits is none of 6, 8, 10');
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

function shapeOf({ digits, period }: UriRequest, core: Core) {
  const rules = presetRules(core);
  return { digits: digits ?? rules.digits, period: period ?? rules.period };
}

function writeUri(
  { type, state }: TypeAndState,
  { name, key, userid, domain, session, digits, period }: UriRequest & { digits: number; period: number },
  { names, config }: Core,
): string {
  const endpoint = `${config.ws_url}/${names.theirs('otp')}/mobile`;
  return formatUri({
    ...{ type, name, secret: key, digits, userid, domain },
    issuer: names.theirs('Otp'),
    moving: type === 'HOTP' ? state.counter : period,
    confirmation: session === undefined ? undefined : { endpoint, session },
  });
}

const shortAddress = (session: string, { names, config }: Core): string =>
  `${config.manager_url}/ws/${names.theirs('otp')}/?action=qruri&session=${session}`;

/** The URI behind a short address; undefined: there is none, or its session is over. */
export async function longUri(session: string, core: Core): Promise<string | undefined> {
  const offer = await (await findOpenSession(session, core))?.record.read('offer');
  return offer?.short ? offer.uri : undefined;
}
