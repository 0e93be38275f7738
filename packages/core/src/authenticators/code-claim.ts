/**
 * Claims of right codes (docs/concepts/once-only.md#claim): of all logins with one code, one succeeds. If the entry keeps the state of a code,
 * the entry is written first. Then the commit of the login claims the code in the store.
 */
import type { DataChanges, StoredData } from '../directory/data/data.ts';
import { isReason, notConfigured } from '../foundation/errors/errors.ts';
import type { YubicoVerification } from '../ports/sending/yubico-verification.ts';
import type { NumberClaim, TimedValue } from '../ports/store/ledger.ts';
import type { AuthenticatorOwner, CodeContext, RightCode } from './authenticator.ts';
import { claimSeconds, cloudClaimKey, emergencyKey, emergencyUseKey, listClaimKey } from './claim-keys.ts';
import { keepState, noteState, tokenUse } from './entry-state.ts';
import { keptLastCode } from './last-code.ts';
import { type Emergency, emergencyUse, listUse } from './lists.ts';
import type { Token, TokenVerdict } from './token.ts';

/** The part of a login's commit that is for its code. */
export interface CodeClaim extends OnlyOnce {
  readonly values: ReadonlyMap<string, TimedValue | null>;
}

interface OnlyOnce {
  /** The claim that only one login makes; undefined: the code is good again, or removing its session is the claim. */
  readonly claim?: NumberClaim | undefined;
  /** Whether the code has several uses: if another login has claimed this one, the next is prepared. */
  readonly isOneOfMany?: boolean;
  /** A second claim, which decides nothing. */
  readonly raised?: NumberClaim | undefined;
}

/**
 * The reason why a code cannot be claimed. `taken`: another login was faster, or the authenticator was replaced. `unkept`: the directory has not
 * confirmed the state; the code stays unused if the state was not written. `wrong`: a verification server knows no such code. `unverified`: no
 * verification server has answered.
 */
export type NoClaim = 'taken' | 'unkept' | 'wrong' | 'unverified';

/** Prepares the claim of a code: writes the state on the entry durably, or asks a verification server, where the code needs that. */
export async function prepareClaim(
  right: RightCode,
  owner: AuthenticatorOwner,
  context: CodeContext,
): Promise<CodeClaim | NoClaim> {
  const once = onceAtHand(right, context) ?? (await prepareOnce(right, owner, context));
  return typeof once === 'string' ? once : withLastCode(once, right, { owner, context });
}

/** Returns the claim of a code that needs no preparation. @returns undefined if {@link prepareClaim} has to be awaited */
export function claimAtHand(
  right: RightCode,
  owner: AuthenticatorOwner,
  context: CodeContext,
): CodeClaim | undefined {
  const once = onceAtHand(right, context);
  return once && withLastCode(once, right, { owner, context });
}

function withLastCode(
  { claim, isOneOfMany = false, raised }: OnlyOnce,
  right: RightCode,
  { owner, context }: { readonly owner: AuthenticatorOwner; readonly context: CodeContext },
): CodeClaim {
  return { claim, isOneOfMany, raised, values: keptLastCode(right, owner, context) };
}

function onceAtHand(right: RightCode, context: CodeContext): OnlyOnce | undefined {
  switch (right.kind) {
    case 'token':
      return isOnEntry(right.of.token, context) ? undefined : onceFor(right.of.claims, right.verdict.claim);
    case 'again':
    // A sent code ends with its session, as the signature of a device without a counter does.
    case 'sent':
      return {};
    case 'device':
      return right.counter === 0 ? {} : onceFor(right.of.key, right.counter);
    // Without a counter, an answer to a question ends with its session.
    case 'ocra':
      return right.verdict.claim === undefined ? {} : undefined;
    case 'emergency':
      return right.of.emergency.uses === 0 ? {} : undefined;
    case 'list':
    case 'cloud':
      return undefined;
  }
}

const onceFor = (key: string, value = 0): OnlyOnce => ({ claim: { key, value, seconds: claimSeconds } });

async function prepareOnce(
  right: RightCode,
  owner: AuthenticatorOwner,
  context: CodeContext,
): Promise<OnlyOnce | NoClaim> {
  switch (right.kind) {
    case 'token':
    case 'ocra': {
      const { of, verdict } = right;
      const kept = await keepState(owner, (stored) => tokenUse(stored, of.token, verdict), context);
      return kept === 'ours' ? onceFor(of.claims, verdict.claim) : kept;
    }
    case 'list': {
      const { of, position } = right;
      const kept = await keepState(owner, (stored) => listUse(stored, of.list, position), context);
      return kept === 'ours' ? onceFor(listClaimKey(of.list, position, context.keys)) : kept;
    }
    case 'cloud':
      return askServer(right, context);
    case 'emergency':
      return useOfEmergency(right.of.emergency, owner, context);
    // At hand always: a code without a claim here would be good for ever.
    case 'again':
    case 'sent':
    case 'device':
      throw new RangeError(`a ${right.kind} code whose claim is at hand`);
  }
}

/** Verifies an output with a server, last, as the server then knows it as used. The claim guards against two servers that accept it. */
async function askServer(
  { of, otp }: Extract<RightCode, { readonly kind: 'cloud' }>,
  context: CodeContext,
): Promise<OnlyOnce | NoClaim> {
  try {
    const verdict = await yubicoServers(context).verify(otp);
    if (verdict !== 'good') return verdict === 'wrong' ? 'wrong' : 'taken';
    return onceFor(cloudClaimKey(of.key, otp, context.keys));
  } catch (error) {
    if (!isReason(error, 'unavailable')) throw error;
    context.log.warn(`A code of a Yubikey could not be verified: ${String(error)}`);
    return 'unverified';
  }
}

/** Returns the verification servers. @throws ServiceError `unavailable` if the configuration names none */
export function yubicoServers({ yubico }: Pick<CodeContext, 'yubico'>): YubicoVerification {
  if (!yubico)
    throw notConfigured(
      'Yubikeys of a verification server need yubico in the configuration: which servers are asked',
    );
  return yubico;
}

/**
 * Takes one of the counted uses. Each use has a number and a claim of its own, as logins may commit in any order. Uses that the
 * store knows already, of an entry that was set back, are skipped.
 */
async function useOfEmergency(
  emergency: Emergency,
  owner: AuthenticatorOwner,
  context: CodeContext,
): Promise<OnlyOnce | NoClaim> {
  const key = emergencyKey(owner.dn, emergency, context.keys);
  const claimed = await context.store.claimed(key);
  let value = 0;
  const count = (stored: StoredData): DataChanges => {
    const use = emergencyUse(stored, emergency, claimed);
    value = use?.number ?? 0;
    return use?.changes ?? new Map();
  };
  const kept = await keepState(owner, count, context);
  if (kept !== 'ours') return kept;
  const raised = { key, value, seconds: claimSeconds };
  return { ...onceFor(emergencyUseKey(key, value)), isOneOfMany: true, raised };
}

/** Returns whether the entry guards the codes of a token. Separate stores know nothing of each other, and see the same entry. */
const isOnEntry = ({ type }: Token, { config }: Pick<CodeContext, 'config'>): boolean =>
  type !== 'TOTP' || config.stores === 'separate';

/** Writes a changed drift of a TOTP token after the login. The claim alone guards the code: a drift that is lost is found again. */
export function noteDrift(
  right: RightCode,
  owner: AuthenticatorOwner,
  context: CodeContext,
): Promise<unknown> | undefined {
  if (right.kind !== 'token') return undefined;
  const { of, verdict } = right;
  if (isOnEntry(of.token, context) || isDriftKept(of.token, verdict)) return undefined;
  return noteState(owner, (stored) => tokenUse(stored, of.token, verdict), context);
}

const isDriftKept = (token: Token, { state }: TokenVerdict): boolean =>
  token.type === 'TOTP' && 'drift' in state && state.drift === token.state.drift;
