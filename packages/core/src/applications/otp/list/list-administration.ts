/** The methods that make, print and remove printed lists of one-time passwords. */

import { type CodeList, codesOf, listChanges, makeList, readList } from '../../../authenticators/lists.ts';
import { tokenRules } from '../../../authenticators/token.ts';
import { swapData } from '../../../directory/data/data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Algorithm } from '../../../foundation/oath/hotp.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { read } from '../../../table/setting.ts';
import { otpSettings } from '../settings.ts';
import type { PrefixView } from '../view.ts';

/** Lengths of secrets in bytes, by algorithm. */
const secretLengths: Readonly<Record<string, number>> = { SHA1: 20, SHA256: 32, SHA512: 64 };

/** Returns the length for an algorithm; an unknown word on an entry gets the longest. */
const lengthFor = (algorithm: string): number => secretLengths[algorithm] ?? 64;

export interface NewList {
  /** Codes. Optional; default: as many as the setting `ListSize` says. */
  readonly size: number | undefined;
  /** Left out: as the setting `ListAlgorithm` says. */
  readonly algorithm: Algorithm | undefined;
}

/** Replaces a list that is there. */
export async function registerList(dn: Dn, { size, algorithm }: NewList, call: PrefixView): Promise<void> {
  const profile = await readProfile(dn, call);
  const { digits } = tokenRules(profile.settings);
  const shape = {
    digits,
    size: size ?? read(profile.settings, otpSettings.ListSize),
    secretLength: lengthFor(algorithm ?? read(profile.settings, otpSettings.ListAlgorithm)),
  };
  const list = makeList(shape, call.random);
  await swapData(profile, () => listChanges(list), call);
}

/** The codes that are still good, in the order in which they were printed. */
export async function unusedCodes(dn: Dn, call: ProfileContext): Promise<readonly string[]> {
  const list = await listOf(dn, call);
  return codesOf(list).filter((_, position) => !list.used.has(position));
}

/** @throws ServiceError `not_found` if there is none */
export async function listOf(dn: Dn, call: ProfileContext): Promise<CodeList> {
  const list = readList((await readProfile(dn, call)).data);
  if (!list) throw new ServiceError('not_found', { detail: `No list of LDAP object '${dn}'` });
  return list;
}

/** False if there was none. */
export async function removeList(dn: Dn, call: ProfileContext): Promise<void | false> {
  const profile = await readProfile(dn, call);
  if (!readList(profile.data)) return false;
  await swapData(profile, () => listChanges(undefined), call);
}
