/** Checks that the store is the one to which a directory is bound. */
import type { ServerConfig } from '../../../config/config.ts';
import { complaint, isRefused } from '../../../directory/store-binding/state.ts';
import { findBindings } from '../../../directory/store-binding/store-bindings.ts';
import { detailOf } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Store } from '../../../ports/store/store.ts';
import { Names } from '../../../table/dialect.ts';
import { type Finding, lookOr, problem, warning } from './finding.ts';

interface BindingsContext {
  readonly config: ServerConfig;
  readonly directory: DirectoryServer;
  readonly store: Pick<Store, 'get' | 'claimed'> | undefined;
  readonly clock: Clock;
}

/** @param base of a domain; of one that is not there, that is said already */
export function bindingFindings(base: Dn, bindings: BindingsContext): Promise<readonly Finding[]> {
  const { config, directory } = bindings;
  const view = { ...bindings, names: new Names(config.names) };
  return lookOr(
    async () => {
      if (!(await directory.service.read(base, ['1.1']))) return [];
      const { state: standing } = await findBindings(base, view);
      const text = complaint(standing, base);
      if (text === undefined) return [];
      return [isRefused(standing) ? problem(text) : warning(text)];
    },
    (error) =>
      warning(`${base}: which data folder it is used with could not be looked at (${detailOf(error)})`),
  );
}
