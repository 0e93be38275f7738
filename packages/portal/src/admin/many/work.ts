/** Runs a bulk action in small batches, which can be paused and continued. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useReasons } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { actOf, findDns, namedDn } from './acts.ts';
import { countOf, type Job, type Line } from './job.ts';
import { keepJob, keptJob } from './kept-job.ts';

/** Lines in one request: it takes well under a second, and a pause is soon. */
const together = 10;

interface Words {
  readonly unknown: string;
  readonly passwordGone: string;
}

export function useWork(words: Words) {
  const { manager, signedIn } = useSession();
  const { administrator } = signedIn;
  const say = useReasons();
  const toast = useToast();
  const [job, setJob] = useState(() => keptJob(administrator));
  const [isRunning, setRunning] = useState(false);
  const isWanted = useRef(false);
  const keep = useCallback(
    (next: Job | undefined) => {
      setJob(next);
      keepJob(administrator, next);
    },
    [administrator],
  );
  // Leaving the page pauses the work.
  useEffect(
    () => () => {
      isWanted.current = false;
    },
    [],
  );
  const run = async (begun: Job) => {
    isWanted.current = true;
    setRunning(true);
    try {
      for (let now = begun; isWanted.current && countOf(now, 'waiting') > 0; ) {
        now = await advance(now, { manager, say, words });
        keep(now);
      }
    } catch (error) {
      toast({ tone: 'bad', text: say(error) });
    }
    isWanted.current = false;
    setRunning(false);
  };
  return {
    job,
    isRunning,
    start: (next: Job) => {
      keep(next);
      void run(next);
    },
    resume: () => job && void run(job),
    pause: () => {
      isWanted.current = false;
    },
    forget: () => keep(undefined),
  };
}

interface Means {
  readonly manager: ReturnType<typeof useSession>['manager'];
  readonly say: (error: unknown) => string;
  readonly words: Words;
}

/** The next lines. @throws CallError where nothing could be asked: they wait still */
async function advance(job: Job, means: Means): Promise<Job> {
  const next = job.lines
    .flatMap(({ state }, index) => (state === 'waiting' ? [index] : []))
    .slice(0, together);
  const outcomes = await attempt(
    job,
    next.flatMap((index) => job.lines[index] ?? []),
    means,
  );
  const lines = [...job.lines];
  for (const [place, index] of next.entries()) {
    const line = lines[index];
    const outcome = outcomes[place];
    if (line && outcome) lines[index] = { ...line, ...outcome };
  }
  return { ...job, lines };
}

type Outcome = Pick<Line, 'state' | 'words'>;

async function attempt(
  { act, common }: Job,
  lines: readonly Line[],
  means: Means,
): Promise<readonly Outcome[]> {
  const { manager, say, words } = means;
  const users = lines.map(({ values }) => (values.user ?? '').trim());
  const found = await findDns(
    manager,
    users.filter((user) => namedDn(act, user, common) === undefined),
  );
  const { needs, plan } = actOf(act);
  const dns = users.map((user) => namedDn(act, user, common) ?? found.get(user));
  const refusals = lines.map(({ values }, index) => {
    // Passwords are kept nowhere, so a reload takes them away.
    if (needs.some((field) => !values[field])) return words.passwordGone;
    return dns[index] === undefined ? words.unknown : undefined;
  });
  let ends: number[] = [];
  const settled = await manager.batchSettled((m) => {
    const calls = lines.map(({ values }, index) =>
      refusals[index] === undefined ? plan(m, { dn: dns[index] ?? '', values, common }) : [],
    );
    ends = calls.map((_, index) => calls.slice(0, index + 1).flat().length);
    return calls.flat();
  });
  return lines.map((_, index): Outcome => {
    const refusal = refusals[index];
    if (refusal !== undefined) return { state: 'failed', words: refusal };
    const own = settled.slice(ends[index - 1] ?? 0, ends[index]);
    const failed = own.find((one) => !one.ok);
    if (failed && !failed.ok) return { state: 'failed', words: say(failed.error) };
    const [first] = own;
    return { state: 'done', words: first?.ok && typeof first.value === 'string' ? first.value : '' };
  });
}
