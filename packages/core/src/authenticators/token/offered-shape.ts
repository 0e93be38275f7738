/**
 * What the last URI of a secret said its codes look like, for a registration that names no mobile session: what is in
 * the QR code is what the authenticator goes by. Kept under a hash of the secret, which the store does not learn.
 */

import { hash } from 'node:crypto';
import { type Algorithm, algorithms } from '../../foundation/oath/hotp.ts';
import type { Claims } from '../view.ts';
import type { CodeShape, TypeAndState } from './token.ts';

type Secret = Pick<TypeAndState, 'type'> & { readonly secret: Uint8Array };

/** A day: as long as it may take from the QR code to the registration. In seconds. */
const remembered = 86_400;

export async function rememberShape(
  token: Secret,
  shape: CodeShape,
  { store }: Pick<Claims, 'store'>,
): Promise<void> {
  await store.put(shapeKey(token), Buffer.from(formatShape(shape), 'latin1'), remembered);
}

/** Undefined: there was no URI of this secret in the last day. */
export async function shapeInUri(
  token: Secret,
  { store }: Pick<Claims, 'store'>,
): Promise<CodeShape | undefined> {
  const text = await store.get(shapeKey(token));
  return text && parseShape(Buffer.from(text).toString('latin1'));
}

/** `8/60`, or `8/60/SHA1`: digits of a code, seconds of a time step, and the hash where one was said. */
export const formatShape = ({ digits, period, algorithm }: CodeShape): string =>
  `${digits}/${period}${algorithm === undefined ? '' : `/${algorithm}`}`;

const written = new RegExp(`^([6-9]|10)/([1-9][0-9]{0,8})(?:/(${algorithms.join('|')}))?$`);

/** Undefined, where it is none. Digits of 7 and 9 are read because earlier versions took them. */
export function parseShape(text: string): CodeShape | undefined {
  const [, digits, period, algorithm] = written.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return {
    digits: Number(digits),
    period: Number(period),
    ...(algorithm !== undefined && { algorithm: algorithm as Algorithm }),
  };
}

const shapeKey = ({ type, secret }: Secret): string => `uri:${type}:${hash('sha256', secret)}`;
