/**
 * The code shape that the last QR code of a secret offered, for a registration without a mobile session. The record is kept under a
 * hash of the secret, which the store does not learn.
 */
import { hash } from 'node:crypto';
import type { Claims } from '../../../authenticators/authenticator.ts';
import type { CodeShape, TypeAndState } from '../../../authenticators/token.ts';
import { formatShape, parseShape } from '../../../authenticators/token-data.ts';

type Secret = Pick<TypeAndState, 'type'> & { readonly secret: Uint8Array };

/** A day, in seconds: the longest time from the QR code to the registration. */
const remembered = 86_400;

export async function rememberShape(
  token: Secret,
  shape: CodeShape,
  { store }: Pick<Claims, 'store'>,
): Promise<void> {
  await store.put(shapeKey(token), Buffer.from(formatShape(shape), 'latin1'), remembered);
}

/** Returns the shape in the last URI of this secret. @returns undefined if there was no URI within a day */
export async function shapeInUri(
  token: Secret,
  { store }: Pick<Claims, 'store'>,
): Promise<CodeShape | undefined> {
  const text = await store.get(shapeKey(token));
  return text && parseShape(Buffer.from(text).toString('latin1'));
}

const shapeKey = ({ type, secret }: Secret): string => `uri:${type}:${hash('sha256', secret)}`;
