/** Finds the application that a caller of a log method names. */

import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Names } from '../../table/dialect.ts';
import type { KnownApplication } from '../../table/known-application.ts';

/**
 * Its name in the installation's words.
 * @param word the name of an application or of its web service, in our words or the installation's, in any case
 * @throws ServiceError `invalid_params` if there is no such application
 */
export function namedApplication(
  word: string,
  {
    applications,
    names,
  }: { readonly applications: Readonly<Record<string, KnownApplication>>; readonly names: Names },
): string {
  const wanted = word.toLowerCase();
  const found = Object.values(applications).find(({ name, service }) =>
    [name, names.theirs(name), service, names.theirs(service)].some((one) => one.toLowerCase() === wanted),
  );
  if (found) return names.theirs(found.name);
  throw new ServiceError('invalid_params', {
    detail: `Parameter application: there is no '${word.slice(0, 64)}'`,
  });
}
