/** Metrics and traces of logins: outcomes, and durations of the stages. */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';
import { endSpan, type Meter, type Tracer } from '../ports/meter.ts';

interface Measuring {
  readonly application: { readonly name: string };
  readonly clock: Pick<Clock, 'now'>;
  readonly meter: Pick<Meter, 'count' | 'time'>;
  readonly tracer: Tracer;
}

/** Counts and traces a login by its answer. @param login rejects, and never throws synchronously @throws what `login` throws */
export const measured = <O extends { readonly kind: string }>(
  login: () => Promise<O>,
  { meter, tracer, application: { name: application } }: Omit<Measuring, 'clock'>,
): Promise<O> =>
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

/** Counts a right code: claimed, or taken by another login. */
export function countCode(
  verdict: { readonly kind: string; readonly code?: unknown },
  end: string,
  { meter, application: { name } }: Pick<Measuring, 'meter' | 'application'>,
): void {
  if (verdict.kind !== 'right' || !verdict.code || end === 'neither') return;
  meter.count('codes', { application: name, outcome: end === 'granted' ? 'claimed' : 'taken' });
}

export type LoginPhase = 'find' | 'admit' | 'prove' | 'commit';

const spans: Readonly<Record<LoginPhase, string>> = {
  find: 'watchword.login.find',
  admit: 'watchword.login.admit',
  prove: 'watchword.login.prove',
  commit: 'watchword.login.commit',
};

/** Times the stages of one login. */
export class PhaseTimer {
  readonly #call: Measuring;
  #since: number;

  /** @param begun in milliseconds since 1970 */
  constructor(call: Measuring, begun: number) {
    this.#call = call;
    this.#since = begun;
  }

  /** Ends a stage, and begins the next. A clock that is set back counts as no time. */
  end(stage: LoginPhase): void {
    const { application, clock, meter, tracer } = this.#call;
    const now = clock.now();
    tracer.startSpan(spans[stage], { startTime: this.#since }).end(now);
    meter.time('loginTime', { application: application.name, stage }, Math.max(0, now - this.#since));
    this.#since = now;
  }
}
