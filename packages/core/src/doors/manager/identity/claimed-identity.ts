/**
 * The user whom credentials name, known before the password is tried: a wrong password counts as that user's failure
 * (docs/concepts/callers-and-sources.md#administrators).
 */
import type { EffectiveRights } from '../../../administration/access/effective-rights.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { addressBlock } from '../../../foundation/text/network.ts';
import type { LimitsAttempt } from '../../../limits/limits-attempt.ts';
import { absentUserKey, type Source, sourceOf, userKey } from '../../../limits/source.ts';
import type { KeyRing } from '../../../ports/keys.ts';

export interface ClaimedIdentity {
  /** The user, or a decoy whose password is tried. */
  readonly user: Dn;
  /** Somebody has this name. */
  readonly isThere: boolean;
  /** Why it can be nobody, for operators. */
  readonly fault?: string | undefined;
  /** The fingerprint of the certificate that names the user. */
  readonly fingerprint?: string | undefined;
  /** The user's effective rights, if they were read before the password. */
  readonly rights?: EffectiveRights | undefined;
}

/** The address of a login in process that names none. */
export const inProcess = 'in-process';

/** @param address of the caller: nobody tells the Manager of other people's */
export function limitsAttemptOf(
  { user, isThere, rights }: ClaimedIdentity,
  address: string,
  { config: { limits }, keys }: { readonly config: Pick<ServiceConfig, 'limits'>; readonly keys: KeyRing },
): LimitsAttempt {
  return {
    family: 'manager',
    user: isThere ? userKey(user) : absentUserKey(user, keys),
    source: placeAt(address),
    rules: { maxTries: limits.user_failures, blockTime: limits.user_block_s },
    withoutPassword: { password: true, codes: [] },
    combined: 'none',
    as: rights?.isSuperAdmin ? 'super' : undefined,
  };
}

/** A source has failures of its own here: nothing at the web services uses them up, nor the reverse. */
function placeAt(address: string): Source {
  const trusted = address === inProcess;
  const caller = { key: trusted ? address : `address:${addressBlock(address)}`, address, trusted };
  const { id, buckets, ...place } = sourceOf(caller, undefined);
  const ofManager = (key: string) => `manager:${key}`;
  return {
    ...{ ...place, id: ofManager(id) },
    buckets: buckets.map((rule) => ({ ...rule, key: ofManager(rule.key) })),
  };
}
