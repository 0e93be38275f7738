/** `otpauth://` URIs of new tokens for administrators: written, stored with the mobile session, and shortened. */

import type { TimedClaims } from '../../../authenticators/authenticator.ts';
import { type CodeShape, type TypeAndState, tokenRules } from '../../../authenticators/token.ts';
import type { Settings } from '../../../directory/data/layers.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Algorithm } from '../../../foundation/oath/hotp.ts';
import { formatUri, type Issuer } from '../../../foundation/oath/uri.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { issuerOf } from '../../phone/issuer.ts';
import type { MobileParts } from '../mobile/mobile-record.ts';
import {
  assertSame,
  findOpenSession,
  type MobileSession,
  offerToken,
  otherThan,
  userOf,
} from '../mobile/mobile-session.ts';
import type { Addresses, UriView } from '../view.ts';
import { readNamed } from './named-token.ts';
import { rememberShape } from './offered-shape.ts';

export interface UriRequest {
  readonly name: string;
  readonly key: Uint8Array;
  readonly userid: string;
  readonly domain: string;
  readonly digits: number | undefined;
  /** Seconds of a time step, where the token has them. */
  readonly period?: number | undefined;
  /** The hash of its codes; undefined: as the registration that waits for the scan says, else as long keys have it. */
  readonly algorithm: Algorithm | undefined;
  readonly session: string | undefined;
  /** A short address that answers with the URI, for a small QR code. */
  readonly short: boolean;
}

/** Longest values, in characters: at their longest they still fit into a QR code, with a secret of 64 bytes. */
const longest = { name: 128, userid: 128, domain: 64, session: 64 };

/** Bytes that the largest QR code holds (ISO/IEC 18004, version 40, level L). */
const longestUri = 2953;

/**
 * Writes the URI by the settings of the user whom `userid` and `domain` name. The shape of its codes is remembered for the registration
 * of the same secret.
 * @returns false for a short address without an open session
 * @throws ServiceError `invalid_params`, also where another token waits for the scan; `not_found`: the domain, then the user
 */
export async function tokenUri(
  token: TypeAndState,
  request: UriRequest,
  view: UriView,
): Promise<string | false> {
  checkRequest(request);
  const { session, short } = request;
  const { dn: user, settings } = await readNamed({ username: request.userid, domain: request.domain }, view);
  const open = session === undefined ? undefined : await findOpenSession(session, view);
  const pending = await open?.record.read('pending');
  const algorithm = request.algorithm ?? pending?.algorithm;
  const shape = shapeOf({ ...request, algorithm }, settings);
  const issuer = issuerOf(settings, view);
  const uri = writeUri(token, { ...request, ...shape, ...issuer }, view);
  if (short && !open) return false;
  if (open) await offer(open, { token, request, shape, uri, user, pending });
  await rememberShape({ type: token.type, secret: request.key }, shape, view);
  return short && session !== undefined ? shortAddress(session, view) : uri;
}

async function offer(
  session: MobileSession,
  {
    token,
    request: { key, short },
    user,
    pending,
    ...said
  }: {
    token: TypeAndState;
    request: UriRequest;
    shape: CodeShape;
    uri: string;
    user: Dn;
    pending: MobileParts['pending'] | undefined;
  },
): Promise<void> {
  const owner = await userOf(session);
  if (owner && !owner.equals(user)) throw otherThan('userid');
  const offered = { ...token, ...said, key: Buffer.from(key).toString('base64') };
  if (pending) assertSame(offered, { ...pending, secret: Buffer.from(pending.key, 'base64') });
  await offerToken(session, { ...offered, short, user: user.toString() });
}

function checkRequest(request: UriRequest): void {
  if (request.key.length === 0) throw wrong('Parameter key is empty');
  for (const [name, most] of Object.entries(longest)) {
    const text = request[name as keyof typeof longest] ?? '';
    if (text.length > most) throw wrong(`Parameter ${name} is longer than ${most} characters`);
  }
  if (request.digits !== undefined && ![6, 8, 10].includes(request.digits))
    throw wrong('Parameter digits is none of 6, 8, 10');
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

function shapeOf({ digits, period, algorithm }: UriRequest, settings: Settings): CodeShape {
  const rules = tokenRules(settings);
  return { digits: digits ?? rules.digits, period: period ?? rules.period, algorithm };
}

function writeUri(
  { type, state }: TypeAndState,
  { key, session, period, ...said }: UriRequest & CodeShape & Issuer,
  { names, config }: Addresses,
): string {
  const endpoint = `${config.ws_url}/${names.theirs('otp')}/mobile`;
  const uri = formatUri({
    ...{ ...said, type, secret: key },
    moving: type === 'HOTP' ? state.counter : period,
    confirmation: session === undefined ? undefined : { endpoint, session },
  });
  if (uri.length > longestUri)
    throw wrong(`Parameter key: the URI is ${uri.length} characters, and a QR code holds ${longestUri}`);
  return uri;
}

const shortAddress = (session: string, { names, config }: Addresses): string =>
  `${config.manager_url}/ws/${names.theirs('otp')}/?action=qruri&session=${session}`;

/** Returns the URI of a short address. @returns undefined: the address is unknown, or its session is over */
export async function longUri(session: string, core: TimedClaims): Promise<string | undefined> {
  const offer = await (await findOpenSession(session, core))?.record.read('offer');
  return offer?.short ? offer.uri : undefined;
}
