/**
 * Codes, whatever they are of, used up. A code that is right is not good for a login yet: of all who use it, one succeeds
 * (DESIGN.md "Once only"). The entry goes first, where it keeps the state of the code; what is left then is claimed in
 * the one step that writes the login down.
 */
import type { LedgerChanges, NumberClaim } from '../../ports/ledger.ts';
import { useOfEmergency } from '../list/emergency-uses.ts';
import { useOfList } from '../list/list-uses.ts';
import { noteDrift, useOfToken } from '../token/token-uses.ts';
import type { CodeView } from '../view.ts';
import type { CodeHolder, RightCode } from './authenticator.ts';
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
}

/**
 * Takes the entry as far as the code, durably, where the entry keeps its state.
 * @returns `taken`: somebody was faster. `unkept`: the entry takes no change, and the code is not used up
 */
export async function prepareUse(
  right: RightCode,
  holder: CodeHolder,
  view: CodeView,
): Promise<CodeUse | 'taken' | 'unkept'> {
  const use = await useOnEntry(right, holder, view);
  return typeof use === 'string' ? use : { ...use, values: keptLastCode(right, holder, view) };
}

async function useOnEntry(
  right: RightCode,
  holder: CodeHolder,
  view: CodeView,
): Promise<CodeClaim | 'taken' | 'unkept'> {
  switch (right.kind) {
    case 'token':
      return useOfToken({ ...right.of, ...right }, holder, view);
    case 'again':
      return {};
    case 'list':
      return useOfList({ ...right.of, ...right }, holder, view);
    case 'emergency':
      return useOfEmergency(right.of.emergency, holder, view);
  }
}

/** After the login: what is only better written down. */
export async function noteUse(right: RightCode, holder: CodeHolder, view: CodeView): Promise<void> {
  if (right.kind === 'token') await noteDrift({ ...right.of, ...right }, holder, view);
}
