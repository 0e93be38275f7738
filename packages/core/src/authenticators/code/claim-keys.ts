/**
 * The keys in the store under which codes are claimed, and wrong ones counted. They follow the secret, whoever has it: a
 * user who is deleted and made again, or another user or slot that is given the same secret, has the same codes, and those
 * that were used stay used. They do not tell the secret: whoever reads the store, or a backup of it, but has not the
 * keys of the installation, cannot try out an emergency password that people have made up, nor see who has the same token.
 */

import type { Dn } from '../../foundation/text/dn.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Emergency } from '../list/emergency.ts';
import type { CodeList } from '../list/list.ts';
import type { CodeShape, Token } from '../token/token.ts';

/** Stands for the secret of a token. */
export const tokenKey = ({ type, secret }: Pick<Token, 'type' | 'secret'>, keys: KeyRing): string =>
  digest(keys, `${type}:${toBase64(secret)}`);

/** Of a secret, without a copy of it. */
const toBase64 = (bytes: Uint8Array): string =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString(
    'base64',
  );

/**
 * Where the numbers of a token are claimed. The type and the time step are part of it: numbers of one are not above or
 * below those of another.
 * @param rules by which its codes are judged, where the token itself does not say
 */
export const claimKey = (
  token: Pick<Token, 'type' | 'secret' | 'shape'>,
  rules: Pick<CodeShape, 'period'>,
  keys: KeyRing,
): string => numbersKey({ key: tokenKey(token, keys), token }, rules);

/** {@link claimKey}, of a token whose key is known. */
export function numbersKey(
  { key, token }: { readonly key: string; readonly token: Pick<Token, 'type' | 'shape'> },
  rules: Pick<CodeShape, 'period'>,
): string {
  const { period } = token.shape ?? rules;
  return `${claimFamily}:${key}${token.type === 'TOTP' ? `:${period}` : ''}`;
}

/** The family of the store in which the numbers of tokens are claimed. */
export const claimFamily = 'token';

/** The token and the time step of a {@link claimKey}; undefined: it is not of a TOTP token. */
export function totpClaimOf(key: string): { readonly token: string; readonly period: number } | undefined {
  const [, token, period] = /^token:([0-9a-f]{32}):([0-9]{1,9})$/.exec(key) ?? [];
  return token === undefined ? undefined : { token, period: Number(period) };
}

/** What is claimed, with 0, when a code is used that a verification server has judged. */
export const cloudClaimKey = (key: string, otp: string, keys: KeyRing): string =>
  `${claimFamily}:${key}:${digest(keys, otp)}`;

/** Stands for a printed list. */
export const listKey = ({ secret }: Pick<CodeList, 'secret'>, keys: KeyRing): string =>
  `list:${digest(keys, toBase64(secret))}`;

/** What is claimed, with 0, when the code of a position is used. */
export const listClaimKey = (list: Pick<CodeList, 'secret'>, position: number, keys: KeyRing): string =>
  `${listKey(list, keys)}:${position}`;

/**
 * Stands for an emergency password; the highest of its uses that was claimed stands under it. It is no random secret: the same words may be
 * given to many in one moment, each with uses of its own, so the user's name is part of it.
 */
export function emergencyKey(user: Dn, { digest: md5, start, end }: Emergency, keys: KeyRing): string {
  return `emergency:${digest(keys, `${Buffer.from(md5).toString('hex')}:${start}:${end}:${user.key}`)}`;
}

/** What is claimed, with 0, when one of the uses of an emergency password that are counted is used. */
export const emergencyUseKey = (key: string, number: number): string => `${key}:${number}`;

/** 128 bits: nobody looks for two secrets with the same one. */
const digest = (keys: KeyRing, text: string): string => keys.digest(text, 'claim').slice(0, 32);

/**
 * How long a claim is kept. A token whose drift is set back by hours must not find its old codes acceptable again,
 * so this is as good as for ever.
 */
export const claimSeconds = 10 * 366 * 86_400;
