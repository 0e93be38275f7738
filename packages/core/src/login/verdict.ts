/** What came of an attempt to log in: what the caller is told, what the limits make of it, what the log says. */
import type { ServiceError } from '../foundation/errors/errors.ts';
import type { Judged } from '../limits/attempt.ts';
import type { Posted } from '../messaging/posted.ts';
import type { LoginOutcome } from './request.ts';

export interface Verdict {
  /** An error: the login could not be brought to an end, and the caller is told nothing else. */
  readonly outcome: LoginOutcome | ServiceError;
  /** What the limits make of it. */
  readonly counts: Judged;
  /** What happened, for the event log: `granted by password and TOKEN`. */
  readonly text: string;
  /** Only a line in the log: nothing was shown, and anybody may do it as often as they like. */
  readonly isNoEvent?: boolean;
  /** What goes on its way to the user once all of it is durable. */
  readonly posted?: Pick<Posted, 'id' | 'way'>;
  /** It is answered at a moment that tells nothing of what was looked for. */
  readonly isHeldBack?: boolean;
}
