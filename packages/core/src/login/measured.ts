/** What whoever watches sees of logins: how they ended, and how long each stage took (`watchword_login_…`). */
import { ServiceError } from '../foundation/errors/errors.ts';
import { endSpan } from '../ports/meter.ts';
import type { LoginOutcome } from './request.ts';
import type { LoginCall } from './view.ts';

type Measuring = Pick<LoginCall, 'application' | 'clock' | 'meter' | 'tracer'>;

/** Counts and traces a login by what it is answered. @param login throws nothing but by its promise @throws what it throws */
export const measured = (
  login: () => Promise<LoginOutcome>,
  { meter, tracer, application: { name: application } }: Measuring,
): Promise<LoginOutcome> =>
  tracer.startActiveSpan(
    'watchword.login',
    { attributes: { 'watchword.application': application } },
    (span) => {
      const end = (outcome: string) => {
        meter.count('logins', { application, outcome });
        endSpan(span, outcome);
      };
      return login().then(
        (outcome) => {
          end(outcome.kind);
          return outcome;
        },
        (error: unknown) => {
          end(wordOf(error));
          throw error;
        },
      );
    },
  );

function wordOf(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'failed';
  switch (error.reason) {
    case 'too_many_attempts':
      return 'too_many_attempts';
    case 'not_found':
      return 'no_session';
    case 'invalid_params':
    case 'client_refused':
    case 'invalid_source':
      return 'invalid';
    default:
      return 'failed';
  }
}

/** Counts the code that a login has shown, if it was right and came to be claimed. */
export function countCode(
  proof: { readonly kind: string; readonly code?: unknown },
  end: string,
  { meter, application: { name } }: Pick<Measuring, 'meter' | 'application'>,
): void {
  if (proof.kind !== 'right' || !proof.code || end === 'neither') return;
  meter.count('codes', { application: name, outcome: end === 'granted' ? 'claimed' : 'taken' });
}

export type Stage = 'find' | 'enter' | 'prove' | 'settle';

const spans: Readonly<Record<Stage, string>> = {
  find: 'watchword.login.find',
  enter: 'watchword.login.enter',
  prove: 'watchword.login.prove',
  settle: 'watchword.login.settle',
};

/** Times the stages of one login, which come one after the other. */
export class Stages {
  readonly #call: Measuring;
  #since: number;

  /** @param begun in milliseconds since 1970 */
  constructor(call: Measuring, begun: number) {
    this.#call = call;
    this.#since = begun;
  }

  /** A stage has ended, and the next begins. A clock that is set back meanwhile makes it none the shorter. */
  end(stage: Stage): void {
    const { application, clock, meter, tracer } = this.#call;
    const now = clock.now();
    tracer.startSpan(spans[stage], { startTime: this.#since }).end(now);
    meter.time('loginTime', { application: application.name, stage }, Math.max(0, now - this.#since));
    this.#since = now;
  }
}
