/** The state of a store at a directory, with messages for operators. */

import type { Dn } from '../../foundation/text/dn.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';

export type BindingState =
  /** No other store can take the same codes: the directory, or the data of its users, is in the same folder. */
  | { readonly kind: 'alone' }
  | { readonly kind: 'ours'; readonly place: Dn }
  /** No entry can have a binding. */
  | { readonly kind: 'unbound'; readonly places: readonly Dn[]; readonly attribute: string }
  /** Servers with another store use the directory. */
  | { readonly kind: 'another'; readonly place: Dn; readonly seen: number }
  /** The binding has a higher epoch than the store: the store was set back, or copied. */
  | { readonly kind: 'older'; readonly place: Dn };

/** The states in which no one-time password is accepted. */
export const isRefused = (
  state: BindingState,
): state is Extract<BindingState, { kind: 'another' | 'older' }> =>
  state.kind === 'another' || state.kind === 'older';

/** Describes a problem and its cure, without a full stop; undefined for none. @param base of the domain */
export function complaint(state: BindingState, base: Dn): string | undefined {
  switch (state.kind) {
    case 'another':
      return (
        `${base}: servers with another data folder use this directory too, last at ${formatTimestamp(state.seen)} UTC ` +
        `(noted on ${state.place}), and two folders would each take a one-time password; let all servers use one data folder, ` +
        'or set stores: separate for all of them, or, if the other folder is no more, run: watchword-manager restored'
      );
    case 'older':
      return (
        `${base}: the data folder is older than the directory remembers it (noted on ${state.place}), so that used ` +
        'one-time passwords would be good again; it was restored, or is a copy of one that is in use: ' +
        'after a restore, run: watchword-manager restored; a copy has no place beside the original'
      );
    case 'unbound':
      return (
        `neither ${state.places.join(' nor ')} can keep which data folder is in use, so servers with another one ` +
        `would not be noticed; give one of them the class webadmGroup, and the service write access to its ${state.attribute}, ` +
        'as docs/guide/directories.md says'
      );
    default:
      return undefined;
  }
}
