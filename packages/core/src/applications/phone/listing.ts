/** Lists the transactions that a system has begun, with their states. */

import { callerKey } from '../../administration/policy/callers.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import type { Question } from './protocol.ts';
import {
  isPending,
  readState,
  type TransactionCall,
  type TransactionState,
  transactionFamily,
} from './transaction.ts';

/** Most transactions of a list: the newest. */
const most = 1000;

/** Lists the caller's transactions, the newest first; ended ones as long as they are stored. @param kinds optional; default: all */
export async function listTransactions(
  kinds: readonly Question['kind'][] | undefined,
  call: TransactionCall,
): Promise<readonly object[]> {
  const own: TransactionState[] = [];
  const caller = callerKey(call.caller);
  for await (const page of call.store.family(transactionFamily))
    for (const { key, value } of page) {
      const state = readState(key, value, call.keys);
      if (state.caller === caller && (kinds?.includes(state.kind) ?? true)) own.push(state);
    }
  const now = call.clock.now();
  return own
    .toSorted((one, other) => other.begun - one.begun)
    .slice(0, most)
    .map((state) => toAnswer(state, now));
}

function toAnswer(state: TransactionState, now: number): object {
  const { session, kind, owner, recipient = '', client, issuer, data, begun, ends, verdict } = state;
  const isOpen = isPending(state, now);
  return {
    ...{ session, type: kind, username: owner?.name.username ?? recipient, domain: owner?.name.domain ?? '' },
    ...{ client, issuer, data, started: formatTimestamp(begun) },
    status: isOpen ? 'pending' : (verdict ?? 'expired'),
    timeout: isOpen ? Math.max(1, Math.ceil((ends - now) / 1000)) : 0,
  };
}
