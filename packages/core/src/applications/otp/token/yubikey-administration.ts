/** The methods that register and find Yubikeys that type Yubico OTPs. */
import { yubicoServers } from '../../../authenticators/code-claim.ts';
import { hotpStateIn, readTokens, tokenChanges } from '../../../authenticators/token-data.ts';
import { swapData } from '../../../directory/data/data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import { findEntryRef } from '../../../directory/data/user-data.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import {
  encryptedLength,
  fromModhex,
  keyLength,
  longestPublicId,
  privateIdLength,
  readYubico,
  toModhex,
  yubicoOf,
} from '../../../foundation/oath/yubico.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { CloudView, RegistrationView } from '../view.ts';
import { expiryOf, writeToken } from './registration.ts';

export interface NewYubikey {
  readonly slot: number;
  readonly key: Uint8Array;
  readonly privateId: Uint8Array;
  readonly publicId: Uint8Array;
  /** The number of the next use that is acceptable. Optional; default: the first. */
  readonly state: string | undefined;
}

/** Takes the place of the token in that slot. @throws ServiceError `invalid_params`, `not_found` */
export async function registerYubikey(
  dn: Dn,
  { slot, key, privateId, publicId, state }: NewYubikey,
  call: RegistrationView,
): Promise<void> {
  checkLength('key', key, { least: keyLength, most: keyLength });
  checkLength('secret', privateId, { least: privateIdLength, most: privateIdLength });
  checkLength('public', publicId, { least: 0, most: longestPublicId });
  const profile = await readProfile(dn, call);
  const secret = Buffer.concat([key, privateId]);
  const token = { type: 'YUBIKEY', state: hotpStateIn(state), secret, id: publicId } as const;
  await writeToken({ ...token, entryRef: profile, slot, expires: expiryOf(profile, call) }, call);
}

/**
 * Takes the place of the token in that slot. The code is used up; its first part says which Yubikey it is.
 * @throws ServiceError `invalid_params` if it is no code of a Yubikey that the verification server knows, or was used;
 * `not_found`; `unavailable` without a server, or if none answers
 */
export async function registerYubicloud(
  dn: Dn,
  { slot, otp }: { readonly slot: number; readonly otp: string },
  call: CloudView,
): Promise<void> {
  const servers = yubicoServers(call);
  const typed = otp.trim().toLowerCase();
  const id = fromModhex(typed.slice(0, -encryptedLength));
  if (!id || id.length === 0 || id.length > longestPublicId || !yubicoOf(typed, toModhex(id)))
    throw new ServiceError('invalid_params', { detail: 'Parameter otp is not what a Yubikey types' });
  const profile = await readProfile(dn, call);
  if ((await servers.verify(typed)) !== 'good')
    throw new ServiceError('invalid_params', {
      detail: 'Parameter otp is not a code that the verification server knows, or was used',
    });
  const token = { type: 'YUBICLOUD', state: { counter: 0 }, secret: id, id } as const;
  await writeToken({ ...token, entryRef: profile, slot, expires: expiryOf(profile, call) }, call);
}

function checkLength(
  parameter: string,
  { length }: Uint8Array,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (length >= least && length <= most) return;
  const wanted = least === most ? most : `${least} to ${most}`;
  throw new ServiceError('invalid_params', { detail: `Parameter ${parameter} is not ${wanted} bytes` });
}

/** The slot whose Yubikey has typed it, used or not; 0: none has. Nothing is used up. */
export async function locateYubikey(dn: Dn, otp: string, call: ProfileContext): Promise<number> {
  const tokens = readTokens((await readProfile(dn, call)).data);
  const found = tokens.find(
    ({ type, secret, id: publicId = '' }) => type === 'YUBIKEY' && readYubico(otp, { secret, publicId }),
  );
  return found?.slot ?? 0;
}

/**
 * Sets the state of a Yubikey back after it was programmed again with the same secret. Used outputs stay used: the store keeps their
 * claims.
 * @throws ServiceError `not_found`
 */
export async function resetYubikey(dn: Dn, slot: number, call: ProfileContext): Promise<void> {
  await swapData(
    await findEntryRef(dn, call),
    (stored) => {
      const token = readTokens(stored).find((one) => one.slot === slot);
      if (token?.type !== 'YUBIKEY')
        throw new ServiceError('not_found', { detail: `No YUBIKEY token ${slot} of LDAP object '${dn}'` });
      return tokenChanges(slot, { state: { counter: 0 } });
    },
    call,
  );
}
