/** What the codes of a user come from: its tokens, a printed list, an emergency code. */
import type { Use } from '../code/kept-state.ts';
import type { Factor } from './login-request.ts';

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
