/** The state of a bulk action: its lines, which are done, and which failed and why. */
import type { ActName, Field, Values } from './acts.ts';
import { actOf } from './acts.ts';
import { writeCsv } from './csv.ts';

export interface Line {
  readonly values: Values;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Why it failed, in the language of the page; or what it gave: an emergency code. */
  readonly words: string;
}

export interface Job {
  readonly act: ActName;
  readonly common: string;
  readonly lines: readonly Line[];
}

export type Problem = 'missing' | 'twice';

/** Returns the fault of each line before anything is sent: a missing field, or an existing user. */
export function problemsOf(
  act: ActName,
  rows: readonly Values[],
): readonly (readonly [Problem, Field] | undefined)[] {
  const seen = new Set<string>();
  return rows.map((values) => {
    const missing = actOf(act).needs.find((field) => (values[field] ?? '').trim() === '');
    if (missing) return ['missing', missing] as const;
    const user = (values.user ?? '').trim().toLowerCase();
    if (seen.has(user)) return ['twice', 'user'] as const;
    seen.add(user);
    return undefined;
  });
}

export const waiting = (values: Values): Line => ({ values, state: 'waiting', words: '' });

export const countOf = ({ lines }: Job, state: Line['state']): number =>
  lines.filter((line) => line.state === state).length;

/** Returns the job as the browser may store it: without passwords and codes. */
export const keptOf = (job: Job): Job => ({
  ...job,
  lines: job.lines.map(({ values: { password: _, ...values }, state, words }) => ({
    ...{ values, state },
    words: state === 'failed' ? words : '',
  })),
});

export const reportOf = (job: Job, head: readonly string[], words: Record<Line['state'], string>): string =>
  writeCsv([
    head,
    ...job.lines.map(({ values, state, words: why }) => [values.user ?? '', words[state], why]),
  ]);
