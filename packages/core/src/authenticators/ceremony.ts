/** Registration and login with FIDO2 devices (WebAuthn Level 2 §7). Signatures are verified by @simplewebauthn/server. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { ServiceError } from '../foundation/errors/errors.ts';
import { deviceClaimKeys, type FidoDevice, isOrigin, type RelyingParty } from './device.ts';

const require = createRequire(import.meta.url);

/** Loads the library on first use. */
const webauthnLibrary = (): Library => require('@simplewebauthn/server');
const webauthnTools = (): Tools => require('@simplewebauthn/server/helpers');

/** Loads the library at the start of an installation with a relying party. */
export function loadWebauthn(): void {
  webauthnLibrary();
  webauthnTools();
}

type Library = typeof import('@simplewebauthn/server');
type Tools = typeof import('@simplewebauthn/server/helpers');

/** COSE algorithms (RFC 9053): EdDSA, ES256, RS256. */
export type KeyAlgorithm = -8 | -7 | -257;

const allAlgorithms: readonly KeyAlgorithm[] = [-8, -7, -257];

/** Characters of the longest answer of a browser: an attestation may carry certificates. */
const longestAnswer = 65_536;

interface Ceremony {
  /** base64url */
  readonly challenge: string;
  readonly party: RelyingParty;
}

interface Registration extends Ceremony {
  /** Algorithms that the key may have. Optional; default: all that are known here. */
  readonly algorithms?: readonly KeyAlgorithm[];
}

export interface NewUser {
  /** Bytes that identify the user on the device, and reveal nothing of the user. */
  readonly handle: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly displayName: string;
}

/**
 * Makes the options for `navigator.credentials.create` (PublicKeyCredentialCreationOptionsJSON).
 * @param appid of FIDO U2F, whose keys are excluded as well
 */
export async function creationOptions(
  { handle, name, displayName }: NewUser,
  known: readonly FidoDevice[],
  {
    challenge,
    party,
    appid,
    algorithms = allAlgorithms,
  }: Registration & { readonly appid?: string | undefined },
): Promise<string> {
  const { generateRegistrationOptions } = webauthnLibrary();
  const options = await generateRegistrationOptions({
    ...{ rpName: party.name, rpID: party.id },
    ...{ userName: name, userID: handle, userDisplayName: displayName },
    ...{ challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')), attestationType: 'none' },
    supportedAlgorithmIDs: [...algorithms],
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  if (appid === undefined) return JSON.stringify(options);
  return JSON.stringify({ ...options, extensions: { ...options.extensions, appidExclude: appid } });
}

/**
 * Verifies the registration of a device.
 * @param text RegistrationResponseJSON, as `credential.toJSON()` of a browser gives it
 * @throws ServiceError `invalid_params` naming `response`
 */
export async function verifyRegistration(
  text: string,
  { challenge, party, algorithms = allAlgorithms }: Registration,
): Promise<Pick<FidoDevice, 'id' | 'publicKey' | 'counter' | 'transports'>> {
  const answer = parsed(text);
  if (!isRegistration(answer)) throw unfit('is not what a browser gives: the JSON of a new credential');
  const terms = expected(answer.response.clientDataJSON, { challenge, party });
  if (typeof terms === 'string') throw unfit(`does not answer this challenge: ${terms}`);
  const made = await verified(answer, { ...terms, supportedAlgorithmIDs: [...algorithms] });
  if (typeof made === 'string') throw unfit(`does not answer this challenge: ${made}`);
  const { id, publicKey, counter } = made;
  const transports = (answer.response.transports ?? []).filter((one) => /^[a-z-]{1,16}$/.test(one));
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/** Returns the new credential, or why there is none. */
async function verified(
  response: RegistrationResponseJSON,
  terms: Terms & { readonly supportedAlgorithmIDs: KeyAlgorithm[] },
): Promise<WebAuthnCredential | string> {
  const { verifyRegistrationResponse } = webauthnLibrary();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({ response, ...terms });
    return registrationInfo?.credential ?? 'its signature is wrong';
  } catch (cause) {
    return wordsOf(cause);
  }
}

/**
 * Reads the public key of a verified credential.
 * @param publicKey COSE_Key (RFC 9053 §7), base64url
 * @returns undefined unless it is Ed25519 or ECDSA on P-256
 */
export function keyObjectOf(publicKey: string): KeyObject | undefined {
  const { decodeCredentialPublicKey, cose } = webauthnTools();
  const key = decodeCredentialPublicKey(Uint8Array.from(Buffer.from(publicKey, 'base64url')));
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url');
  const { crv, x, y } = cose.COSEKEYS;
  if (cose.isCOSEPublicKeyOKP(key) && key.get(crv) === cose.COSECRV.ED25519)
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text(key.get(x)) }, format: 'jwk' });
  if (!cose.isCOSEPublicKeyEC2(key) || key.get(crv) !== cose.COSECRV.P256) return undefined;
  const jwk = { kty: 'EC', crv: 'P-256', x: text(key.get(x)), y: text(key.get(y)) };
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/** The assertion of a device for a login. */
export type Assertion =
  | { readonly device: FidoDevice; readonly counter: number }
  | { readonly device?: undefined; readonly why: string };

/**
 * Verifies the answer of a login.
 * @param text AuthenticationResponseJSON, or JSON of base64 `authenticatorData`, `clientDataJSON`, `signature` and `userHandle`
 * @param devices of the user; all are tried if the answer has no credential id
 * @param claimed returns the highest signature counter that the store knows
 */
export async function verifyAssertion(
  text: string,
  devices: readonly FidoDevice[],
  { claimed, ...ceremony }: Ceremony & { claimed(key: string): number | undefined },
): Promise<Assertion> {
  const answer = assertionIn(text);
  if (!answer) return { why: 'the answer of the security key cannot be read' };
  const candidates = devices.filter(({ id }) => answer.id === undefined || id === answer.id);
  let why = 'the security key is not one of the user’s';
  for (const device of candidates) {
    const judged = await judge(answer, device, ceremony);
    if (typeof judged === 'string') {
      why = judged;
      continue;
    }
    const highest = Math.max(device.counter, ...deviceClaimKeys(device).map((key) => claimed(key) ?? 0));
    if (judged.counter > highest || (judged.counter === 0 && highest === 0))
      return { device, counter: judged.counter };
    return { why: 'the counter of the security key has not risen: there may be a copy of it' };
  }
  return { why };
}

/** Verifies the signature of a device. @returns its counter, or why the signature is refused */
async function judge(
  { response }: AssertionAnswer,
  device: FidoDevice,
  ceremony: Ceremony,
): Promise<string | { readonly counter: number }> {
  const { verifyAuthenticationResponse } = webauthnLibrary();
  const { id } = device;
  const terms = expected(response.clientDataJSON, ceremony);
  if (typeof terms === 'string') return `the security key: ${terms}`;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      ...terms,
      // `verifyAssertion` compares the counter with what all nodes know.
      credential: { id, publicKey: Uint8Array.from(Buffer.from(device.publicKey, 'base64url')), counter: 0 },
    });
    return verified
      ? { counter: authenticationInfo.newCounter }
      : 'the signature of the security key is wrong';
  } catch (cause) {
    return `the security key: ${wordsOf(cause)}`;
  }
}

/** The terms that a browser must have signed. */
interface Terms {
  readonly expectedChallenge: string;
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
  readonly requireUserVerification: false;
}

/** Returns the terms, or why the page is not ours. */
function expected(clientData: string, { challenge, party }: Ceremony): Terms | string {
  const { origin, crossOrigin } = Object(parsed(Buffer.from(clientData, 'base64url').toString('utf8')));
  if (typeof origin !== 'string' || !isOrigin(origin, party))
    return `the page ${JSON.stringify(origin)} is none of ${party.id}`;
  if (crossOrigin === true) return 'the page is within one of another origin';
  return {
    ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: party.id },
    requireUserVerification: false,
  };
}

interface AssertionAnswer {
  readonly id?: string | undefined;
  readonly response: AuthenticationResponseJSON['response'];
}

function assertionIn(text: string): AssertionAnswer | undefined {
  const answer = parsed(text);
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { id, response = answer } = answer as { id?: unknown; response?: unknown };
  const { authenticatorData, clientDataJSON, signature, userHandle } = Object(response);
  const parts = [authenticatorData, clientDataJSON, signature].map(base64Url);
  const [data, client, signed] = parts;
  if (!data || !client || !signed) return undefined;
  const handle = base64Url(userHandle);
  return {
    id: base64Url(id),
    response: {
      ...{ authenticatorData: data, clientDataJSON: client, signature: signed },
      ...(handle && { userHandle: handle }),
    },
  };
}

/** Converts base64 of either alphabet, with or without padding. @returns undefined if the value is not base64 */
function base64Url(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/_-]+=*$/.test(value)) return undefined;
  return Buffer.from(value, 'base64').toString('base64url');
}

function isRegistration(answer: unknown): answer is RegistrationResponseJSON {
  const { id, rawId, response } = Object(answer);
  const { attestationObject, clientDataJSON, transports } = Object(response);
  const areTexts = [id, rawId, attestationObject, clientDataJSON].every((one) => typeof one === 'string');
  return areTexts && (transports === undefined || isTexts(transports));
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= 16 && value.every((one) => typeof one === 'string');

/** Parses JSON. @returns undefined if it is malformed, or longer than browsers write it */
function parsed(text: string): unknown {
  if (text.length > longestAnswer) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wordsOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);

const unfit = (what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter response ${what}` });
