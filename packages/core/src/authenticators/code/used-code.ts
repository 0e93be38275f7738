/**
 * Codes, whatever they are of, used up. A code that is right is not good for a login yet: of all who use it, one succeeds
 * (DESIGN.md "Once only"). The entry goes first, where it keeps the state of the code; what is left then is claimed in
 * the one step that writes the login down.
 */

import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { isReason, notConfigured } from '../../foundation/errors/errors.ts';
import { type Soon, soonWith } from '../../foundation/runtime/soon.ts';
import type { YubicoVerification } from '../../ports/sending/yubico-verification.ts';
import type { LedgerChanges, NumberClaim } from '../../ports/store/ledger.ts';
import { type Emergency, emergencyUse } from '../list/emergency.ts';
import { listUse } from '../list/list.ts';
import type { Token } from '../token/token.ts';
import { isDriftKept, tokenUse } from '../token/token-uses.ts';
import type { CodeView } from '../view.ts';
import type { CodeHolder, RightCode } from './authenticator.ts';
import { claimSeconds, cloudClaimKey, emergencyKey, emergencyUseKey, listClaimKey } from './claim-keys.ts';
import { keepState, noteState } from './kept-state.ts';
import { keptLastCode } from './last-code.ts';

/** What is left to be done in the ledger, all of it or nothing. */
export interface CodeUse extends CodeClaim {
  readonly values: NonNullable<LedgerChanges['values']>;
}

interface CodeClaim {
  /** It is this login's alone if this can be claimed; undefined: it is good more than once. */
  readonly claim?: NumberClaim | undefined;
  /**
   * The claim is one of the uses that a code has: where somebody else has it by then, another one may be left, which
   * is asked for anew.
   */
  readonly isOneOfMany?: boolean;
  /** Goes along with the claim, and decides nothing. */
  readonly raised?: NumberClaim | undefined;
}

/**
 * `taken`: somebody was faster. `unkept`: the entry takes no change, and the code is not used up. `wrong`: a verification
 * server knows no such code. `unverified`: none has said so.
 */
export type NoUse = 'taken' | 'unkept' | 'wrong' | 'unverified';

/** Takes the entry as far as the code, durably, where the entry keeps its state. */
export const prepareUse = (right: RightCode, holder: CodeHolder, view: CodeView): Soon<CodeUse | NoUse> =>
  soonWith(useOnEntry(right, holder, view), withLastCode, { right, holder, view });

function withLastCode(
  use: CodeClaim | NoUse,
  { right, holder, view }: { right: RightCode; holder: CodeHolder; view: CodeView },
): CodeUse | NoUse {
  if (typeof use === 'string') return use;
  const { claim, isOneOfMany = false, raised } = use;
  return { claim, isOneOfMany, raised, values: keptLastCode(right, holder, view) };
}

function useOnEntry(right: RightCode, holder: CodeHolder, view: CodeView): Soon<CodeClaim | NoUse> {
  switch (right.kind) {
    case 'token':
      return useOfToken(right, holder, view);
    case 'cloud':
      return useOfCloud(right, view);
    case 'again':
    // The session that it was sent for goes with it.
    case 'sent':
      return {};
    case 'ocra':
      return useOfOcra(right, holder, view);
    case 'device':
      return useOfDevice(right);
    case 'list':
      return useOfList(right, holder, view);
    case 'emergency':
      return useOfEmergency(right.of.emergency, holder, view);
  }
}

type RightOf<Kind extends RightCode['kind']> = Extract<RightCode, { readonly kind: Kind }>;

function useOfToken(
  { of, judgement }: RightOf<'token'>,
  holder: CodeHolder,
  view: CodeView,
): Soon<CodeClaim | NoUse> {
  const { token } = of;
  const use = { claim: { key: of.claims, value: judgement.claim, seconds: claimSeconds } };
  if (!isOnEntry(token, view)) return use;
  const keeping = keepState(holder, (stored) => tokenUse(stored, token, judgement), view);
  return keeping.then((kept) => (kept === 'ours' ? use : kept));
}

/**
 * Asked last, as asking uses the code up. The server lets one of two be good who show the same code; the claim does so too, where
 * it has let both.
 */
async function useOfCloud(
  { of: { key }, otp }: RightOf<'cloud'>,
  view: CodeView,
): Promise<CodeClaim | NoUse> {
  try {
    const verdict = await yubicoServers(view).verify(otp);
    if (verdict !== 'good') return verdict === 'wrong' ? 'wrong' : 'taken';
    return { claim: { key: cloudClaimKey(key, otp, view.keys), value: 0, seconds: claimSeconds } };
  } catch (error) {
    if (!isReason(error, 'unavailable')) throw error;
    view.log.warn(`A code of a Yubikey could not be verified: ${String(error)}`);
    return 'unverified';
  }
}

/** @throws ServiceError `unavailable` where the configuration names no servers */
export function yubicoServers({ yubico }: Pick<CodeView, 'yubico'>): YubicoVerification {
  if (!yubico)
    throw notConfigured(
      'Yubikeys of a verification server need yubico in the configuration: which servers are asked',
    );
  return yubico;
}

/** Without a counter it is the answer to one question, which goes with its session. */
async function useOfOcra(
  { of, judgement }: RightOf<'ocra'>,
  holder: CodeHolder,
  view: CodeView,
): Promise<CodeClaim | NoUse> {
  if (judgement.claim === undefined) return {};
  const kept = await keepState(holder, (stored) => tokenUse(stored, of.token, judgement), view);
  return kept === 'ours'
    ? { claim: { key: of.claims, value: judgement.claim, seconds: claimSeconds } }
    : kept;
}

/** A device without a counter signs challenges of one session each, which goes with it. */
const useOfDevice = ({ of, counter }: RightOf<'device'>): CodeClaim =>
  counter === 0 ? {} : { claim: { key: of.key, value: counter, seconds: claimSeconds } };

/** Two stores know nothing of each other: what both can see is the entry. */
const isOnEntry = ({ type }: Token, { config }: Pick<CodeView, 'config'>): boolean =>
  type !== 'TOTP' || config.stores === 'separate';

async function useOfList(
  { of: { list }, position }: RightOf<'list'>,
  holder: CodeHolder,
  view: CodeView,
): Promise<CodeClaim | NoUse> {
  const kept = await keepState(holder, (stored) => listUse(stored, list, position), view);
  if (kept !== 'ours') return kept;
  return { claim: { key: listClaimKey(list, position, view.keys), value: 0, seconds: claimSeconds } };
}

/**
 * Where uses are counted, each has a number of its own, and a claim of its own: of two, the later one may be the first to
 * be written down. Those that the store knows already, of an entry that was set back, are passed over.
 */
async function useOfEmergency(
  emergency: Emergency,
  holder: CodeHolder,
  view: CodeView,
): Promise<CodeClaim | NoUse> {
  if (emergency.uses === 0) return {};
  const key = emergencyKey(holder.dn, emergency, view.keys);
  const claimed = await view.store.claimed(key);
  let value = 0;
  const count = (stored: StoredData): DataChanges => {
    const use = emergencyUse(stored, emergency, claimed);
    value = use?.number ?? 0;
    return use?.changes ?? new Map();
  };
  const kept = await keepState(holder, count, view);
  if (kept !== 'ours') return kept;
  const claim = { key: emergencyUseKey(key, value), value: 0, seconds: claimSeconds };
  return { claim, isOneOfMany: true, raised: { key, value, seconds: claimSeconds } };
}

/**
 * After the login: what is only better written down. Only the claim guards a TOTP token of one store: a drift that is not
 * remembered is found again the next time.
 */
export function noteUse(right: RightCode, holder: CodeHolder, view: CodeView): Promise<unknown> | undefined {
  if (right.kind !== 'token') return undefined;
  const { of, judgement } = right;
  if (isOnEntry(of.token, view) || isDriftKept(of.token, judgement)) return undefined;
  return noteState(holder, (stored) => tokenUse(stored, of.token, judgement), view);
}
