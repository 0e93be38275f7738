/**
 * Codes, whatever they are of, used up. A code that is right is not good for a login yet: of all who use it, one succeeds
 * (DESIGN.md "Once only").
 */
import { useEmergency } from '../list/emergency-uses.ts';
import { useListCode } from '../list/list-uses.ts';
import { useTokenCode } from '../token/token-uses.ts';
import type { CodeView } from '../view.ts';
import type { CodeHolder, RightCode } from './authenticator.ts';
import type { Use } from './kept-state.ts';
import { keepLastCode } from './last-code.ts';

/** Makes a code one login's alone, durably: of HOTP tokens, lists and emergency passwords on the entry, and then in the store. */
export async function useCode(right: RightCode, holder: CodeHolder, view: CodeView): Promise<Use> {
  const use = await makeOurs(right, holder, view);
  if (use === 'ours') await keepLastCode(right, holder, view);
  return use;
}

async function makeOurs(right: RightCode, holder: CodeHolder, view: CodeView): Promise<Use> {
  switch (right.kind) {
    case 'token':
      return useTokenCode({ ...right.of, ...right }, holder, view);
    case 'again':
      return 'ours';
    case 'list':
      return useListCode({ ...right.of, ...right }, holder, view);
    case 'emergency':
      return useEmergency(right.of.emergency, holder, view);
  }
}
