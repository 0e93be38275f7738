/** Registration of tokens from the inventory: the secret of an item becomes a token of the user. */

import { findItem, type InventoryItem, itemsOf } from '../../../administration/inventory/item.ts';
import { type OwningView, takeItem } from '../../../administration/inventory/owning.ts';
import { claimKey, claimSeconds } from '../../../authenticators/claim-keys.ts';
import { type AnyState, judgeCode, tokenRules } from '../../../authenticators/token.ts';
import { hotpStateIn, totpStateIn } from '../../../authenticators/token-data.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { type Algorithm, algorithms } from '../../../foundation/oath/hotp.ts';
import {
  encryptedLength,
  fromModhex,
  keyLength,
  longestPublicId,
  privateIdLength,
  toModhex,
} from '../../../foundation/oath/yubico.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { RegistrationView } from '../view.ts';
import { registerOcra } from './ocra-administration.ts';
import { checkSecret, expiryOf, settledShape, writeToken } from './registration.ts';

export interface InventoryTokenView extends RegistrationView, OwningView {
  readonly store: RegistrationView['store'] & OwningView['store'];
  readonly keys: RegistrationView['keys'];
  readonly server: RegistrationView['server'];
}

export interface WantedItem {
  /** The reference of an item; of a Yubikey: also what it types. */
  readonly serial: string;
  readonly slot: number;
  /** A code of the token, which is used up. Optional; default: none. */
  readonly otp: string | undefined;
}

const type = 'OTP Token';

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/**
 * The item belongs to the user from then on, and to nobody else.
 * @throws ServiceError `not_found`; `invalid_params` if the item is another's, is not valid, or has no such code
 */
export async function registerFromInventory(
  dn: Dn,
  { serial, slot, otp }: WantedItem,
  call: InventoryTokenView,
): Promise<void> {
  const profile = await readProfile(dn, call);
  const item = await findBySerial(serial.trim(), call);
  const register = typeOf(item) === 'OCRA' ? registerChallenged : registerTyped;
  await takeItem(item, dn, () => register(item, { serial, slot, otp, profile }, call), call);
}

type Taking = WantedItem & { readonly profile: EntryProfile };

async function registerTyped(
  item: InventoryItem,
  { serial, slot, otp, profile }: Taking,
  call: InventoryTokenView,
): Promise<void> {
  const code = otp ?? (isTyped(serial) ? serial : undefined);
  const brought = tokenOf(item);
  const { settings } = profile;
  const {
    publicId: id,
    algorithm,
    ...token
  } = code === undefined ? brought : await usedUp(brought, code, { ...call, settings });
  const shape = algorithm && { ...settledShape(settings), algorithm };
  const { reference, description: model } = item;
  const device = { serial: reference, ...(model !== '' && { model }) };
  const expires = expiryOf(profile, call);
  await writeToken(
    { ...token, entryRef: profile, slot, device, expires, ...(id && { id }), ...(shape && { shape }) },
    call,
  );
}

async function registerChallenged(
  item: InventoryItem,
  { slot, otp, profile }: Taking,
  call: InventoryTokenView,
): Promise<void> {
  if (otp !== undefined) throw wrong('Parameter otp: an OCRA token shows codes for a challenge only');
  const [key, state] = [bytesOf(item, 'TokenKey'), stateOf(item)];
  await registerOcra(profile.dn, { slot, key, pin: undefined, state }, call);
}

const isTyped = (serial: string): boolean =>
  fromModhex(serial.trim()) !== undefined && serial.trim().length >= encryptedLength;

/** Finds an item by its reference; a Yubikey also by its public id, with or without an output after it. */
async function findBySerial(serial: string, call: InventoryTokenView): Promise<InventoryItem> {
  try {
    return (await findItem({ type, reference: serial }, call)).item;
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
    const id = isTyped(serial) ? serial.slice(0, -encryptedLength) : serial;
    const found = fromModhex(id) && (await findYubikey(id.toLowerCase(), call));
    if (!found) throw error;
    return found;
  }
}

async function findYubikey(id: string, call: InventoryTokenView): Promise<InventoryItem | undefined> {
  for await (const page of itemsOf(type, call)) {
    const found = page.find(
      ({ item }) =>
        item.reference.toLowerCase() === id ||
        (typeOf(item) === 'YUBIKEY' && toModhex(bytesOf(item, 'TokenID')) === id),
    );
    if (found) return found.item;
  }
  return undefined;
}

const bytesOf = ({ data }: InventoryItem, name: string): Buffer => Buffer.from(data[name] ?? '', 'base64');

const textOf = (item: InventoryItem, name: string): string => bytesOf(item, name).toString('latin1').trim();

const typeOf = (item: InventoryItem): string => textOf(item, 'TokenType').toUpperCase();

const stateOf = (item: InventoryItem): string | undefined => textOf(item, 'TokenState') || undefined;

/** The token of an item; of a Yubikey with its public id. */
type ItemToken = Exclude<AnyState, { readonly type: 'OCRA' | 'YUBICLOUD' }> & {
  readonly secret: Uint8Array;
  readonly publicId?: Uint8Array;
  readonly algorithm?: Algorithm | undefined;
};

/** @throws ServiceError `invalid_params` where what the item brings is no token */
function tokenOf(item: InventoryItem): ItemToken {
  const secret = bytesOf(item, 'TokenKey');
  const state = stateOf(item);
  switch (typeOf(item)) {
    case 'HOTP':
      checkSecret(secret);
      return { type: 'HOTP', secret, state: hotpStateIn(state), algorithm: algorithmIn(item) };
    case 'TOTP':
      checkSecret(secret);
      return { type: 'TOTP', secret, state: totpStateIn(state), algorithm: algorithmIn(item) };
    case 'YUBIKEY': {
      const publicId = bytesOf(item, 'TokenID');
      if (secret.length !== keyLength + privateIdLength || publicId.length > longestPublicId)
        throw unfit(item, 'has no TokenKey and TokenID of a Yubikey');
      return { type: 'YUBIKEY', secret, state: hotpStateIn(state), publicId };
    }
    default:
      throw unfit(item, 'has no TokenType HOTP, TOTP, OCRA or YUBIKEY');
  }
}

/** Undefined: the item says none. */
function algorithmIn(item: InventoryItem): Algorithm | undefined {
  const text = textOf(item, 'TokenAlgorithm').toUpperCase();
  if (text === '') return undefined;
  const algorithm = algorithms.find((one) => one === text);
  if (!algorithm) throw unfit(item, `has a TokenAlgorithm that is none of ${algorithms.join(', ')}`);
  return algorithm;
}

const unfit = ({ reference }: InventoryItem, why: string): ServiceError =>
  wrong(`Inventory item '${type}-${reference}' ${why}`);

/** @throws ServiceError `invalid_params` if it is no code of the token, or was used */
async function usedUp(
  token: ItemToken,
  code: string,
  { settings, keys, store, clock }: InventoryTokenView & Pick<EntryProfile, 'settings'>,
): Promise<ItemToken> {
  const { publicId, algorithm, ...rest } = token;
  const rules = { ...tokenRules(settings), algorithm };
  const key = claimKey(token, rules, keys);
  const accepted = await store.claimed(key);
  const judged = { ...rest, ...(publicId && { id: toModhex(publicId) }) };
  const judgement = judgeCode(judged, code.trim(), { rules, now: clock.now(), accepted });
  if (!judgement || !(await store.claim(key, judgement.claim, claimSeconds)))
    throw wrong('Parameter otp is not a code of this token, or was used');
  const { claim: _, ...reached } = judgement;
  return { ...token, ...reached };
}
