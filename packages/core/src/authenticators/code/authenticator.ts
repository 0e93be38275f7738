/** What the codes of a user come from: its tokens, a printed list, an emergency code. */

import type { StoredData } from '../../directory/data/data.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Dn } from '../../text/dn.ts';
import type { Token } from '../token/token.ts';
import type { Use } from './kept-state.ts';

/** Where a one-time password comes from. */
export type Factor = 'TOKEN' | 'LIST' | 'EMERGENCY';

/** Whose codes they are, as it was read for one login. */
export interface CodeHolder {
  readonly dn: Dn;
  /** The identifier of the entry, which no move changes. */
  readonly id: string;
  /** In force for this login, in our words. */
  readonly settings: Settings;
  readonly data: StoredData;
  readonly tokens: readonly Token[];
  /** Stands for where the login comes from; undefined: the caller does not tell its users apart. */
  readonly place: string | undefined;
}

/** Something whose codes log in. */
export interface Authenticator {
  /** Stands for its secret: wrong codes are counted under it. */
  readonly key: string;
  /** For the log: `token 2`. */
  readonly name: string;
  /** Of a token. */
  readonly slot?: number;
  /** Of a token: how far its state has come on the entry. */
  readonly reached?: number;
  /** The code is one of its own that nobody has claimed. */
  find(code: string): Promise<RightCode | undefined>;
  /** The code was one of its own. */
  wasUsed(code: string): boolean;
}

export interface RightCode {
  readonly factor: Factor;
  /** Of a token: how far its state has come with this code. */
  readonly reached?: number;

  /** Makes the code this login's alone, on the entry and then in the store, durably. */
  use(): Promise<Use>;
}
