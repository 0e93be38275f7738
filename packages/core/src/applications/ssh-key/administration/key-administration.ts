/** The methods for users' SSH keys: generate, import, restrict, remove. */
import { createPublicKey } from 'node:crypto';
import { swapData } from '../../../directory/data/data.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { findEntryRef } from '../../../directory/data/user-data.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Store } from '../../../ports/store/store.ts';
import { read } from '../../../table/setting.ts';
import { type KeyTerms, keyChanges, readKey, termChanges } from '../key-data.ts';
import { type PublicKey, publicKeyOf, readPublicKey } from '../public-key.ts';
import { sshkeySettings } from '../settings.ts';
import { usesIn, usesKey } from '../uses.ts';
import {
  exportPem,
  exportPpk,
  generatePrivateKey,
  type KeyKind,
  privatePem,
  readPrivateKey,
} from './private-key.ts';

/** Keys on entries, at some moment. */
export interface KeyView extends ProfileContext {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Pick<Store, 'get'>;
}

/** Terms of a key as callers write them: days and sessions; 0: without end. Left out: those of the user's settings. */
export interface WantedTerms {
  readonly expires?: number | undefined;
  readonly maxuse?: number | undefined;
}

const day = 86_400_000;

/** Key_Register. @returns the private key, PEM, which is kept nowhere @throws ServiceError `invalid_params`, `not_found` */
export async function registerKey(dn: Dn, kind: KeyKind & WantedTerms, view: KeyView): Promise<string> {
  const profile = await readProfile(dn, view);
  const key = await generatePrivateKey(kind);
  await keep(publicKeyOf(createPublicKey(key)), kind, profile, view);
  return privatePem(key);
}

/** Key_Import. @throws ServiceError `invalid_params`, `not_found` */
export async function importKey(
  dn: Dn,
  { pubkey, ...terms }: { readonly pubkey: string } & WantedTerms,
  view: KeyView,
): Promise<void> {
  await takeKey(dn, () => readPublicKey(pubkey), terms, view);
}

/** A public key takes the place of the one before. @param read said after what is wrong with the entry */
export async function takeKey(
  dn: Dn,
  read: () => PublicKey,
  terms: WantedTerms,
  view: KeyView,
): Promise<void> {
  const profile = await readProfile(dn, view);
  await keep(read(), terms, profile, view);
}

async function keep(
  key: PublicKey,
  wanted: WantedTerms,
  profile: EntryProfile,
  view: KeyView,
): Promise<void> {
  const terms = termsOf(wanted, { profile, used: await usesSoFar(profile, key, view) }, view);
  await swapData(profile, () => keyChanges(key, terms), view);
}

const usesSoFar = async (
  { id }: EntryProfile,
  key: Pick<PublicKey, 'spki'>,
  { store }: KeyView,
): Promise<number> => usesIn(await store.get(usesKey(id, key)));

/** @param used how often the key was used before: sessions count from now on, as days do */
function termsOf(
  { expires, maxuse }: WantedTerms,
  { profile: { settings }, used }: { readonly profile: EntryProfile; readonly used: number },
  { clock }: KeyView,
): KeyTerms {
  const days = expires ?? read(settings, sshkeySettings.KeyExpire);
  const uses = maxuse ?? read(settings, sshkeySettings.KeyMaxUse);
  return {
    expires: days === 0 ? undefined : clock.now() + days * day,
    maxUse: uses === 0 ? undefined : used + uses,
  };
}

/** Key_Restrict: from now on; what is left out stays. @throws ServiceError `not_found` where the user has no key */
export async function restrictKey(dn: Dn, { expires, maxuse }: WantedTerms, view: KeyView): Promise<void> {
  const profile = await readProfile(dn, view);
  const before = readKey(profile.data);
  const used = before ? await usesSoFar(profile, before, view) : 0;
  await swapData(
    profile,
    (stored) => {
      const key = readKey(stored);
      if (!key) throw noKey();
      const wanted = termsOf({ expires: expires ?? 0, maxuse: maxuse ?? 0 }, { profile, used }, view);
      return termChanges({
        expires: expires === undefined ? key.expires : wanted.expires,
        maxUse: maxuse === undefined ? key.maxUse : wanted.maxUse,
      });
    },
    view,
  );
}

const noKey = (): ServiceError => new ServiceError('not_found', { detail: 'The user has no SSH key' });

/** Key_Unregister: false if there was none. */
export async function removeKey(dn: Dn, view: KeyView): Promise<void | false> {
  let isThere = false;
  await swapData(
    await findEntryRef(dn, view),
    (stored) => {
      isThere = readKey(stored) !== undefined;
      return isThere ? keyChanges(undefined, { expires: undefined, maxUse: undefined }) : new Map();
    },
    view,
  );
  return isThere ? undefined : false;
}

/** Key_Export. @throws ServiceError `invalid_params` */
export function exportKey({
  privkey,
  format = 'PEM',
  password,
}: {
  readonly privkey: string;
  readonly format?: 'PEM' | 'PPK' | undefined;
  readonly password?: string | undefined;
}): string {
  const key = readPrivateKey(privkey);
  const secret = password === '' ? undefined : password;
  return format === 'PPK' ? exportPpk(key, secret) : exportPem(key, secret);
}
