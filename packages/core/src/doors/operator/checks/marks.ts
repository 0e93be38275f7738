/** Checks that the store is the one to which a directory is bound. */
import type { ServerConfig } from '../../../config/config.ts';
import { complaint, isRefused } from '../../../directory/store-binding/state.ts';
import { lookForMarks } from '../../../directory/store-binding/store-mark.ts';
import { detailOf } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Store } from '../../../ports/store/store.ts';
import { Names } from '../../../table/dialect.ts';
import { type Finding, lookOr, problem, warning } from './finding.ts';

interface MarksView {
  readonly config: ServerConfig;
  readonly directory: DirectoryServer;
  readonly store: Pick<Store, 'get' | 'claimed'> | undefined;
  readonly clock: Clock;
}

/** @param base of a domain; of one that is not there, that is said already */
export function markFindings(base: Dn, marks: MarksView): Promise<readonly Finding[]> {
  const { config, directory } = marks;
  const view = { ...marks, names: new Names(config.names) };
  return lookOr(
    async () => {
      if (!(await directory.service.read(base, ['1.1']))) return [];
      const { state: standing } = await lookForMarks(base, view);
      const text = complaint(standing, base);
      if (text === undefined) return [];
      return [isRefused(standing) ? problem(text) : warning(text)];
    },
    (error) =>
      warning(`${base}: which data folder it is used with could not be looked at (${detailOf(error)})`),
  );
}
