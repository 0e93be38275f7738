/** Stores a bulk action so that it survives a reload of the page, in the same tab and for the same administrator. */
import { actNames } from './acts.ts';
import { type Job, keptOf } from './job.ts';

const keyOf = (administrator: string): string => `watchword.many.${administrator}`;

/** A browser may keep nothing for us, or not as much: then a reload loses it. */
export function keepJob(administrator: string, job: Job | undefined): void {
  try {
    if (job) sessionStorage.setItem(keyOf(administrator), JSON.stringify(keptOf(job)));
    else sessionStorage.removeItem(keyOf(administrator));
  } catch {
    // Nothing depends on it.
  }
}

export function keptJob(administrator: string): Job | undefined {
  try {
    const job = JSON.parse(sessionStorage.getItem(keyOf(administrator)) ?? 'null');
    return actNames.includes(job?.act) && Array.isArray(job.lines) ? job : undefined;
  } catch {
    return undefined;
  }
}
