/**
 * What clients saw of logins, and whether it can be true of a system that lets each code in once and forgets nothing it has
 * answered. It knows nothing of how logins are judged.
 */

/** One login, as its client saw it. */
export interface Attempt {
  readonly user: string;
  /** The time step of the code that was shown. */
  readonly step: number;
  readonly answer: Answer;
  /** When it was sent and when its answer was there, by one clock. */
  readonly begun: number;
  readonly ended: number;
}

/**
 * `unknown`: there was no answer, or one that does not tell (`Server error`, a proxy's own): it may have been granted.
 */
export type Answer = 'granted' | 'refused' | 'unknown';

export interface Run {
  readonly attempts: readonly Attempt[];
  /** Logins that the event log says were granted, for each user, when all was over. */
  readonly recorded: ReadonlyMap<string, number>;
}

/** Sentences on what cannot be; none: the run is as it should be. */
export function faultsOf({ attempts, recorded }: Run): readonly string[] {
  const users = [...new Set(attempts.map(({ user }) => user))];
  return users.flatMap((user) => {
    const own = attempts.filter((attempt) => attempt.user === user);
    return [...twice(user, own), ...back(user, own), ...lost(user, own, recorded.get(user) ?? 0)];
  });
}

/** A code is let in once. */
function twice(user: string, attempts: readonly Attempt[]): readonly string[] {
  const steps = grantedOf(attempts);
  const more = steps.filter((step, index) => steps.indexOf(step) !== index);
  return [...new Set(more)].map((step) => `${user} was let in more than once with the code of ${step}`);
}

/** A code that was used goes with all older ones: who shows one of those later, is not let in. */
function back(user: string, attempts: readonly Attempt[]): readonly string[] {
  const granted = attempts.filter(({ answer }) => answer === 'granted');
  return granted.flatMap(({ step, begun }) => {
    const newer = granted.find((other) => other.step > step && other.ended < begun);
    return newer ? [`${user} was let in with the code of ${step} after that of ${newer.step}`] : [];
  });
}

/** What was answered is on record, and nothing is on record that nobody can have been let in with. */
function lost(user: string, attempts: readonly Attempt[], recorded: number): readonly string[] {
  const [granted, possible] = [grantedOf(attempts).length, mayBeGranted(attempts).size];
  if (recorded < granted)
    return [`${user} was let in ${granted} times, and ${recorded} of them are on record`];
  if (recorded > possible)
    return [`${recorded} logins of ${user} are on record, and ${possible} codes can have been let in`];
  return [];
}

const grantedOf = (attempts: readonly Attempt[]): readonly number[] =>
  attempts.filter(({ answer }) => answer === 'granted').map(({ step }) => step);

const mayBeGranted = (attempts: readonly Attempt[]): ReadonlySet<number> =>
  new Set(attempts.filter(({ answer }) => answer !== 'refused').map(({ step }) => step));
